import type { RunRecord } from '../../../core/ledger.js';
import type { ChunkRows, WaitingRows } from '../../../core/facts.js';
import type { Outcome } from '../../../core/outcome.js';
import type { Problem, ProblemCount } from '../../../core/problem.js';
import type { RowReport } from '../../../core/report.js';
import type { Ledger } from '../../../ledger/ledger.js';
import type { ReportSource } from '../../../report/run-report.js';
import { RowTally } from '../../../report/row-tally.js';
import { reportedRows } from '../../run/run-rows.js';
import { aboutRun } from '../about-run.js';

/** Which rows of a run are meant: of an outcome, of a reason, or those of which something was left out. @default all */
export interface RowFilter {
  readonly outcome?: Outcome | undefined;
  /** Id of a reason of the index. */
  readonly reason?: number | undefined;
  /** A remark: its place in the index's list. */
  readonly remark?: number | undefined;
}

/** A chunk of the ledger, and the position of its first row among those of the run. */
interface IndexedChunk {
  readonly chunk: number;
  readonly first: number;
}

/** After how many rows others get their turn. */
const TURN_ROWS = 1000;

/**
 * Where the rows of a run lie in the ledger, by outcome and by reason. The ledger is read once, chunk by chunk, and
 * nothing of the rows is kept but four bytes for each thing that is counted of them; any page is found by them then.
 */
export class RunIndex {
  readonly tally: RowTally;
  readonly remarks: ProblemCount[] = [];
  waiting: WaitingRows = { rows: 0, withCard: 0 };
  rows = 0;
  readonly #chunks: IndexedChunk[] = [];
  readonly #outcomes = new Map<Outcome, Positions>();
  readonly #reasons = new Map<number, Positions>();
  readonly #remarks = new Map<string, Positions>();
  /** What a comparison says of rows that repeat others, which shows when all before them are read. */
  readonly #repeats = new Map<number, Problem>();

  private constructor(record: RunRecord, about: Pick<ReportSource, 'weights' | 'leadPrice' | 'observations'>) {
    this.tally = new RowTally({ run: record, only: null, ...about });
  }

  /** @throws LedgerError; the signal's reason when it is aborted */
  static async read(ledger: Ledger, record: RunRecord, signal?: AbortSignal): Promise<RunIndex> {
    const { weights, leadPrice, observations } = await aboutRun(ledger, record.run);
    const index = new RunIndex(record, { weights, leadPrice, observations });
    let recorded: RowReport | undefined;
    const chunks = await ledger.rowsByChunk(record.run);
    const rows = index.#rowsOf(chunks, (row) => (recorded = row));
    for (const row of reportedRows(record, rows)) {
      if (row !== recorded) index.#noteRepeat(row);
      index.#add(row);
      if (index.rows % TURN_ROWS !== 0) continue;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    index.remarks.push(...index.tally.remarks);
    return index;
  }

  /** How many rows there are of a kind. */
  count(filter: RowFilter): number {
    const positions = this.#positionsOf(filter);
    return positions === null ? this.rows : (positions?.length ?? 0);
  }

  /** Some rows of a kind, in the order of the run. Only their chunks are read. */
  async page(ledger: Ledger, run: string, request: PageRequest): Promise<RowReport[]> {
    const found: RowReport[] = [];
    let read: { readonly chunk: IndexedChunk; readonly rows: readonly RowReport[] } | undefined;
    for (const position of this.#places(request)) {
      const chunk = this.#chunkAt(position);
      if (!chunk) break;
      if (read?.chunk !== chunk) {
        await new Promise(setImmediate);
        read = { chunk, rows: await ledger.rowsOfChunk(run, chunk.chunk) };
      }
      const row = read.rows[position - chunk.first];
      if (row) found.push(this.#withRepeat(row, position));
    }
    return found;
  }

  *#rowsOf(
    chunks: Iterable<ChunkRows>,
    note: (row: RowReport) => void,
  ): Generator<RowReport, void, undefined> {
    for (const { chunk, rows, waiting } of chunks) {
      this.waiting = {
        rows: this.waiting.rows + waiting.rows,
        withCard: this.waiting.withCard + waiting.withCard,
      };
      if (rows.length > 0) this.#chunks.push({ chunk, first: this.rows });
      for (const row of rows) {
        note(row);
        yield row;
      }
    }
  }

  #add(row: RowReport): void {
    const position = this.rows++;
    noteAt(this.#outcomes, row.outcome, position);
    for (const id of this.tally.add(row) ?? []) noteAt(this.#reasons, id, position);
    const keys = new Set(row.remarks?.map(keyOf));
    for (const key of keys) noteAt(this.#remarks, key, position);
  }

  #noteRepeat({ problems }: RowReport): void {
    const repeat = problems.at(-1);
    if (repeat) this.#repeats.set(this.rows, repeat);
  }

  #withRepeat(row: RowReport, position: number): RowReport {
    const repeat = this.#repeats.get(position);
    return repeat ? { ...row, problems: [...row.problems, repeat] } : row;
  }

  #positionsOf({ outcome, reason, remark }: RowFilter): Positions | null | undefined {
    if (reason !== undefined) return this.#reasons.get(reason);
    if (outcome !== undefined) return this.#outcomes.get(outcome);
    if (remark === undefined) return null;
    const known = this.remarks[remark];
    return known && this.#remarks.get(keyOf(known));
  }

  #places({ filter, offset, limit }: PageRequest): readonly number[] {
    const positions = this.#positionsOf(filter);
    if (positions !== null) return positions?.slice(offset, offset + limit) ?? [];
    const length = Math.max(0, Math.min(limit, this.rows - offset));
    return Array.from({ length }, (_, at) => offset + at);
  }

  /** The last chunk that does not begin after the position. */
  #chunkAt(position: number): IndexedChunk | undefined {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#chunks[middle]?.first ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return this.#chunks[low];
  }
}

export interface PageRequest {
  readonly filter: RowFilter;
  readonly offset: number;
  readonly limit: number;
}

const keyOf = ({ column, code }: Pick<Problem, 'column' | 'code'>): string =>
  JSON.stringify([column, code]);

function noteAt<K>(all: Map<K, Positions>, key: K, position: number): void {
  let positions = all.get(key);
  if (!positions) all.set(key, (positions = new Positions()));
  positions.add(position);
}

/** Positions of rows in a run, ascending: four bytes each. */
class Positions {
  #values = new Uint32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(position: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = position;
  }

  slice(from: number, to: number): readonly number[] {
    return [...this.#values.subarray(from, Math.min(to, this.#length))];
  }
}
