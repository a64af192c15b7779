import { failuresIn, noOutcomes, type OutcomeCounts } from '../../../src/core/outcome.js';
import type { FailureLimit } from '../../../src/delivery/import.js';
import type { NumberedChunk } from '../../../src/fleet/fleet.js';
import { type SharedStop, LEASE_TIMES } from '../../../src/ledger/port.js';
import type { CanaryLeft } from '../../../src/ledger/shared.js';
import type { StoredFact } from '../../../src/ledger/store.js';
import { FactTable } from '../disk.js';
import type { Timeline } from '../timeline.js';
import type { Sabotage } from './world.js';

const { leaseMs } = LEASE_TIMES;

/** By which lease something is written: that of the run, or of a piece. */
export type Fence =
  | { readonly kind: 'run'; readonly epoch: number }
  | { readonly kind: 'piece'; readonly number: number; readonly epoch: number };

/** What a statement with facts counts: rejected rows with the submitter, failed and unknown ones with a worker. */
export type Tally =
  | { readonly rejected: number; readonly allowed: number | null }
  | { readonly failed: number; readonly unknown: number };

interface Appended {
  readonly appended: number;
  readonly stop: SharedStop | null;
}

/** A piece as it was taken. */
export interface TakenPiece {
  readonly number: number;
  readonly epoch: number;
  readonly chunks: readonly NumberedChunk[];
  readonly canary: CanaryLeft | null;
  /** Of the command that had submitted the run then. */
  readonly maxFailures: FailureLimit | null;
}

interface Piece {
  readonly chunks: readonly NumberedChunk[];
  epoch: number;
  until: number;
  /** When its job comes due; `Infinity`: it has none. */
  due: number;
  unknown: number;
  /** Whether it begins when all before it have ended, and nothing of them can arrive any more. */
  readonly waits: boolean;
  settled: number;
  outcomes: OutcomeCounts | null;
}

/** The tables of a shared run; each method is a statement or a transaction, and all of them come one after the other. */
export class Database {
  readonly facts = new FactTable();
  readonly #pieces: Piece[] = [];
  /** How many pieces there are, once that is known. */
  #total: number | null = null;
  #sharedEpoch = 0;
  #run = { epoch: 0, until: 0 };
  /** How many rows may end badly, as the last command has it. */
  #maxFailures: FailureLimit | null = null;
  #limits = {
    ...{ rejected: 0, failed: 0, canary: 0, canaryFailed: 0 },
    allowed: null as number | null,
    gate: null as number | null,
  };
  /** How many facts there were when the run was found to stop; `null`: it goes on. */
  #stoppedAt: number | null = null;
  #appended = 0;
  /** The number of the last fact that says of a row that it is being sent, by chunk and row. */
  readonly #intents = new Map<string, number>();
  readonly counts = { refused: 0, taken: 0, 'taken over': 0 };

  constructor(
    private readonly timeline: Timeline,
    private readonly unfenced: Sabotage['unfenced'],
  ) {}

  /** Appends all of them, or none: as many as were appended. */
  append(fence: Fence, facts: readonly StoredFact[], tally: Tally): Appended {
    if (this.unfenced !== 'facts' && !this.#isCurrent(fence)) {
      this.counts.refused++;
      return { appended: 0, stop: null };
    }
    const before = this.#appended;
    for (const stored of facts) {
      const fact = this.facts.store(stored);
      this.#appended++;
      if (fact.kind === 'creating' || fact.kind === 'enqueuing')
        for (const at of fact.rows) this.#intents.set(`${stored.chunk} ${at}`, this.#appended);
    }
    this.#count(fence, tally);
    const stop = this.stop();
    if (stop) this.#stoppedAt ??= before;
    return { appended: facts.length, stop };
  }

  #count(fence: Fence, tally: Tally): void {
    if ('rejected' in tally) {
      this.#limits.rejected = Math.max(this.#limits.rejected, tally.rejected);
      this.#limits.allowed = tally.allowed;
      return;
    }
    const piece = fence.kind === 'piece' ? this.#pieces[fence.number] : undefined;
    if (!piece) return;
    this.#limits.failed += tally.failed + tally.unknown - piece.unknown;
    piece.unknown = tally.unknown;
  }

  get bad(): number {
    return this.#limits.rejected + this.#limits.failed;
  }

  /** Why nobody is to send anything more. */
  stop(): SharedStop | null {
    const { allowed, gate } = this.#limits;
    if (gate !== null && gate <= 0) return { by: 'canary', bad: this.bad };
    return allowed !== null && this.bad > allowed ? { by: 'failures', bad: this.bad } : null;
  }

  /** Whether the canary is waited for, or did not pass. */
  get isGated(): boolean {
    return this.#limits.gate !== null;
  }

  /** Whether a row was put on record to be sent when the run had been found to stop. */
  wasSentInVain(chunk: number, at: number): boolean {
    const intent = this.#intents.get(`${chunk} ${at}`) ?? 0;
    return this.#stoppedAt !== null && intent > this.#stoppedAt;
  }

  /** Sets limits as a command has them; resolves with whether the run may go on, `undefined`: it is another one's. */
  limit(epoch: number, allowed: number | null, canary: number): boolean | undefined {
    if (epoch !== this.#run.epoch) return undefined;
    const limits = this.#limits;
    for (const piece of this.#pieces) {
      limits.failed -= piece.unknown;
      piece.unknown = 0;
    }
    limits.allowed = allowed;
    if (canary === 0 || limits.gate === -1) limits.gate = null;
    else if (this.#pieces.length === 0) limits.gate = 1;
    if (this.#pieces.length === 0) limits.canary = canary;
    this.#stoppedAt = null;
    this.#offerOpen();
    return limits.gate !== 0;
  }

  /** Notes that the person knows of a canary that did not pass. */
  knowCanary(): void {
    if (this.#limits.gate === 0) this.#limits.gate = -1;
  }

  /** Decides on the canary, by the lease of the piece with the last of it; whether the others may be sent. */
  endCanary(
    number: number,
    epoch: number,
    passes: (maxFailures: FailureLimit | null) => boolean,
  ): boolean {
    const { gate } = this.#limits;
    if (this.#pieces[number]?.epoch !== epoch || gate === null || gate <= 0) return true;
    const hasPassed = passes(this.#maxFailures);
    this.#limits.gate = hasPassed ? null : 0;
    if (hasPassed) this.#offerOpen();
    else this.#stoppedAt ??= this.#appended;
    return hasPassed;
  }

  #isOpen(number: number): boolean {
    const { gate } = this.#limits;
    if (this.isWaiting(number)) return this.unfenced === 'order';
    return this.unfenced === 'canary' || gate === null || number < gate;
  }

  /** Whether a piece waits for one before it. */
  isWaiting(number: number): boolean {
    const before = this.#pieces.slice(0, number);
    return this.#pieces[number]?.waits === true && before.some(({ outcomes }) => !outcomes);
  }

  #offerOpen(): void {
    for (const [number, piece] of this.#pieces.entries())
      if (piece.due === Infinity && this.#isOpen(number)) piece.due = this.timeline.now();
  }

  /** The submitter takes the run and lets it be shared; `undefined`: another one has it. */
  submit(
    maxFailures: FailureLimit | null,
  ): { epoch: number; handed: number; chunks: number; total: number | null } | undefined {
    if (this.#run.until > this.timeline.now()) return undefined;
    this.#maxFailures = maxFailures;
    this.#run = { epoch: this.#run.epoch + 1, until: this.timeline.now() + leaseMs };
    this.#sharedEpoch = this.#run.epoch;
    return {
      ...{ epoch: this.#run.epoch, handed: this.#pieces.length, total: this.#total },
      chunks: this.#pieces.reduce((sum, { chunks }) => sum + chunks.length, 0),
    };
  }

  renewRun(epoch: number, ms: number): void {
    if (epoch === this.#run.epoch) this.#run.until = this.timeline.now() + ms;
  }

  addPiece(
    epoch: number,
    number: number,
    chunks: readonly NumberedChunk[],
    waits: boolean,
  ): boolean {
    if (this.unfenced !== 'handing over' && epoch !== this.#run.epoch) return false;
    this.#pieces[number] = {
      ...{ chunks, epoch: 0, until: -Infinity, outcomes: null, unknown: 0, waits },
      ...{ due: Infinity, settled: -Infinity },
    };
    this.#offerOpen();
    return true;
  }

  close(epoch: number, total: number): boolean {
    if (this.unfenced !== 'handing over' && epoch !== this.#run.epoch) return false;
    this.#total = total;
    return true;
  }

  /** The next piece that is due; one that is leased is put off. */
  take(): TakenPiece | undefined {
    const now = this.timeline.now();
    if (this.stop()) return undefined;
    for (const [number, piece] of this.#pieces.entries()) {
      if (piece.outcomes || piece.due > now) continue;
      const isOthers = this.#run.epoch !== this.#sharedEpoch;
      const until = Math.max(
        ...[piece.until, isOthers ? this.#run.until : -Infinity],
        ...(piece.waits ? this.#pieces.slice(0, number).map(({ settled }) => settled) : []),
      );
      if (until > now) {
        piece.due = until;
        continue;
      }
      this.counts.taken++;
      if (piece.epoch > 0) this.counts['taken over']++;
      piece.epoch++;
      piece.until = piece.due = now + leaseMs;
      const { gate, canary, canaryFailed } = this.#limits;
      const left = gate === null ? null : { clients: canary, failed: canaryFailed };
      const { epoch, chunks } = piece;
      return { number, epoch, chunks, canary: left, maxFailures: this.#maxFailures };
    }
    return undefined;
  }

  /** Resolves with whether the lease was still that one. */
  renewPiece(number: number, epoch: number): boolean {
    const piece = this.#pieces[number];
    if (piece?.epoch !== epoch || piece.outcomes) return false;
    piece.until = this.timeline.now() + leaseMs;
    return true;
  }

  giveBack(number: number, epoch: number): void {
    const piece = this.#pieces[number];
    if (piece?.epoch === epoch && !piece.outcomes) piece.until = -Infinity;
  }

  /** Has the job of a piece come due now. */
  offerAgain(number: number): void {
    const piece = this.#pieces[number];
    if (piece) piece.due = this.timeline.now();
  }

  endPiece(number: number, epoch: number, outcomes: OutcomeCounts, unsettledMs: number): boolean {
    const piece = this.#pieces[number];
    if (piece?.epoch !== epoch || piece.outcomes) return false;
    piece.outcomes = { ...outcomes };
    piece.until = -Infinity;
    piece.settled = this.timeline.now() + unsettledMs;
    const limits = this.#limits;
    limits.failed += outcomes.unknown - piece.unknown;
    piece.unknown = outcomes.unknown;
    if (limits.gate === number + 1) {
      const { rejected, skipped } = outcomes;
      const rows = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
      limits.gate++;
      limits.canary -= rows - rejected - skipped;
      limits.canaryFailed += failuresIn(outcomes) - rejected;
    }
    this.#offerOpen();
    return true;
  }

  isHeldBy(number: number, epoch: number): boolean {
    const piece = this.#pieces[number];
    return piece?.epoch === epoch && piece.outcomes === null;
  }

  /** How the rows of all pieces ended; `null`: some are left. */
  outcomes(): OutcomeCounts | null {
    if (this.#total === null) return null;
    const sum = noOutcomes();
    for (const { outcomes } of this.#pieces.slice(0, this.#total)) {
      if (!outcomes) return null;
      for (const [outcome, count] of Object.entries(outcomes))
        sum[outcome as keyof OutcomeCounts] += count;
    }
    return sum;
  }

  #isCurrent(fence: Fence): boolean {
    if (fence.kind === 'run') return fence.epoch === this.#run.epoch;
    return this.#pieces[fence.number]?.epoch === fence.epoch;
  }
}
