import { loadInstallation } from '../installation/installation.js';
import { newCampaign } from '../contract/operations.js';
import {
  type CampaignCreation,
  createCampaign,
  withRetries,
  listCampaigns as listedBy,
  type ListedCampaign,
  allCampaigns,
  newestNamed,
  startNewCampaign,
  idNamed,
} from '../operations/operation.js';
import { connect, type Connection, patienceOf, paceLimits, sharedPermits } from './connect.js';
import type { RunOptions, CampaignChoice, ImportRequest } from './requests.js';
import { createContactCenter, type ContactCenter } from '../client/contact-center.js';
import { defined } from '../core/text.js';
import type { Installation } from '../installation/installation.js';
import { type LoadedMapping, loadMapping } from '../mapping/mapping.js';
import { lookupTable } from '../prepare/lookup-table.js';
import {
  ContactCenterError,
  NoCampaignError,
  NotAuthorizedError,
  RefusedError,
  TryLaterError,
  isServerError,
  meaningOf,
} from '../core/errors.js';
import { type CampaignSettings, Sender } from '../delivery/import.js';
import { systemClock, permittedTime } from '../core/time.js';
import { compareWindow } from '../calling/hours.js';
import type { MappingFacts } from '../prepare/plan.js';

/**
 * The campaigns of a contact center (interface.md 4.19), in the order of their names.
 * @throws ConfigurationError when the installation cannot be used, StopRun when the contact center is given up,
 * ContactCenterError for an answer that is an end
 */
export async function listCampaigns(request: RunOptions): Promise<ListedCampaign[]> {
  const installation = await loadInstallation(request.installation);
  const connection = connect(request, installation);
  try {
    const found = await listPatiently(campaignQuestion(request, installation, connection), true);
    return found.sort((one, other) => one.name.localeCompare(other.name));
  } finally {
    await connection.center.close();
  }
}

interface WantedCampaign {
  readonly name: string;
  /** Id of the campaign whose settings it takes; `null`: those below. */
  readonly like: number | null;
  readonly callingMode: 'PROGRESSIVE_NEW' | 'PREDICTIVE_NEW' | 'PREVIOUS_PREVIEW_NEW';
  readonly callingSearchSpaceId: number;
  readonly callStatusRuleProcessorId: number;
  readonly start: boolean;
}

/**
 * Makes a campaign (interface.md 4.13), and finds out its id. @throws ConfigurationError, ContactCenterError when it was
 * not made, or that is not known
 */
export async function makeCampaign(
  request: RunOptions,
  { like, start, ...fields }: WantedCampaign,
): Promise<CampaignCreation> {
  const installation = await loadInstallation(request.installation);
  const { baseUrl, env } = request;
  const center = createContactCenter(installation, { baseUrl, env });
  const signal = request.signal ?? new AbortController().signal;
  const ports = { center: () => center, clock: systemClock, random: Math.random, signal };
  const ask = withRetries(ports);
  try {
    const same = like === null ? undefined : (await listedBy(ask)).find(({ id }) => id === like);
    if (like !== null && !same)
      throw new NoCampaignError(`The contact center has no campaign ${like} any more.`);
    const own = { ...fields, typeProcessing: 'OPERATOR' as const };
    const campaign = newCampaign.parse(same ? { ...settingsOf(same), name: fields.name } : own);
    return await createCampaign(ask, { campaign, start });
  } finally {
    await center.close();
  }
}

/** What one campaign has in common with another: neither when it begins and ends, nor who it is. */
function settingsOf(campaign: ListedCampaign): object {
  const { weekDays } = campaign;
  const others = Object.entries(campaign).filter(
    ([name, value]) => value !== null && !OWN_FIELDS.has(name),
  );
  const days = weekDays && weekDays.length > 0 ? { weekDays: weekDays.join(',') } : {};
  return { ...Object.fromEntries(others), ...days };
}

const OWN_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'name', 'ccProjectId', 'smsMessage', 'description', 'weekDays'],
  ...['automaticStart', 'startDate', 'endDate'],
]);

/**
 * Sees to it that the campaign of an import exists, for a contact center that begins empty, such as a sandbox. A
 * missing one is created and started, and the person is told. An id cannot be chosen, so campaign 42 becomes one of
 * the name "Campaign 42", which is found again the next time.
 *
 * @returns the campaign by the id that it has; `undefined` when the import names none
 */
export async function ensureCampaign(
  request: ImportRequest,
  installation: Installation,
): Promise<CampaignChoice | undefined> {
  const { mapping, mode, campaign: asked = {}, baseUrl, env } = request;
  const { campaign: mapped } = await loadMapping(mapping, { readTable: lookupTable, mode });
  // What the request says wins over what the mapping says; an id and a name displace each other.
  const isChosen = asked.id !== undefined || asked.name !== undefined;
  const {
    id: wanted,
    name: named,
    ...rest
  }: CampaignChoice = defined({
    ...mapped,
    ...(isChosen ? { id: undefined, name: undefined } : {}),
    ...asked,
  });
  if (wanted === undefined && named === undefined) return undefined;
  const center = createContactCenter(installation, { baseUrl, env });
  try {
    const known = await allCampaigns(center);
    const byId = known.find((campaign) => campaign.id === wanted);
    if (byId) return { ...rest, id: byId.id };
    const name = named ?? `Campaign ${wanted ?? ''}`;
    const found = newestNamed(known, name);
    const { id } = found ?? (await startNewCampaign(center, name));
    const missing = wanted === undefined ? '' : `There is no campaign ${wanted} here. `;
    const made = found ? 'is used' : 'was created, started, and is used';
    if (!found || missing !== '')
      request.onWarning?.(`${missing}Campaign ${id} "${name}" ${made}.`);
    return { ...rest, id };
  } finally {
    await center.close();
  }
}

/** The campaign of the clients of files; `null`: they have none. Says where it calls outside the hours of the mapping. */
export function campaignOfFiles(
  request: RunOptions & Pick<ImportRequest, 'campaign'>,
  { sections, campaign }: Pick<MappingFacts, 'sections' | 'campaign'>,
  installation: Installation,
  connection: Connection,
  warn: (message: string) => void = (message) => request.onWarning?.(message),
): Promise<CampaignSettings | null> {
  const question = campaignQuestion(request, installation, connection);
  return resolveCampaign(question, request.campaign, campaign, (listed) => {
    const callable = 'callable' in sections ? sections.callable : undefined;
    if (!callable) return;
    for (const message of compareWindow(`Campaign ${listed.id}`, listed, callable.hours))
      warn(message);
  });
}

/** Calls to a client when nobody says how many: the fewest that the interface allows. */
const DEFAULT_MAX_CALL_COUNT = 1;

/**
 * The campaign that clients are added to: what the caller chose, else the mapping's, else none. A name is looked for
 * in all pages of the list (interface.md 4.19).
 * @param onListed called with the campaign as the contact center lists it, where it does
 * @throws UsageError when no campaign, or more than one, has the name.
 * @throws StopRun when the contact center cannot be asked, or the person does not want to wait.
 */
export async function resolveCampaign(
  question: CampaignQuestion,
  choice: CampaignChoice | undefined,
  mapping: LoadedMapping['campaign'],
  onListed: (campaign: ListedCampaign) => void = () => undefined,
): Promise<CampaignSettings | null> {
  const target = choice?.id !== undefined || choice?.name !== undefined ? choice : mapping;
  if (!target) return null;
  const { id, name } = await findCampaign(question, target, onListed);
  return {
    id,
    name,
    maxCallCount: choice?.maxCallCount ?? mapping?.maxCallCount ?? DEFAULT_MAX_CALL_COUNT,
    disableDuplicatePhonesValidation:
      choice?.disableDuplicatePhonesValidation ?? mapping?.disableDuplicatePhonesValidation,
  };
}

/**
 * Looks for the campaign before the first client is sent. A contact center that answers, but not with its campaigns, is
 * no reason to stop where the id is known: it answers for each client. A list without the campaign is asked for once
 * more: a contact center in trouble may answer with an empty one, and nobody is there at night to try again.
 */
async function findCampaign(
  question: CampaignQuestion,
  { id, name = '' }: { readonly id?: number | undefined; readonly name?: string | undefined },
  onListed: (campaign: ListedCampaign) => void,
): Promise<Pick<CampaignSettings, 'id' | 'name'>> {
  const insist = id === undefined;
  let campaigns: ListedCampaign[];
  try {
    campaigns = await listPatiently(question, insist);
    if (!campaigns.some((campaign) => (insist ? campaign.name === name : campaign.id === id)))
      campaigns = await listPatiently(question, insist);
  } catch (error) {
    if (id === undefined || !(error instanceof ContactCenterError)) throw error;
    question.onWarning(`Campaign ${id} could not be looked for: ${error.message}.`);
    return { id, name: undefined };
  }
  const wanted = id ?? idNamed(campaigns, name);
  const found = campaigns.find((campaign) => campaign.id === wanted);
  if (!found)
    throw new NoCampaignError(
      `The contact center has no campaign ${wanted}; check --campaign or the mapping.`,
    );
  onListed(found);
  return found;
}

/**
 * Asks for one campaign (interface.md 4.19) before the first client is sent, unless a request was made already: a wrong
 * address is reported before anything can get lost there. Whatever a contact center itself answers, also that this account
 * may not list campaigns, is no reason to stop.
 * @throws StopRun when something else than a contact center answers, nobody does, or the person stops
 */
export async function probe(
  request: RunOptions,
  installation: Installation,
  connection: Connection,
): Promise<void> {
  if (connection.met.known !== 'not asked') return;
  try {
    await listPatiently(campaignQuestion(request, installation, connection), false, 1);
  } catch (error) {
    // What is wrong with listing campaigns may not be wrong with clients: the run itself will see.
    if (!(error instanceof ContactCenterError)) throw error;
  }
}

type Center = Pick<ContactCenter, 'listCampaigns'>;

/** How the campaigns are asked for before a run begins. */
export type CampaignQuestion = ReturnType<typeof campaignQuestion>;

function campaignQuestion(request: RunOptions, installation: Installation, connection: Connection) {
  const { met } = connection;
  const center: Center = connection.center;
  return {
    center,
    /** Told when a request begins, and whether its answer was in the interface's own form. */
    onMet: (isOwn: boolean): void => {
      if (met.known !== 'surely') met.known = isOwn ? 'surely' : 'perhaps';
    },
    /** Whether an earlier answer was in the interface's own form. */
    isKnown: (): boolean => met.known === 'surely',
    /** Where the contact center is, for the person. */
    address: request.baseUrl ?? installation.baseUrl,
    clock: systemClock,
    random: Math.random,
    patience: patienceOf(request),
    pace: paceLimits(request, installation),
    permits: sharedPermits(request, installation, connection.shared),
    timeoutMs: installation.transport.timeoutMs,
    /** Aborted to stop asking at once. */
    signal: request.signal ?? new AbortController().signal,
    onWarning: (message: string): void => request.onWarning?.(message),
  };
}

/** After so long without an answer the person learns what is being waited for, in milliseconds. */
const NOTICE_MS = 1_000;

/**
 * The campaigns of the contact center (interface.md 4.19), asked for with the retries and the patience of a run.
 * `insist`: an answer that is not the list is asked for again too; else it is an end. `limit`: how many at most.
 * @throws StopRun when the contact center is given up, or the person stops.
 * @throws ContactCenterError for an answer that is an end.
 */
async function listPatiently(
  question: CampaignQuestion,
  insist: boolean,
  limit = Infinity,
): Promise<ListedCampaign[]> {
  const { clock, onWarning, address } = question;
  let isAnnounced = false;
  const announce = (message: string): void => {
    isAnnounced = true;
    onWarning(message);
  };
  const over = new AbortController();
  void clock.sleep(NOTICE_MS, over.signal).then(
    () => {
      if (!isAnnounced) announce(`Waiting for ${address}: it is asked for its campaigns.`);
    },
    // The list came before: nothing needs to be reported.
    () => undefined,
  );
  try {
    return await allCampaigns(patient(question, insist, announce), limit);
  } finally {
    over.abort();
  }
}

function patient(
  { center, timeoutMs, onMet, ...ports }: CampaignQuestion,
  insist: boolean,
  announce: (message: string) => void,
): Center {
  const { clock, patience, signal } = ports;
  const sender = new Sender({
    ...ports,
    hours: ports.pace.hours,
    endsOutside: ports.pace.endsOutside,
    onPause: announce,
    onTrouble: (message) => announce(`The campaigns are asked for: ${message}`),
  });
  const began = clock.now();
  let answered = false;
  // Only a run's own requests must not be cut short: they may have taken effect.
  const timeLeft = (): number => {
    if (answered) return timeoutMs;
    const tried = permittedTime(ports.pace.hours, began, clock.now());
    return Math.max(1, Math.min(timeoutMs, patience.atStart - tried));
  };
  return {
    listCampaigns: async (input) => {
      const answer = await sender.send({
        kind: 'campaigns',
        clients: 0,
        request: () => {
          onMet(false);
          const asked = center.listCampaigns(input, { signal, timeoutMs: timeLeft() });
          return insist ? asked : asked.catch(whatItAnswered);
        },
      });
      if (!(answer instanceof ContactCenterError)) {
        onMet(true);
        answered = true;
        return answer;
      }
      // A refusal for lack of rights may come from a proxy as well.
      const isRefusal = answer instanceof RefusedError && !(answer instanceof NotAuthorizedError);
      onMet(isRefusal && !isServerError(answer.status));
      throw answer;
    },
  };
}

/**
 * An answer of any kind, except those after which everybody asks again or nobody need. An account that may not list
 * campaigns may create clients all the same.
 */
function whatItAnswered(error: unknown): ContactCenterError {
  if (
    error instanceof ContactCenterError &&
    error.status !== undefined &&
    meaningOf(error.status) !== 'unauthenticated' &&
    error.seen === undefined &&
    !(error instanceof TryLaterError)
  )
    return error;
  throw error;
}
