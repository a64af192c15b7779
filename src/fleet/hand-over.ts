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

/** Gathers the chunks of a run, and hands them over to workers piece by piece. */
export class Handover {
  #chunks: NumberedChunk[] = [];
  #rows = 0;
  #bytes = 0;
  #next: number;

  constructor(
    private readonly fleet: Fleet,
    private readonly run: string,
    private readonly work: SharedWork,
    private readonly size: PieceSize,
  ) {
    this.#next = work.handed;
  }

  /** @throws LedgerInUseError where another process has taken the run */
  async add(chunk: NumberedChunk): Promise<void> {
    const { read, clients } = chunk;
    this.#chunks.push(chunk);
    this.#rows += chunk.count;
    this.#bytes += read.byteLength + clients.payload.byteLength;
    if (this.#rows >= this.size.rows || this.#bytes >= this.size.bytes) await this.#hand();
  }

  /** Hands the rest over, and says that this is all. */
  async close(): Promise<void> {
    if (this.#chunks.length > 0) await this.#hand();
    const { place, lease } = this.work;
    if (!(await closeShared(this.fleet.connections, place, lease, this.#next))) throw this.#lost();
  }

  async #hand(): Promise<void> {
    const { fleet, run, work } = this;
    const [number, rows, chunks] = [this.#next, this.#rows, this.#chunks];
    [this.#chunks, this.#rows, this.#bytes] = [[], 0, 0];
    const data = await packChunks(chunks);
    await fleet.connections.transaction(async (queries) => {
      const piece = { number, rows, chunks: chunks.length, data };
      if (!(await addPiece(queries, work.place, work.lease, piece))) throw this.#lost();
      await fleet.jobs.add(queries, run, number);
    });
    this.#next = number + 1;
  }

  #lost(): LedgerInUseError {
    return new LedgerInUseError(
      `Another process hands run ${this.run} over, since this one did not answer for too long. Look at the run there.`,
      { saysHowToContinue: true },
    );
  }
}
