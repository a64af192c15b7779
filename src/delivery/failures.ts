import { UNCHANGED_SINCE } from '../core/duplicates.js';
import { failuresIn, type Outcome, noOutcomes } from '../core/outcome.js';
import type { RunLedger } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import type { Batch } from './batch.js';
import { CanaryStop, TooManyStop } from '../core/errors.js';
import { whole } from '../core/text.js';

/** A part of a batch that belongs to the canary as a whole, or not at all. */
export interface CanaryPart {
  readonly batch: Batch;
  readonly isCanary: boolean;
}

/** The canary of a run of which this process sends a part, since others have sent the rest or will. */
export interface CanaryShare {
  /** Clients of the canary as a whole. */
  readonly clients: number;
  /** How many of those failed that others have sent. */
  readonly failed: number;
  /** How many of all may fail. @default none */
  readonly limit: FailureLimit | undefined;
  /** Called once all of it has passed, before anybody else is sent. */
  readonly passed: () => Promise<void>;
}

/** The first clients of a run, which are sent before all others. */
export interface Canary {
  /** The batch, cut where the canary ends. */
  parts(batch: Batch): Iterable<CanaryPart>;
  /** True once: when the last of the canary has been handed out. */
  isSent(): boolean;
  /** Called with how clients of the canary ended. */
  onOutcome(outcome: Outcome, count: number): void;
  /** Resolves when every client of the canary has ended, or when `over` does; with whether they have. */
  ended(over: Promise<void>): Promise<boolean>;
  /** @throws CanaryStop when more of the canary failed than is allowed, by default any. */
  refuseSick(limit?: FailureLimit): void;
}

export const canaryStop = (): CanaryStop =>
  new CanaryStop(
    'Too many of the first rows failed, so the others were not sent. Look at the report; the same command sends the others.',
  );

const NONE: FailureLimit = { count: 0 };

const NOT_SENT: ReadonlySet<Outcome> = new Set(['rejected', 'skipped', 'unknown']);

/**
 * How the first clients ended that an earlier part of a run has sent, as many as the canary has. Those of which it never
 * learned are asked for, and count as they end then; for those that are as an earlier run sent them, nothing is sent.
 */
export function sentBefore(
  rows: Iterable<Pick<RowReport, 'outcome' | 'problems'>>,
  clients: number,
): Outcome[] {
  const sent: Outcome[] = [];
  if (clients === 0) return sent;
  for (const { outcome, problems } of rows) {
    const isAsBefore = problems.some(({ code }) => code === UNCHANGED_SINCE);
    if (!NOT_SENT.has(outcome) && !isAsBefore) sent.push(outcome);
    if (sent.length === clients) break;
  }
  return sent;
}

/** What an earlier part of a run has sent of its canary. */
export interface EarlierCanary {
  /** How those clients ended. */
  readonly outcomes: readonly Outcome[];
  /** Whether all of it was sent, and nobody was told whether it has passed. */
  readonly isUndecided: boolean;
}

const NOTHING_BEFORE: EarlierCanary = { outcomes: [], isUndecided: false };

/** The canary of as many clients, as far as an earlier part of the run has sent it. */
export async function canaryBefore(
  ledger: Pick<RunLedger, 'continued' | 'brokeOff' | 'rows'>,
  clients: number,
): Promise<EarlierCanary> {
  if (!ledger.continued || clients === 0) return NOTHING_BEFORE;
  // Where others were sent after it, it was decided on.
  const sent = sentBefore(await ledger.rows(), clients + 1);
  return {
    outcomes: sent.slice(0, clients),
    isUndecided: ledger.brokeOff === true && sent.length === clients,
  };
}

/**
 * `clients`: how many go first; 0: none. `before`: those that an earlier part of the run has sent; where that sent them
 * all and decided on them, nobody is held up, but where others wait for this process (`share`). Only what the contact
 * center made of them counts.
 */
export function createCanary(
  clients: number,
  before: EarlierCanary = NOTHING_BEFORE,
  share?: CanaryShare,
): Canary {
  const outcomes = noOutcomes();
  for (const outcome of before.outcomes) outcomes[outcome]++;
  let left = Math.max(0, clients - before.outcomes.length);
  let open = left;
  // A process that died may have sent all of it, and said nothing.
  let due = before.isUndecided || (share !== undefined && clients > 0 && left === 0);
  let allEnded = (): void => undefined;
  const ending = new Promise<void>((resolve) => {
    allEnded = resolve;
  });
  return {
    *parts(batch) {
      const head = batch.members.slice(0, left);
      const rest = batch.members.slice(head.length);
      if (head.length > 0) {
        left -= head.length;
        due = left === 0;
        yield { batch: { ...batch, members: head }, isCanary: true };
      }
      if (rest.length > 0) yield { batch: { ...batch, members: rest }, isCanary: false };
    },
    isSent: () => {
      const sent = due;
      due = false;
      return sent;
    },
    onOutcome: (outcome, count) => {
      outcomes[outcome] += count;
      open -= count;
      if (open <= 0) allEnded();
    },
    ended: (over) => Promise.race([ending.then(() => true), over.then(() => false)]),
    refuseSick: (limit = NONE) => {
      const failed = failuresIn(outcomes) + (share?.failed ?? 0);
      if (!exceeds(failed, limit, share?.clients ?? clients)) return;
      throw canaryStop();
    },
  };
}

/** How many rows may end badly before a run stops: a number, or a percentage of all rows of the input. */
export type FailureLimit = { readonly count: number } | { readonly percent: number };

/** How many rows an input has. */
export interface RowTotal {
  readonly rows: number;
  /** Whether they were counted to the end; else their number is estimated. */
  readonly exact: boolean;
}

/** Rows of an input that have been read, and the share of its bytes that they take, 0 to 1. */
export interface ReadSoFar {
  readonly rows: number;
  readonly share: number;
}

/**
 * How many rows the input has: what was counted before, else estimated from whichever has read further, the count or
 * the run. Never fewer than were read.
 */
export function totalOf(read: ReadSoFar, counted?: ReadSoFar): RowTotal {
  if (counted?.share === 1) return { rows: counted.rows, exact: true };
  const { rows, share } = counted && counted.rows > read.rows ? counted : read;
  const estimate = share > 0 ? Math.round(rows / share) : rows;
  return { rows: Math.max(rows, estimate), exact: share >= 1 };
}

/**
 * Whether so many bad rows are more than the limit, however the other rows of the input end. A percentage is one of all
 * rows: bad rows at the beginning of the file count no more than those at its end.
 */
export function exceeds(bad: number, limit: FailureLimit, total: number): boolean {
  return 'count' in limit ? bad > limit.count : bad * 100 > limit.percent * total;
}

/** How many of so many rows may end badly: one more exceeds the limit. */
export function allowedOf(limit: FailureLimit, total: number): number {
  if ('count' in limit) return limit.count;
  let allowed = Math.floor((limit.percent * total) / 100);
  // What `exceeds` says counts, whichever way the division was rounded.
  while (exceeds(allowed, limit, total)) allowed--;
  while (!exceeds(allowed + 1, limit, total)) allowed++;
  return allowed;
}

export function tooManyFailures(bad: number, limit: FailureLimit, total: RowTotal): TooManyStop {
  return new TooManyStop(
    `${whole(bad)} of ${totalText(total)} rows did not end well, more than the ${limitText(limit)} that are allowed. Look at the report; the same command with a higher limit continues the run.`,
  );
}

/** The limit as the person wrote it. */
export function limitText(limit: FailureLimit): string {
  return 'count' in limit ? whole(limit.count) : `${limit.percent} %`;
}

export function totalText({ rows, exact }: RowTotal): string {
  return exact ? whole(rows) : `about ${whole(rows)}`;
}

/** How much two row counts may differ before somebody should look. */
const USUAL_DIFFERENCE = 0.5;

/** Whether a file has so many more or fewer rows than the last one that something may be wrong with it. */
export function isUnusual(rows: number, lastRows: number): boolean {
  return Math.abs(rows - lastRows) > lastRows * USUAL_DIFFERENCE;
}
