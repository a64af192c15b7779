import {
  operations,
  type OperationInput,
  type OperationName,
  missingFields,
  newCampaign,
} from '../contract/operations.js';
import {
  CardlineError,
  EXIT,
  OutcomeUnknownError,
  ConfigurationError,
  type ConfigMistake,
} from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { listCampaigns } from './campaigns.js';
import { assembleInput, schemaMistakes } from './input.js';
import { shownRequest, type ShownRequest } from './operation.js';
import {
  type OperationArguments,
  asBody,
  readData,
  type DataSource,
  type PlacedObject,
} from './arguments.js';
import type { Ask } from './session.js';
import { mistakeAt, inDocumentOrder } from '../config/check-document.js';

/** A campaign to create, and what is to be done with it at once. */
export interface CampaignPlan {
  readonly campaign: NewCampaign;
  /** The assignment of its task to an agent group (4.17, 4.18). */
  readonly assignment?: Assignment | undefined;
  /** Whether it is started (4.15). */
  readonly start: boolean;
}

export interface Assignment {
  readonly groupId: number;
  readonly body: OperationInput<'assignTask'>['body'];
}

export type Step = 'createCampaign' | 'campaignTask' | 'assignTask' | 'startCampaign';

/** What became of a plan. Every step is in exactly one of `done`, `unknown` and `notDone`. */
export interface CampaignCreation {
  readonly name: string;
  /** Absent when it could not be reported which of the listed campaigns is the new one. */
  readonly campaignId?: number;
  readonly taskId?: number;
  readonly done: readonly Step[];
  /** May have taken effect. */
  readonly unknown: readonly Step[];
  readonly notDone: readonly Step[];
  /** Why it was not all done. */
  readonly failure?: unknown;
}

/** The interface does not return the id of a created campaign (4.13), and the list did not show it either. */
class IdUnknownError extends CardlineError {
  readonly exitCode = EXIT.stopped;
}

/** The assignment that the person asks for. @throws ConfigurationError when a part of it is missing or wrong */
export function assignmentOf(given: Omit<OperationArguments, 'operation' | 'taskOf'>): Assignment {
  // The task is that of a campaign which does not exist yet.
  const { input } = assembleInput(
    { ...given, operation: 'assignTask', taskOf: '1' },
    undefined,
    {},
  );
  const { groupId } = operations.assignTask.params.parse(input.params);
  return { groupId, body: operations.assignTask.body.parse(input.body) };
}

/**
 * Creates a campaign, finds out its id by comparing the lists before and after, assigns and starts it. The first step
 * that fails is the last.
 * @throws ContactCenterError when it was not created, or that is not known
 */
export async function createCampaign(ask: Ask, plan: CampaignPlan): Promise<CampaignCreation> {
  const { name } = plan.campaign;
  const before = new Set((await listCampaigns(ask)).map(({ id }) => id));
  await ask('createCampaign', { body: plan.campaign });
  const left = laterSteps(plan);
  const done: Step[] = ['createCampaign'];
  const ids: { campaignId?: number; taskId?: number } = {};
  try {
    ids.campaignId = await newId(ask, name, before);
    for (let step = left[0]; step !== undefined; step = left[0]) {
      const taskId = await execute(ask, step, plan, { ...ids, campaignId: ids.campaignId });
      if (taskId !== undefined) ids.taskId = taskId;
      done.push(step);
      left.shift();
    }
    return { name, ...ids, done, unknown: [], notDone: [] };
  } catch (failure) {
    const isOpen = failure instanceof OutcomeUnknownError && ids.campaignId !== undefined;
    const unknown = isOpen ? left.splice(0, 1) : [];
    return { name, ...ids, done, unknown, notDone: left, failure };
  }
}

function laterSteps({ assignment, start }: CampaignPlan): Step[] {
  const assigning: Step[] = assignment ? ['campaignTask', 'assignTask'] : [];
  return start ? [...assigning, 'startCampaign'] : assigning;
}

async function newId(ask: Ask, name: string, before: ReadonlySet<number>): Promise<number> {
  const created = (await listCampaigns(ask)).filter(
    (campaign) => campaign.name === name && !before.has(campaign.id),
  );
  const [one, ...others] = created;
  if (one === undefined)
    throw new IdUnknownError('The list of campaigns does not show it, so its id is not known.');
  if (others.length === 0) return one.id;
  const ids = created.map(({ id }) => id).join(', ');
  throw new IdUnknownError(
    `${created.length} new campaigns of this name appeared meanwhile (ids ${ids}); which of them it is, is not known.`,
  );
}

/** Resolves with the task's id where the step finds it. */
async function execute(
  ask: Ask,
  step: Step,
  { assignment }: CampaignPlan,
  { campaignId, taskId = 0 }: { readonly campaignId: number; readonly taskId?: number },
): Promise<number | undefined> {
  const params = { campaignId };
  if (step === 'campaignTask') return (await ask('campaignTask', { params })).taskId;
  if (step === 'startCampaign') await ask('startCampaign', { params });
  if (step === 'assignTask' && assignment) {
    const { groupId, body } = assignment;
    await ask('assignTask', { params: { groupId, taskId }, body });
  }
  return undefined;
}

/** The requests of a plan. The ids that only the contact center can give stand as `{campaignId}` and `{taskId}`. */
export function plannedRequests(plan: CampaignPlan, installation: Installation): ShownRequest[] {
  const body = { ...plan.campaign };
  const input = { params: {}, query: {}, body };
  const first = shownRequest({ name: 'createCampaign', input }, installation);
  return [first, ...laterSteps(plan).map((step) => planned(step, plan, installation.baseUrl))];
}

function planned(name: OperationName, { assignment }: CampaignPlan, baseUrl: string): ShownRequest {
  const { method, path } = operations[name];
  const url = baseUrl + path.replace('{groupId}', String(assignment?.groupId));
  return name === 'assignTask' ? { method, url, body: assignment?.body } : { method, url };
}

type NewCampaign = OperationInput<'createCampaign'>['body'];

const schema = newCampaign.strict();

/**
 * Reads the fields of a campaign (interface.md 2.4) from YAML or JSON. The days of the week may be a list, as 4.19
 * gives them. `name` wins over the file's.
 * @throws ConfigurationError with every mistake: file, line, column, and what would be right
 */
export async function readCampaign(source: DataSource, name?: string): Promise<NewCampaign> {
  const document = asBody(await readData(source), 'createCampaign');
  const { weekDays } = document.value;
  const value = {
    ...document.value,
    ...(Array.isArray(weekDays) && { weekDays: weekDays.join(',') }),
    ...(name !== undefined && { name }),
  };
  const mistakes = campaignMistakes({ ...document, value });
  if (mistakes.length > 0) throw new ConfigurationError(inDocumentOrder(mistakes));
  return schema.parse(value);
}

/** The fields that others make necessary are asked for even where another field is wrong. */
function campaignMistakes(document: PlacedObject): ConfigMistake[] {
  const mistakes = schemaMistakes(document, schema);
  const given = new Set(mistakes.map(({ path }) => path));
  const missing = missingFields(document.value).filter(({ field }) => !given.has(field));
  return [
    ...mistakes,
    ...missing.map(({ field, reason }) => mistakeAt(document, [field], `it ${reason}.`)),
  ];
}
