import {
  buildRequest,
  type RequestExtras,
  createContactCenter,
  type ContactCenter,
  type Methods,
} from '../client/contact-center.js';
import {
  CAMPAIGN_PAGE,
  type OperationName,
  operations,
  type OperationInput,
  missingFields,
  newCampaign,
  type Method,
  SUCCESS,
  type OperationOutput,
  type Operation,
} from '../contract/operations.js';
import {
  type ExitCode,
  EXIT,
  CardlineError,
  OutcomeUnknownError,
  ConfigurationError,
  NotPermittedError,
  NotSentError,
  TryLaterError,
  NotAuthorizedError,
  RefusedError,
  isServerError,
  NoCampaignError,
} from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import {
  placeRecovery,
  assembleInput,
  type AssembledInput,
  schemaMistakes,
  readData,
  type DataSource,
  type OperationArguments,
  asBody,
} from './arguments.js';
import { isRecord, suggestion } from '../core/text.js';
import { z } from 'zod';
import { mistakeAt, inDocumentOrder } from '../config/document.js';
import { loadInstallation } from '../installation/installation.js';
import { systemClock, type Clock, retryDelay } from '../core/time.js';

/** An operation that is ready to be sent. */
export interface ReadyOperation {
  readonly name: OperationName;
  readonly input: AssembledInput;
  readonly extras?: RequestExtras | undefined;
  /** Maximum elements of a list that are wanted. */
  readonly limit?: number | undefined;
}

/** A request as a person would look at it: without credentials. */
export interface ShownRequest {
  readonly method: Method;
  readonly url: string;
  readonly body?: unknown;
}

/**
 * Makes an operation ready: understands what the person gave, reads the data, checks both, and looks up campaigns by
 * their names and tasks by their campaigns. Nothing is changed.
 * @throws ConfigurationError, UsageError for what is wrong; ContactCenterError when a lookup fails
 */
export async function prepareOperation(
  { ask, installation }: Session,
  given: OperationArguments,
  { data, limit }: { readonly data?: DataSource | undefined; readonly limit?: number | undefined },
): Promise<ReadyOperation> {
  const document = data && (await readData(data));
  const { input, lookups } = assembleInput(given, document, installation.card);
  for (const { field, campaign } of lookups) {
    const campaignId =
      'id' in campaign ? campaign.id : idNamed(await listCampaigns(ask), campaign.name);
    input[field.part][field.name] =
      field.kind === 'campaign'
        ? campaignId
        : (await ask('campaignTask', { params: { campaignId } })).taskId;
  }
  if (given.operation !== 'addClients') return { name: given.operation, input, limit };
  const { body, extras } = placeRecovery(input.body, installation);
  return { name: given.operation, input: { ...input, body: { ...body } }, extras };
}

/** The request as it would be sent; of a list, its first page. */
export function shownRequest(
  { name, input, extras, limit }: ReadyOperation,
  { baseUrl }: Pick<Installation, 'baseUrl'>,
): ShownRequest {
  const firstPage = { limit: Math.min(limit ?? CAMPAIGN_PAGE, CAMPAIGN_PAGE), offset: 0 };
  const query = name === 'listCampaigns' ? firstPage : input.query;
  const { method, path, body } = buildRequest(name, { ...input, query }, extras);
  const shown = { method, url: baseUrl + path };
  return typeof body === 'string' ? { ...shown, body: JSON.parse(body) as unknown } : shown;
}

/**
 * Sends an operation; of a list, as many pages as are wanted. Gives the answer, `undefined` for an acknowledgement, why it
 * is not well, each about one client, and the exit code: 0: all is well; 2: some were refused; 3: of some it is not known.
 * @throws ContactCenterError that says what is known of the outcome
 */
export async function sendOperation({ ask }: Session, ready: ReadyOperation) {
  const { name, input, extras, limit } = ready;
  // No type can follow the answer for a name not yet known.
  const asked: Promise<unknown> =
    name === 'listCampaigns' ? listCampaigns(ask, limit) : ask(name, input, extras);
  const answer = await asked;
  const value: unknown = Array.isArray(answer) ? answer.slice(0, limit) : answer;
  const { refused, unknown } = verdictOf(name, input.body, value);
  const exitCode: ExitCode =
    unknown.length > 0 ? EXIT.stopped : refused.length > 0 ? EXIT.rows : EXIT.ok;
  return { value, problems: [...refused, ...unknown], exitCode };
}

/** What an answer says of the clients of a request, where it validates them one by one (interface.md 4.1 and 4.9). */
interface Verdict {
  /** The contact center's own words, each for one client. */
  readonly refused: readonly string[];
  /** Clients without a result that can be trusted. */
  readonly unknown: readonly string[];
}

function verdictOf(name: OperationName, body: unknown, answer: unknown): Verdict {
  if (name !== 'addClients' && name !== 'addApplications') return { refused: [], unknown: [] };
  const { clients } = z.object({ clients: z.array(z.unknown()) }).parse(body);
  if (name === 'addClients') return created(clients, answer);
  const errors = operations.addApplications.response.parse(answer).errors ?? [];
  const refused = errors.map(({ clientIdentifiers, errorMessage }) =>
    clients.length === 1 ? errorMessage : `${pairs(clientIdentifiers)}: ${errorMessage}`,
  );
  return { refused, unknown: [] };
}

function created(clients: readonly unknown[], answer: unknown): Verdict {
  const { createResult } = operations.addClients.response.parse(answer);
  const refused: string[] = [];
  const unknown: string[] = [];
  clients.forEach((client, index) => {
    const uuid = isRecord(client) ? client['uuid'] : undefined;
    const results = createResult.filter((result) => result.uuid === uuid);
    const who = clients.length === 1 ? '' : `client ${index + 1} (uuid ${String(uuid)}): `;
    const [one] = results;
    if (one === undefined || results.length > 1) {
      const given = one === undefined ? 'nothing' : 'several things';
      unknown.push(
        `${who}the answer says ${given} of this client; whether it was created is not known.`,
      );
    } else if (one.result !== SUCCESS) refused.push(who + one.result);
  });
  return { refused, unknown };
}

/** `offerId=7, offerDomain=shop`. */
const pairs = (identifiers: Readonly<Record<string, unknown>>): string =>
  Object.entries(identifiers)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');

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
  const { campaign, assignment } = plan;
  const { name } = campaign;
  const before = new Set((await listCampaigns(ask)).map(({ id }) => id));
  await ask('createCampaign', { body: campaign });
  const left = laterSteps(plan);
  const done: Step[] = ['createCampaign'];
  const ids: { campaignId?: number; taskId?: number } = {};
  try {
    const campaignId = (ids.campaignId = await newId(ask, name, before));
    for (let step = left[0]; step !== undefined; step = left[0]) {
      if (step === 'campaignTask')
        ids.taskId = (await ask(step, { params: { campaignId } })).taskId;
      if (step === 'startCampaign') await ask(step, { params: { campaignId } });
      if (step === 'assignTask' && assignment) {
        const { groupId, body } = assignment;
        await ask(step, { params: { groupId, taskId: ids.taskId ?? 0 }, body });
      }
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

/** The requests of a plan. The ids that only the contact center can give stand as `{campaignId}` and `{taskId}`. */
export function plannedRequests(plan: CampaignPlan, installation: Installation): ShownRequest[] {
  const { campaign, assignment } = plan;
  const input = { params: {}, query: {}, body: { ...campaign } };
  const first = shownRequest({ name: 'createCampaign', input }, installation);
  const later = laterSteps(plan).map((name): ShownRequest => {
    const { method, path } = operations[name];
    const url = installation.baseUrl + path.replace('{groupId}', String(assignment?.groupId));
    return name === 'assignTask' ? { method, url, body: assignment?.body } : { method, url };
  });
  return [first, ...later];
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
  const mistakes = schemaMistakes({ ...document, value }, schema);
  const given = new Set(mistakes.map(({ path }) => path));
  // The fields that others make necessary are asked for even where another field is wrong.
  for (const { field, reason } of missingFields(value))
    if (!given.has(field)) mistakes.push(mistakeAt(document, [field], `it ${reason}.`));
  if (mistakes.length > 0) throw new ConfigurationError(inDocumentOrder(mistakes));
  return schema.parse(value);
}

/** One contact center, asked for single operations. */
export type Session = Awaited<ReturnType<typeof openSession>>;

/** @throws ConfigurationError when the installation is wrong; a missing variable of the environment at the first call */
export async function openSession(options: {
  /** Path of the installation file. */
  readonly installation: string;
  /** Environment for `${NAME}` in the installation's headers. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Aborted to stop at once. */
  readonly signal: AbortSignal;
}) {
  const installation = await loadInstallation(options.installation);
  let center: ContactCenter | undefined;
  return {
    installation,
    /** Connects when it is called for the first time. */
    ask: withRetries({
      center: () => (center ??= createContactCenter(installation, { env: options.env })),
      signal: options.signal,
    }),
    close: async () => center?.close(),
  };
}

/** Asks the contact center for one operation. */
export type Ask = <N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  extras?: RequestExtras,
) => Promise<OperationOutput<N>>;

/** How often a request is sent in all. */
const TRIES = 4;
/** A person waits: no new try is begun after so long, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Asks patiently: what surely had no effect is sent again a few times. What may have had one never is.
 * @throws ContactCenterError whose message says what is known of the outcome.
 */
export function withRetries({
  center,
  clock = systemClock,
  random = Math.random,
  signal,
}: {
  readonly center: () => Methods;
  /** @default the system's */
  readonly clock?: Clock;
  /** In [0, 1). @default Math.random */
  readonly random?: () => number;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
}): Ask {
  return async (name, input, extras) => {
    const began = clock.now();
    for (let tries = 1; ; tries++) {
      try {
        const method = center()[name];
        return await method(input, { signal, extras });
      } catch (error) {
        if (signal.aborted || !mayRepeat(name, error) || tries >= TRIES)
          throw explainOutcome(error, name);
        const asked = error instanceof TryLaterError ? error.retryAfterMs : undefined;
        const delay = retryDelay(tries, asked, random());
        if (clock.now() + delay > began + PATIENCE_MS) throw explainOutcome(error, name);
        await clock.sleep(delay, signal);
      }
    }
  };
}

/** Whether the request surely had no effect, and another one may fare better. */
function mayRepeat(name: OperationName, error: unknown): boolean {
  if (error instanceof NotPermittedError) return false;
  if (error instanceof NotSentError || error instanceof TryLaterError) return true;
  return error instanceof OutcomeUnknownError && isReadOnly(name);
}

/** An error of the contact center in words that say what is known of the outcome; any other error as it is. */
function explainOutcome(error: unknown, name: OperationName): unknown {
  const options = { cause: error };
  if (error instanceof NotPermittedError) return error;
  if (error instanceof NotSentError)
    return new NotSentError(`${error.message}. Nothing was done.`, name, error.status, options);
  if (error instanceof TryLaterError) {
    const message = `${error.message}. Nothing was done; try again later.`;
    return new TryLaterError(message, name, error.status ?? 0, error.retryAfterMs);
  }
  if (error instanceof OutcomeUnknownError) {
    const outcome = isReadOnly(name) ? 'Nothing was changed.' : NOT_KNOWN;
    return new OutcomeUnknownError(`${error.message}. ${outcome}`, name, error.status, options);
  }
  if (error instanceof RefusedError && isOpen(error, name)) {
    const { errorMessage, status } = error;
    const message = `${errorMessage}\nThe contact center failed at it (HTTP ${status ?? '?'}). ${NOT_KNOWN}`;
    return new OutcomeUnknownError(message, name, status, options);
  }
  // Whoever asks once has been refused, by whatever status.
  if (error instanceof RefusedError && (error instanceof NotAuthorizedError || isBare(error)))
    return new RefusedError(refusal(error), name, error.status ?? 0, options);
  return error;
}

const NOT_KNOWN = 'Whether it took effect is not known: look before you do it again.';

/** Where the contact center gave no reason, the client puts the status in its place. */
const isBare = ({ errorMessage }: RefusedError): boolean => errorMessage.startsWith('HTTP ');

function refusal(error: RefusedError): string {
  if (!isBare(error)) return error.errorMessage;
  const hint = error instanceof NotAuthorizedError ? " Check the installation's headers." : '';
  return `The contact center refused without a reason (HTTP ${error.status ?? '?'}).${hint}`;
}

/** A server error is no proof that nothing was done, unless it is one that the interface names (7). */
function isOpen({ status, errorMessage }: RefusedError, name: OperationName): boolean {
  return (
    isServerError(status) && !isReadOnly(name) && !NAMED.some((named) => named.test(errorMessage))
  );
}

/** The messages of the interface; `<…>` in them stands for a value. */
const NAMED = Object.values<Operation>(operations)
  .flatMap(({ messages = [] }) => messages)
  .map((message) => {
    const parts = message.split(/<\w+>/).map((part) => part.replace(/[[\]().]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 's');
  });

/** Whether an operation changes nothing. One of those that read is a POST (4.8). */
function isReadOnly(name: OperationName): boolean {
  return operations[name].method === 'GET' || name === 'readClient';
}

/** The campaigns, at most `limit`, from all pages of the list (interface.md 4.19). */
export function listCampaigns(ask: Ask, limit?: number): Promise<ListedCampaign[]> {
  return allCampaigns({ listCampaigns: (input) => ask('listCampaigns', input) }, limit);
}

export type ListedCampaign = OperationOutput<'listCampaigns'>[number];
type Center = Pick<ContactCenter, 'listCampaigns' | 'createCampaign' | 'startCampaign'>;

/** The campaigns of a contact center, at most `limit`, asked for page by page (interface.md 4.19). */
export async function allCampaigns(
  center: Pick<Center, 'listCampaigns'>,
  limit = Infinity,
): Promise<ListedCampaign[]> {
  const campaigns = new Map<number, ListedCampaign>();
  let offset = 0;
  while (campaigns.size < limit) {
    const wanted = Math.min(CAMPAIGN_PAGE, limit - campaigns.size);
    const page = await center.listCampaigns({ query: { limit: wanted, offset } });
    const known = campaigns.size;
    // What is created or deleted meanwhile moves the pages: a campaign may come twice.
    for (const campaign of page) campaigns.set(campaign.id, campaign);
    // A page without anything new would come for ever.
    if (page.length < wanted || campaigns.size === known) break;
    offset += page.length;
  }
  return [...campaigns.values()].slice(0, limit);
}

/**
 * The id of the one campaign that has this name.
 * @throws NoCampaignError when no campaign, or more than one, has it
 */
export function idNamed(campaigns: readonly ListedCampaign[], name: string): number {
  const ids = campaigns.filter((campaign) => campaign.name === name).map(({ id }) => id);
  const [id] = ids;
  if (id === undefined) {
    const names = [...new Set(campaigns.map((campaign) => campaign.name))];
    const hint = suggestion(name, names) ?? 'It has no campaigns at all.';
    throw new NoCampaignError(
      `The contact center has no campaign named "${name}"; give its id or another name. ${hint}`,
    );
  }
  if (ids.length === 1) return id;
  throw new NoCampaignError(
    `${ids.length} campaigns are named "${name}" (ids ${ids.join(', ')}); give the id.`,
  );
}

/**
 * Creates and starts a campaign in which operators call (interface.md 4.13, 4.15). The creation does not return its id,
 * so the newest campaign of that name is taken.
 */
export async function startNewCampaign(center: Center, name: string): Promise<ListedCampaign> {
  await center.createCampaign({
    body: {
      name,
      typeProcessing: 'OPERATOR',
      callingMode: 'PROGRESSIVE_NEW',
      callingSearchSpaceId: 1,
      callStatusRuleProcessorId: 1,
    },
  });
  const newest = newestNamed(await allCampaigns(center), name);
  if (!newest) throw new Error('the created campaign is not in the list of campaigns');
  await center.startCampaign({ params: { campaignId: newest.id } });
  return newest;
}

/** The campaign of that name; when several have it, the one with the largest id. */
export function newestNamed(
  campaigns: readonly ListedCampaign[],
  name: string,
): ListedCampaign | undefined {
  const named = campaigns.filter((campaign) => campaign.name === name);
  return named.toSorted((one, other) => other.id - one.id)[0];
}
