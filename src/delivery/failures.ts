import { UNCHANGED_SINCE } from '../core/duplicates.js';
import { CanaryStop, TooManyStop } from '../core/errors.js';
import type { RunLedger } from '../core/ledger.js';
import { failuresIn, noOutcomes, type Outcome } from '../core/outcome.js';
import type { RowReport } from '../core/report.js';
import { whole } from '../core/text.js';
import { type Deferred, createDeferred } from './sender.js';
import type { Batch } from './batch.js';

/** How many rows may end badly before a run stops: a number, or a percentage of all rows of the input. */
export type FailureLimit = { readonly count: number } | { readonly percent: number };

/** How many rows an input has. `exact`: they were counted to the end; else their number is estimated. */
export interface RowTotal {
  readonly rows: number;
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
export const limitText = (limit: FailureLimit): string =>
  'count' in limit ? whole(limit.count) : `${limit.percent} %`;

export const totalText = ({ rows, exact }: RowTotal): string =>
  exact ? whole(rows) : `about ${whole(rows)}`;

export const canaryStop = (): CanaryStop =>
  new CanaryStop(
    'Too many of the first rows failed, so the others were not sent. Look at the report; the same command sends the others.',
  );

/**
 * The canary of a run of which this process sends a part, since others have sent the rest or will. Called with how many
 * clients of the part failed once all of it has ended, before anybody else is sent; resolves with whether it has passed.
 */
export type CanaryShare = (failed: number) => Promise<boolean>;

/**
 * The canary of as many clients, as far as an earlier part of the run has sent it: how those ended. `isUndecided`: all of
 * it was sent, and nobody was told whether it has passed.
 */
export async function canaryBefore(
  ledger: Pick<RunLedger, 'continued' | 'brokeOff' | 'rows'>,
  clients: number,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly isUndecided: boolean }> {
  if (!ledger.continued || clients === 0) return { outcomes: [], isUndecided: false };
  // Where others were sent after it, it was decided on.
  const sent = sentBefore(await ledger.rows(), clients + 1);
  return {
    outcomes: sent.slice(0, clients),
    isUndecided: ledger.brokeOff === true && sent.length === clients,
  };
}

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
  for (const { outcome, problems } of rows) {
    const isAsBefore = problems.some(({ code }) => code === UNCHANGED_SINCE);
    if (!NOT_SENT.has(outcome) && !isAsBefore) sent.push(outcome);
    if (sent.length === clients) break;
  }
  return sent;
}

/**
 * The first clients of a run, which are sent before all others. Where an earlier part of the run has sent them all and
 * decided on them, nobody is held up, but where others wait for this process (`share`). Only what the contact center made
 * of them counts.
 */
export class Canary {
  readonly #outcomes = noOutcomes();
  readonly #ending: Deferred = createDeferred();
  /** Clients that are to be handed out, and that have not ended. */
  #left: number;
  #open: number;
  #isDue: boolean;

  constructor(
    private readonly clients: number,
    { outcomes, isUndecided }: Awaited<ReturnType<typeof canaryBefore>>,
    private readonly share?: CanaryShare,
  ) {
    for (const outcome of outcomes) this.#outcomes[outcome]++;
    this.#left = this.#open = Math.max(0, clients - outcomes.length);
    // A process that died may have sent all of it, and said nothing.
    this.#isDue = isUndecided || (share !== undefined && clients > 0 && this.#left === 0);
  }

  /** The batch, cut where the canary ends. */
  *parts(batch: Batch): Generator<{ readonly part: Batch; readonly isCanary: boolean }> {
    const head = batch.members.slice(0, this.#left);
    const rest = batch.members.slice(head.length);
    if (head.length > 0) {
      this.#left -= head.length;
      this.#isDue = this.#left === 0;
      yield { part: { ...batch, members: head }, isCanary: true };
    }
    if (rest.length > 0) yield { part: { ...batch, members: rest }, isCanary: false };
  }

  /** True once: when the last of the canary has been handed out. */
  takeDue(): boolean {
    const isDue = this.#isDue;
    this.#isDue = false;
    return isDue;
  }

  note(outcome: Outcome, count: number): void {
    this.#outcomes[outcome] += count;
    this.#open -= count;
    if (this.#open <= 0) this.#ending.resolve();
  }

  /** Resolves when every client of the canary has ended, or when `over` does; with whether they have. */
  ended(over: Promise<void>): Promise<boolean> {
    return Promise.race([this.#ending.promise.then(() => true), over.then(() => false)]);
  }

  async hasPassed(limit: FailureLimit | undefined): Promise<boolean> {
    return this.share ? this.share(failuresIn(this.#outcomes)) : !this.isSick(limit);
  }

  /** Whether more of what this process has sent of it failed than is allowed, by default any. */
  isSick(limit: FailureLimit = { count: 0 }): boolean {
    return exceeds(failuresIn(this.#outcomes), limit, this.clients);
  }
}
