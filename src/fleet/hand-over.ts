import { RunTakenError } from '../core/errors.js';
import type { SharedWork } from '../ledger/ledger.js';
import { addPiece, closeShared } from '../ledger/shared.js';
import type { Fleet } from './fleet.js';
import { type NumberedChunk, packChunks } from './pack-piece.js';

/** How large a piece is. */
export interface PieceSize {
  readonly rows: number;
  readonly bytes: number;
}

export const PIECE_SIZE: PieceSize = { rows: 50_000, bytes: 16 * 1024 * 1024 };

/** Whether clients of a chunk have rows before it. */
export interface RowsBefore {
  /** In pieces that are handed over. */
  readonly inEarlier: boolean;
  /** In the piece that is being gathered. */
  readonly inCurrent: boolean;
}

/** The clients of a chunk, in modes in which their rows have to be sent in order. */
export interface ChunkOrder {
  /** Where they have rows before; `piece`: the one that is being gathered. */
  find(piece: number): RowsBefore;
  /** Notes that they are in this piece. */
  add(piece: number): void;
}

/** What there is to do for a chunk. */
export interface ChunkToSend {
  readonly chunk: NumberedChunk;
  /** How many clients of it are to be sent. */
  readonly clients: number;
  /** Absent: its clients may be sent in any order. */
  readonly order?: ChunkOrder | undefined;
}

/**
 * Rows of one client that follow each other come into one piece, where that does not make it more than so many times as
 * large as others.
 */
const MAX_GROWTH = 2;

/** Gathers the chunks of a run, and hands them over to workers piece by piece. */
export class Handover {
  #chunks: NumberedChunk[] = [];
  #rows = 0;
  #bytes = 0;
  /** Whether the next chunk begins another piece, unless it goes on with clients of this one. */
  #isFull = false;
  /** Whether the piece has rows of clients of earlier ones. */
  #waits = false;
  #next: number;
  /** Clients of the canary that are not in a piece yet. */
  #canary: number;

  /** `canary`: clients that go first; they are handed over as soon as they are gathered, so that nobody waits longer. */
  constructor(
    private readonly fleet: Fleet,
    private readonly run: string,
    private readonly work: SharedWork,
    private readonly size: PieceSize,
    canary: number,
  ) {
    this.#next = work.handed;
    this.#canary = canary;
  }

  /** @throws RunTakenError where another process has taken the run */
  async add({ chunk, clients, order }: ChunkToSend): Promise<void> {
    if (this.#isFull && !(this.#isUpTo(MAX_GROWTH) && order?.find(this.#next).inCurrent))
      await this.#hand();
    if (order?.find(this.#next).inEarlier) this.#waits = true;
    order?.add(this.#next);
    this.#chunks.push(chunk);
    this.#rows += chunk.count;
    this.#bytes += chunk.read.byteLength + chunk.clients.payload.byteLength;
    const isCanary = this.#canary > 0;
    this.#canary -= clients;
    this.#isFull ||= !this.#isUpTo(1) || (isCanary && this.#canary <= 0);
    if (this.#isFull && !order) await this.#hand();
  }

  /** Whether the piece is smaller than so many times a usual one. */
  #isUpTo(times: number): boolean {
    return this.#rows < this.size.rows * times && this.#bytes < this.size.bytes * times;
  }

  /** Hands the rest over, and says that this is all. */
  async close(): Promise<void> {
    if (this.#chunks.length > 0) await this.#hand();
    if (!(await closeShared(this.fleet.connections, this.work, this.#next)))
      throw runTaken(this.run);
  }

  async #hand(): Promise<void> {
    const { fleet, run, work } = this;
    const [number, rows, chunks, waits] = [this.#next, this.#rows, this.#chunks, this.#waits];
    [this.#chunks, this.#rows, this.#bytes] = [[], 0, 0];
    this.#isFull = this.#waits = false;
    const data = await packChunks(chunks);
    await fleet.connections.transaction(async (queries) => {
      const piece = { number, rows, chunks: chunks.length, data, waits };
      const { isOwn, isOpen } = await addPiece(queries, work.place, work.lease, piece);
      if (!isOwn) throw runTaken(run);
      // Of one that nobody may take yet, whoever opens it says that it can be taken.
      if (isOpen) await fleet.jobs.add(queries, run, number);
    });
    this.#next = number + 1;
  }
}

/** The run is handed over by another process. */
export function runTaken(run: string): RunTakenError {
  return new RunTakenError(
    `Another process hands run ${run} over, since this one did not answer for too long. Look at the run there.`,
    { saysHowToContinue: true },
  );
}
