import { type Amounts, type Beat, RESOURCES } from '../../ledger/pace.js';

/** As many as there may be. */
const ALL = 1e9;
const SECOND_MS = 1000;
/** Whoever had requests waiting for this share of the time has use for more permits. */
const HUNGRY = 0.3;
/** Else, so many times as many as were used are enough. */
const ENOUGH = 1.25;
/** What was needed in so many reports counts: permits that change hands lie idle for a moment. */
const REMEMBERED = 4;

type Reported = Pick<Beat, 'want' | 'need' | 'answers' | 'refused' | 'retryAfterMs'>;

/** What a report said: permits used, by the second, and whether there were too few. */
interface Used {
  readonly isHungry: boolean;
  readonly requests: number;
  readonly clients: number;
  readonly places: number;
}

/** How many permits a process has use for. */
export interface Demand {
  /** A request with so many clients wants to leave. */
  asked(clients: number): void;
  /** Whether requests wait, from now on. */
  waits(does: boolean, now: number): void;
  used(clients: number, inFlight: number): void;
  answered(refused: boolean, retryAfterMs: number): void;
  /** Since the last report. `clients`: of the request that waits, where one does. */
  report(clients: number | undefined, now: number): Reported;
  /** The report did not arrive: what it counted goes into the next. */
  unreported(): void;
}

const NOTHING = { requests: 0, clients: 0, places: 0, answers: 0, refused: 0, retryAfterMs: 0 };

export function createDemand(): Demand {
  let counts = { ...NOTHING };
  let reported = { ...NOTHING };
  let from = -Infinity;
  let largest = 1;
  let remembered: Used[] = [];
  const waiting = createStopwatch();

  const usedUntil = (now: number): Used => {
    const ms = Math.max(1, now - from);
    const { requests, clients, places } = counts;
    return {
      isHungry: from === -Infinity || waiting.take(now) > ms * HUNGRY,
      requests: (requests * SECOND_MS) / ms,
      clients: (clients * SECOND_MS) / ms,
      places,
    };
  };

  return {
    asked: (clients) => {
      largest = Math.max(largest, clients);
    },
    waits: waiting.set,
    used: (clients, inFlight) => {
      counts.requests++;
      counts.clients += clients;
      counts.places = Math.max(counts.places, inFlight);
    },
    answered: (refused, retryAfterMs) => {
      counts.answers++;
      if (refused) counts.refused++;
      counts.retryAfterMs = Math.max(counts.retryAfterMs, retryAfterMs);
    },
    report: (clients, now) => {
      remembered = [...remembered, usedUntil(now)].slice(-REMEMBERED);
      const need = { requests: 1, clients: Math.max(1, clients ?? 0), places: 1 };
      const { answers, refused, retryAfterMs } = counts;
      reported = counts;
      counts = { ...NOTHING };
      from = now;
      return {
        want: wantOf(remembered, { ...need, clients: largest }, clients !== undefined),
        ...{ need, answers, refused, retryAfterMs },
      };
    },
    unreported: () => {
      counts = {
        ...counts,
        answers: counts.answers + reported.answers,
        refused: counts.refused + reported.refused,
        retryAfterMs: Math.max(counts.retryAfterMs, reported.retryAfterMs),
      };
    },
  };
}

function wantOf(used: readonly Used[], useful: Required<Amounts>, waits: boolean): Amounts {
  const isHungry = used.some((one) => one.isHungry);
  const want = RESOURCES.map((resource) => {
    const peak = Math.max(...used.map((one) => one[resource]));
    if (isHungry) return [resource, ALL];
    const isIdle = peak === 0 && !waits;
    return [resource, isIdle ? 0 : Math.max(useful[resource], Math.ceil(peak * ENOUGH) + 1)];
  });
  return Object.fromEntries(want) as Amounts;
}

/** Adds up for how long something was so. */
function createStopwatch() {
  let since: number | undefined;
  let sum = 0;
  const set = (is: boolean, now: number): void => {
    if (since !== undefined) sum += now - since;
    since = is ? now : undefined;
  };
  return {
    set,
    /** The time since it was last taken. */
    take: (now: number): number => {
      set(since !== undefined, now);
      const taken = sum;
      sum = 0;
      return taken;
    },
  };
}
