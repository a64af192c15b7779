import type { Fact } from '../../../src/core/facts/facts.js';
import { type OutcomeCounts, noOutcomes } from '../../../src/core/outcome.js';
import type { NumberedChunk } from '../../../src/fleet/pack-piece.js';
import { factOf } from '../../../src/ledger/fact-table.js';
import { LEASE_TIMES } from '../../../src/ledger/postgres/lease.js';
import type { StoredFact } from '../../../src/ledger/recorder/recorder.js';
import type { Timeline } from '../timeline.js';

const { leaseMs } = LEASE_TIMES;

/** By which lease something is written: that of the run, or of a piece. */
export type Fence =
  | { readonly kind: 'run'; readonly epoch: number }
  | { readonly kind: 'piece'; readonly number: number; readonly epoch: number };

/** What the database does not look at, to see that it is noticed. */
export type Unfenced = 'facts' | 'handing over';

interface Piece {
  readonly chunks: readonly NumberedChunk[];
  epoch: number;
  until: number;
  /** When its job comes due. */
  due: number;
  outcomes: OutcomeCounts | null;
}

/** The tables of a shared run; each method is a statement or a transaction, and all of them come one after the other. */
export class Database {
  readonly #chunks = new Map<number, Fact[]>();
  readonly #pieces: Piece[] = [];
  /** How many pieces there are, once that is known. */
  #total: number | null = null;
  #sharedEpoch = 0;
  #run = { epoch: 0, until: 0 };
  readonly counts = { refused: 0, taken: 0, 'taken over': 0 };

  constructor(
    private readonly timeline: Timeline,
    private readonly unfenced?: Unfenced | undefined,
  ) {}

  factsOf(chunk: number): readonly Fact[] {
    return this.#chunks.get(chunk) ?? [];
  }

  allFacts(): Fact[][] {
    return [...this.#chunks].toSorted(([a], [b]) => a - b).map(([, facts]) => facts);
  }

  /** Appends all of them, or none: as many as were appended. */
  append(fence: Fence, facts: readonly StoredFact[]): number {
    if (this.unfenced !== 'facts' && !this.#isCurrent(fence)) {
      this.counts.refused++;
      return 0;
    }
    for (const { chunk, kind, data } of facts) {
      const text = typeof data === 'string' ? data : Buffer.from(data).toString();
      this.#chunks.set(chunk, [...this.factsOf(chunk), factOf({ chunk, kind, data: text })]);
    }
    return facts.length;
  }

  /** The submitter takes the run and lets it be shared; `undefined`: another one has it. */
  submit(): { epoch: number; handed: number; chunks: number; total: number | null } | undefined {
    if (this.#run.until > this.timeline.now()) return undefined;
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

  addPiece(epoch: number, number: number, chunks: readonly NumberedChunk[]): boolean {
    if (this.unfenced !== 'handing over' && epoch !== this.#run.epoch) return false;
    this.#pieces[number] = {
      ...{ chunks, epoch: 0, until: -Infinity, due: this.timeline.now(), outcomes: null },
    };
    return true;
  }

  close(epoch: number, total: number): boolean {
    if (this.unfenced !== 'handing over' && epoch !== this.#run.epoch) return false;
    this.#total = total;
    return true;
  }

  /** The next piece that is due; one that is leased is put off. */
  take(): { number: number; epoch: number; chunks: readonly NumberedChunk[] } | undefined {
    const now = this.timeline.now();
    for (const [number, piece] of this.#pieces.entries()) {
      if (piece.outcomes || piece.due > now) continue;
      const isOthers = this.#run.epoch !== this.#sharedEpoch;
      const until = Math.max(piece.until, isOthers ? this.#run.until : -Infinity);
      if (until > now) {
        piece.due = until;
        continue;
      }
      this.counts.taken++;
      if (piece.epoch > 0) this.counts['taken over']++;
      piece.epoch++;
      piece.until = piece.due = now + leaseMs;
      return { number, epoch: piece.epoch, chunks: piece.chunks };
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

  endPiece(number: number, epoch: number, outcomes: OutcomeCounts): boolean {
    const piece = this.#pieces[number];
    if (piece?.epoch !== epoch || piece.outcomes) return false;
    piece.outcomes = { ...outcomes };
    piece.until = -Infinity;
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
