import type { ContactCenter } from '../../client/contact-center.js';
import { type Clock, type Patience, systemClock } from '../../core/time.js';
import type { Installation } from '../../installation/installation.js';
import {
  ContactCenterError,
  NotAuthorizedError,
  RefusedError,
  TryLaterError,
  isServerError,
  meaningOf,
} from '../../core/errors.js';
import { permittedTime } from '../../core/hours.js';
import type { PaceLimits, Permits } from '../../pipeline/queue.js';
import { createLimiter } from '../../pipeline/limiter.js';
import { createSender } from '../../pipeline/sending.js';
import { type ListedCampaign, allCampaigns } from '../../operations/campaigns.js';
import type { Connection } from '../connect/connect.js';
import { patienceOf } from '../connect/patience.js';
import { paceLimits } from '../connect/pace-limits.js';
import type { RunOptions } from '../requests.js';
import { sharedPermits } from '../connect/shared-permits.js';

type Center = Pick<ContactCenter, 'listCampaigns'>;

/** How the campaigns are asked for before a run begins. */
export interface CampaignQuestion {
  readonly center: Center;
  /** Where the contact center is, for the person. */
  readonly address: string;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly patience: Patience;
  readonly pace: PaceLimits;
  readonly permits: Permits;
  /** Total time for one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted to stop asking at once. */
  readonly signal: AbortSignal;
  readonly onWarning: (message: string) => void;
  /** Told when a request begins, and whether its answer was in the interface's own form. */
  readonly onMet?: ((isOwn: boolean) => void) | undefined;
  /** Whether an earlier answer was in the interface's own form. @default it was not */
  readonly isKnown?: (() => boolean) | undefined;
}

/** Who asks, and how patiently. */
interface Asking {
  readonly request: RunOptions;
  readonly installation: Installation;
}

/** The question of a run. */
export function campaignQuestion(
  { request, installation }: Asking,
  connection: Connection,
): CampaignQuestion {
  return {
    center: connection.center,
    onMet: (isOwn) => {
      if (connection.known !== 'surely') connection.known = isOwn ? 'surely' : 'perhaps';
    },
    isKnown: () => connection.known === 'surely',
    address: request.baseUrl ?? installation.baseUrl,
    clock: systemClock,
    random: Math.random,
    patience: patienceOf(request),
    pace: paceLimits(request, installation),
    permits: sharedPermits(request, installation, connection.shared),
    timeoutMs: installation.transport.timeoutMs,
    signal: request.signal ?? new AbortController().signal,
    onWarning: (message) => request.onWarning?.(message),
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
export async function listPatiently(
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

/** A contact center that is asked again and again, one request at a time. */
function patient(
  { center, timeoutMs, onMet, ...ports }: CampaignQuestion,
  insist: boolean,
  announce: (message: string) => void,
): Center {
  const { clock, patience, signal } = ports;
  const sender = createSender({
    ...ports,
    limiter: createLimiter({ concurrency: 1, batchSize: 1, longestMs: timeoutMs }),
    // Nobody else waits for a place.
    idleWaits: { during: (wait) => wait },
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
          onMet?.(false);
          const asked = center.listCampaigns(input, { signal, timeoutMs: timeLeft() });
          return insist ? asked : asked.catch(whatItAnswered);
        },
      });
      onMet?.(!(answer instanceof ContactCenterError) || isOwnRefusal(answer));
      if (answer instanceof ContactCenterError) throw answer;
      answered = true;
      return answer;
    },
  };
}

/** A refusal for lack of rights may come from a proxy as well. */
function isOwnRefusal(error: ContactCenterError): boolean {
  const isRefusal = error instanceof RefusedError && !(error instanceof NotAuthorizedError);
  return isRefusal && !isServerError(error.status);
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
