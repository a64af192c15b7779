import type { ContactCenter } from '../client/contact-center.js';
import type { Clock } from '../core/clock.js';
import { ContactCenterError, NotAuthorizedError, TryLaterError } from '../core/errors.js';
import { permittedTime } from '../core/hours.js';
import type { PaceLimits } from '../pipeline/pace.js';
import type { Permits } from '../pipeline/permits.js';
import type { Patience } from '../pipeline/retry-timing.js';
import { createLimiter } from '../pipeline/limiter/limiter.js';
import { createSender } from '../pipeline/sender.js';
import { type ListedCampaign, allCampaigns } from './campaigns.js';
import { patienceOf } from './deliver.js';
import type { ImportSetup } from './import-setup.js';
import { paceLimits } from './pace-limits.js';
import { sharedPermits } from './shared-permits.js';
import { systemClock } from './system-clock.js';

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
}

/** The question of an import. */
export function campaignQuestion(
  { request, installation }: Pick<ImportSetup, 'request' | 'installation'>,
  center: Center,
): CampaignQuestion {
  return {
    center,
    address: request.baseUrl ?? installation.baseUrl,
    clock: systemClock,
    random: Math.random,
    patience: patienceOf(request),
    pace: paceLimits(request, installation),
    permits: sharedPermits(request, installation),
    timeoutMs: installation.transport.timeoutMs,
    signal: request.signal ?? new AbortController().signal,
    onWarning: (message) => request.onWarning?.(message),
  };
}

/** After so long without an answer the person is told what is being waited for, in milliseconds. */
const NOTICE_MS = 1_000;

/**
 * Every campaign of the contact center (interface.md 4.19), asked for with the retries and the patience of a run.
 * `insist`: an answer that is not the list is asked for again too; else it is an end.
 * @throws StopRun when the contact center is given up, or the person stops.
 * @throws ContactCenterError for an answer that is an end.
 */
export async function listPatiently(
  question: CampaignQuestion,
  insist: boolean,
): Promise<ListedCampaign[]> {
  const { clock, onWarning, address } = question;
  let told = false;
  const tell = (message: string): void => {
    told = true;
    onWarning(message);
  };
  const over = new AbortController();
  void clock.sleep(NOTICE_MS, over.signal).then(
    () => {
      if (!told) tell(`Waiting for ${address}: it is asked for its campaigns.`);
    },
    // The list came before: nothing needs to be told.
    () => undefined,
  );
  try {
    return await allCampaigns(patient(question, insist, tell));
  } finally {
    over.abort();
  }
}

/** A contact center that is asked again and again, one request at a time. */
function patient(
  { center, timeoutMs, ...ports }: CampaignQuestion,
  insist: boolean,
  tell: (message: string) => void,
): Center {
  const { clock, patience, signal } = ports;
  const sender = createSender({
    ...ports,
    limiter: createLimiter({ concurrency: 1, batchSize: 1, longestMs: timeoutMs }),
    // Nobody else waits for a place.
    absences: { during: (wait) => wait },
    hours: ports.pace.hours,
    onPause: tell,
    onTrouble: (message) => tell(`The campaigns are asked for: ${message}`),
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
          const asked = center.listCampaigns(input, { signal, timeoutMs: timeLeft() });
          return insist ? asked : asked.catch(whatItAnswered);
        },
      });
      if (answer instanceof ContactCenterError) throw answer;
      answered = true;
      return answer;
    },
  };
}

/** An answer of any kind, except those after which everybody asks again or nobody need. */
function whatItAnswered(error: unknown): ContactCenterError {
  if (
    error instanceof ContactCenterError &&
    error.status !== undefined &&
    !(error instanceof TryLaterError) &&
    !(error instanceof NotAuthorizedError)
  )
    return error;
  throw error;
}
