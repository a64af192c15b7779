import { nextStep } from '../report/summary.js';
import {
  readSettingsForReport,
  readCheckSettings,
  readUndoSettings,
  runBehind,
} from '../run/settings.js';
import { summaryIn, withRun } from './runs.js';
import type { RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import type { Ledger } from '../ledger/port.js';
import { aboutRun, namesOf } from './report.js';
import type { Outcome, Problem, ProblemCount } from '../core/outcome.js';
import type { ChunkRows, WaitingRows } from '../core/facts.js';
import { type ReportSource, RowTally } from '../report/rows.js';
import { rejectsIn, reportedRows } from '../run/recorded.js';

export type RunResult = Awaited<ReturnType<RunResults['result']>>;
export type RunPage = Awaited<ReturnType<RunResults['page']>>;

/** How old the index of a run under way may be at least, in milliseconds. */
const FRESH_MS = 5_000;
/** Reading such a run anew takes at most this share of the time. */
const INDEX_SHARE = 0.05;
/** Runs whose index is kept. */
const MAX_KEPT = 4;

interface Kept {
  readonly stamp: string;
  readonly index: Promise<RunIndex>;
  /** Until when it does for a run under way; on the clock of `performance.now`. */
  freshUntil: number;
}

/** Reads results from a ledger. The index of a run is kept until something more is on record of it. */
export class RunResults {
  readonly #kept = new Map<string, Kept>();

  constructor(readonly ledger: string) {}

  /**
   * How a run went, as far as it has come.
   * @throws InputError when there is no ledger, UsageError when it does not have the run, LedgerError
   */
  async result(wanted: string) {
    return withRun(this.ledger, wanted, async (ledger, run) => {
      const index = await this.#indexOf(ledger, run);
      const { campaignName, isSandbox = false, isTakenBack } = await aboutRun(ledger, run.run);
      const kept = await ledger.settingsOf(run.run);
      const rejects = rejectsIn(run.out);
      const about = runBehind(kept);
      const summary = summaryIn(run.out, false);
      return {
        ...{ run, index, rejects, isSandbox, campaignName, isTakenBack },
        identifierNames: await namesOf(ledger, run, index.identifiers),
        next: nextStep(run, index, rejects, {
          isTakenBack,
          recovers: readSettingsForReport(kept)?.wanted?.recovery === true,
        }),
        /** The run that this one takes back or checks; `null` for others. */
        about,
        // None where the summary is gone, or of another run.
        listChecks: summary?.run === run.run ? summary.checks : [],
        files: (about === null ? run : await ledger.find(about))?.inputs ?? [],
        /** Ids of the runs that take this one back, or check it, the latest first. */
        ...(await worksOn(ledger, run.run)),
      };
    });
  }

  /** Some rows of a run. @throws as `result` does */
  async page(wanted: string, request: PageRequest) {
    return withRun(this.ledger, wanted, async (ledger, run) => {
      const index = await this.#indexOf(ledger, run);
      return {
        ...{ run, index, total: index.count(request.filter) },
        identifierNames: await namesOf(ledger, run, index.identifiers),
        rows: await index.page(ledger, run.run, request),
      };
    });
  }

  /** Whoever asks meanwhile waits for the same one. */
  async #indexOf(ledger: Ledger, run: RunRecord): Promise<RunIndex> {
    const stamp = `${run.createdAt} ${await ledger.lastFact(run.run)}`;
    const kept = this.#kept.get(run.run);
    const isFresh = run.state === 'running' && performance.now() < (kept?.freshUntil ?? 0);
    if (kept && (kept.stamp === stamp || isFresh)) return kept.index;
    const began = performance.now();
    // The one who asks may close his ledger before another one has got his index.
    const index = withRun(this.ledger, run.run, (own, record) => RunIndex.read(own, record));
    this.#kept.delete(run.run);
    const entry: Kept = { stamp, index, freshUntil: Infinity };
    this.#kept.set(run.run, entry);
    index.then(
      () => {
        const now = performance.now();
        entry.freshUntil = now + Math.max(FRESH_MS, (now - began) / INDEX_SHARE);
      },
      () => this.#kept.delete(run.run),
    );
    for (const [oldest] of this.#kept) if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return index;
  }
}

async function worksOn(ledger: Ledger, run: string) {
  const [undos, checks]: [string[], string[]] = [[], []];
  for (const { run: id, mode } of await ledger.runs()) {
    if (mode !== 'undo' && mode !== 'reconcile') continue;
    const kept = await ledger.settingsOf(id);
    if (readUndoSettings(kept)?.undoes === run) undos.push(id);
    if (readCheckSettings(kept)?.checks === run) checks.push(id);
  }
  return { undos, checks };
}

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
  /** How many identifiers a row has; `null`: there is no row. */
  identifiers: number | null = null;
  readonly #chunks: IndexedChunk[] = [];
  readonly #outcomes = new Map<Outcome, Positions>();
  readonly #reasons = new Map<number, Positions>();
  readonly #remarks = new Map<string, Positions>();
  /** What a comparison says of rows that repeat others, which shows when all before them are read. */
  readonly #repeats = new Map<number, Problem>();

  private constructor(
    record: RunRecord,
    about: Pick<ReportSource, 'weights' | 'leadPrice' | 'observations'>,
  ) {
    this.tally = new RowTally({ run: record, only: null, ...about });
  }

  /** @throws LedgerError */
  static async read(ledger: Ledger, record: RunRecord): Promise<RunIndex> {
    const { weights, leadPrice, observations } = await aboutRun(ledger, record.run);
    const index = new RunIndex(record, { weights, leadPrice, observations });
    let recorded: RowReport | undefined;
    const chunks = await ledger.rowsByChunk(record.run);
    const rows = index.#rowsOf(chunks, (row) => (recorded = row));
    for (const row of reportedRows(record, rows)) {
      const repeat = row === recorded ? undefined : row.problems.at(-1);
      if (repeat) index.#repeats.set(index.rows, repeat);
      index.#add(row);
      if (index.rows % TURN_ROWS === 0) await new Promise(setImmediate);
    }
    index.remarks.push(...index.tally.remarks.list());
    return index;
  }

  count(filter: RowFilter): number {
    const positions = this.#positionsOf(filter);
    return positions === null ? this.rows : (positions?.length ?? 0);
  }

  /** Some rows of a kind, in the order of the run. Only their chunks are read. */
  async page(ledger: Ledger, run: string, request: PageRequest): Promise<RowReport[]> {
    const found: RowReport[] = [];
    let read: { readonly chunk: IndexedChunk; readonly rows: readonly RowReport[] } | undefined;
    for (const position of this.#places(request)) {
      const chunk = this.#chunks.findLast(({ first }) => first <= position);
      if (!chunk) break;
      if (read?.chunk !== chunk) {
        await new Promise(setImmediate);
        read = { chunk, rows: await ledger.rowsOfChunk(run, chunk.chunk) };
      }
      const row = read.rows[position - chunk.first];
      const repeat = this.#repeats.get(position);
      if (row) found.push(repeat ? { ...row, problems: [...row.problems, repeat] } : row);
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
    this.identifiers ??= row.identifiers.length;
    noteAt(this.#outcomes, row.outcome, position);
    for (const id of this.tally.add(row) ?? []) noteAt(this.#reasons, id, position);
    const keys = new Set(row.remarks?.map(keyOf));
    for (const key of keys) noteAt(this.#remarks, key, position);
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
}

interface PageRequest {
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
