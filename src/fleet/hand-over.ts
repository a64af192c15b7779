import { LedgerInUseError } from '../core/errors/errors.js';
import { addPiece, closeShared, type SharedWork } from '../ledger/postgres/shared/shared-runs.js';
import type { Fleet } from './fleet.js';
import { type NumberedChunk, packChunks } from './pack-piece.js';

/** How large a piece is. */
export interface PieceSize {
  readonly rows: number;
  readonly bytes: number;
}

export const PIECE_SIZE: PieceSize = { rows: 50_000, bytes: 16 * 1024 * 1024 };

/** What there is to do for a chunk. */
export interface ChunkToSend {
  readonly chunk: NumberedChunk;
  /** How many clients of it are to be sent. */
  readonly clients: number;
}

/** Gathers the chunks of a run, and hands them over to workers piece by piece. */
export class Handover {
  #chunks: NumberedChunk[] = [];
  #rows = 0;
  #bytes = 0;
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

  /** @throws LedgerInUseError where another process has taken the run */
  async add({ chunk, clients }: ChunkToSend): Promise<void> {
    this.#chunks.push(chunk);
    this.#rows += chunk.count;
    this.#bytes += chunk.read.byteLength + chunk.clients.payload.byteLength;
    const isCanary = this.#canary > 0;
    this.#canary -= clients;
    const isFull = this.#rows >= this.size.rows || this.#bytes >= this.size.bytes;
    if (isFull || (isCanary && this.#canary <= 0)) await this.#hand();
  }

  /** Hands the rest over, and says that this is all. */
  async close(): Promise<void> {
    if (this.#chunks.length > 0) await this.#hand();
    const { place, lease } = this.work;
    if (!(await closeShared(this.fleet.connections, place, lease, this.#next)))
      throw runTaken(this.run);
  }

  async #hand(): Promise<void> {
    const { fleet, run, work } = this;
    const [number, rows, chunks] = [this.#next, this.#rows, this.#chunks];
    [this.#chunks, this.#rows, this.#bytes] = [[], 0, 0];
    const data = await packChunks(chunks);
    await fleet.connections.transaction(async (queries) => {
      const piece = { number, rows, chunks: chunks.length, data };
      const { isOwn, isOpen } = await addPiece(queries, work.place, work.lease, piece);
      if (!isOwn) throw runTaken(run);
      // Of one that nobody may take yet, whoever opens it says that it can be taken.
      if (isOpen) await fleet.jobs.add(queries, run, number);
    });
    this.#next = number + 1;
  }
}

/** The run is handed over by another process. */
export function runTaken(run: string): LedgerInUseError {
  return new LedgerInUseError(
    `Another process hands run ${run} over, since this one did not answer for too long. Look at the run there.`,
    { saysHowToContinue: true },
  );
}
