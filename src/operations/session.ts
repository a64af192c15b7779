import { createContactCenter, type ContactCenter, type Methods } from '../client/contact-center.js';
import { loadInstallation } from '../installation/load.js';
import { systemClock, type Clock, retryDelay } from '../core/time.js';
import type { RequestExtras } from '../client/request.js';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
  CAMPAIGN_PAGE,
} from '../contract/operations.js';
import {
  NotPermittedError,
  NotSentError,
  OutcomeUnknownError,
  TryLaterError,
  NotAuthorizedError,
  RefusedError,
  isServerError,
  NoCampaignError,
} from '../core/errors.js';
import type { Operation } from '../contract/shapes.js';
import type { CampaignGiven } from './arguments.js';
import { suggestion } from '../config/nearest.js';

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
  if (error instanceof OutcomeUnknownError)
    return new OutcomeUnknownError(unknownOutcome(error, name), name, error.status, options);
  if (error instanceof RefusedError && isOpen(error, name))
    return new OutcomeUnknownError(maybeDone(error), name, error.status, options);
  // Whoever asks once has been refused, by whatever status.
  if (error instanceof RefusedError && (error instanceof NotAuthorizedError || isBare(error)))
    return new RefusedError(refusal(error), name, error.status ?? 0, options);
  return error;
}

function unknownOutcome({ message }: OutcomeUnknownError, name: OperationName): string {
  return isReadOnly(name)
    ? `${message}. Nothing was changed.`
    : `${message}. Whether it took effect is not known: look before you do it again.`;
}

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

const maybeDone = ({ errorMessage, status }: RefusedError): string =>
  `${errorMessage}\nThe contact center failed at it (HTTP ${status ?? '?'}). Whether it took effect is not known: look before you do it again.`;

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

/**
 * The id of a campaign; a name is looked for in the whole list.
 * @throws UsageError when no campaign, or more than one, has the name.
 */
export async function findCampaign(ask: Ask, campaign: CampaignGiven): Promise<number> {
  return 'id' in campaign ? campaign.id : idNamed(await listCampaigns(ask), campaign.name);
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
  if (id === undefined) throw new NoCampaignError(noneNamed(name, campaigns));
  if (ids.length === 1) return id;
  throw new NoCampaignError(
    `${ids.length} campaigns are named "${name}" (ids ${ids.join(', ')}); give the id.`,
  );
}

function noneNamed(name: string, campaigns: readonly ListedCampaign[]): string {
  const names = [...new Set(campaigns.map((campaign) => campaign.name))];
  const hint = suggestion(name, names) ?? 'It has no campaigns at all.';
  return `The contact center has no campaign named "${name}"; give its id or another name. ${hint}`;
}

/**
 * Creates and starts a campaign in which operators call (interface.md 4.13, 4.15). The creation does not return its id,
 * so the newest campaign of that name is taken.
 */
export async function startNewCampaign(center: Center, name: string): Promise<ListedCampaign> {
  await center.createCampaign({ body: newCampaign(name) });
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

const newCampaign = (name: string): OperationInput<'createCampaign'>['body'] => ({
  name,
  typeProcessing: 'OPERATOR',
  callingMode: 'PROGRESSIVE_NEW',
  callingSearchSpaceId: 1,
  callStatusRuleProcessorId: 1,
});
