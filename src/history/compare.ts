import type { RunRecord } from '../core/ledger.js';
import type { Ledger } from '../ledger/port.js';
import {
  comparisonJson,
  comparisonText,
  type ComparisonCounts,
  differences,
  noCounts,
  type RowDifference,
  comparisonSteps,
} from '../report/compare.js';
import { DEFAULT_LEDGER } from '../options/places.js';
import {
  recordedRun,
  isOfRejects,
  existingLedger,
  breathing,
  type ListedRun,
  listedRuns,
  viewedLedger,
} from './runs.js';
import type { Outcome } from '../core/outcome.js';

/** Two runs of one ledger. */
export interface RunPairRequest {
  /** Ids of the runs. */
  readonly earlier: string;
  readonly later: string;
  /** @default 'cardline.db' */
  readonly ledger?: string | undefined;
}

export interface CompareRunsRequest extends RunPairRequest {
  /** Called with every row that is new, gone or ended differently, one after the other. */
  readonly onDifference?: ((difference: RowDifference) => void) | undefined;
}

/**
 * Counts which rows are new, gone, ended differently or alike from one run to another, matched by uuid. What is held is
 * the uuids of the earlier run.
 * @throws InputError when there is no ledger, UsageError when it does not have the runs, LedgerError.
 */
export async function compareRuns(request: CompareRunsRequest): Promise<ComparisonCounts> {
  const pair = await openPair(request);
  try {
    const counts = noCounts();
    for (const difference of await between(pair, counts)) request.onDifference?.(difference);
    return counts;
  } finally {
    await pair.ledger.close();
  }
}

export interface ComparisonRequest extends RunPairRequest {
  /** JSON with every row that differs, not a text with examples. */
  readonly json: boolean;
  /** Of the terminal, in characters. @default lines are not wrapped */
  readonly width?: number | undefined;
}

/** The same as pieces of text. @throws as `compareRuns` does */
export async function* comparisonLines(
  request: ComparisonRequest,
): AsyncGenerator<string, void, undefined> {
  const pair = await openPair(request);
  try {
    const counts = noCounts();
    const found = await between(pair, counts);
    if (request.json) yield* comparisonJson(pair, found, counts);
    else yield comparisonText(pair, found, counts, request.width);
  } finally {
    await pair.ledger.close();
  }
}

/** Two runs, and the ledger that has them. */
interface Pair {
  readonly ledger: Ledger;
  readonly earlier: RunRecord;
  readonly later: RunRecord;
}

async function between(
  { ledger, earlier, later }: Pair,
  counts: ComparisonCounts,
): Promise<Iterable<RowDifference>> {
  const before = await ledger.rowsOf(earlier.run);
  const ofRejects = await isOfRejects(ledger, earlier, later);
  return differences(() => before, await ledger.rowsOf(later.run), counts, ofRejects);
}

async function openPair({
  earlier,
  later,
  ledger: file = DEFAULT_LEDGER,
}: RunPairRequest): Promise<Pair> {
  const ledger = await existingLedger(file);
  try {
    return {
      ledger,
      earlier: await recordedRun(ledger, file, earlier),
      later: await recordedRun(ledger, file, later),
    };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/** Rows that are named of each kind of difference. */
const MAX_EXAMPLES = 10;
/** How often a state is yielded, in milliseconds. */
const EVERY_MS = 250;

/** Rows that went one way. */
interface ComparedWay {
  /** `null`: the row was not in that run. */
  readonly before: Outcome | null;
  readonly after: Outcome | null;
  readonly rows: number;
  /** The first of them: where they are in the later run, or in the earlier one where they are gone. */
  readonly examples: readonly {
    readonly file: string;
    readonly sheet: string | null;
    readonly row: number;
  }[];
}

/** How far two runs have been compared, and what was found. */
export interface ComparisonState {
  readonly earlier: ListedRun;
  readonly later: ListedRun;
  readonly counts: ComparisonCounts;
  /** The most frequent first. */
  readonly ways: readonly ComparedWay[];
  /** 0 to 1; `null` where nobody has counted the rows of both. */
  readonly share: number | null;
  readonly done: boolean;
}

/**
 * Compares two runs as `compareRuns` does, the one that began first with the other, and yields how far it is. Gives way
 * to everything else.
 * @throws UsageError when the ledger does not have the runs, LedgerError
 */
export async function* watchComparison(
  file: string,
  pair: readonly [string, string],
  signal: AbortSignal,
): AsyncGenerator<ComparisonState, void, undefined> {
  const ledger = await viewedLedger(file);
  try {
    const records = await Promise.all(pair.map((run) => recordedRun(ledger, file, run)));
    records.sort((a, b) => a.createdAt - b.createdAt);
    const [earlier, later] = await listedRuns(ledger, records);
    if (earlier && later) yield* compared(ledger, { earlier, later }, signal);
  } finally {
    await ledger.close();
  }
}

type Runs = Pick<ComparisonState, 'earlier' | 'later'>;
type Way = ComparedWay & { rows: number; readonly examples: ComparedWay['examples'][number][] };

async function* compared(
  ledger: Ledger,
  runs: Runs,
  signal: AbortSignal,
): AsyncGenerator<ComparisonState, void, undefined> {
  const { earlier, later } = runs;
  const all = earlier.rows === null || later.rows === null ? null : 2 * earlier.rows + later.rows;
  const counts = noCounts();
  const ways = new Map<string, Way>();
  const stateAfter = (seen: number, done: boolean): ComparisonState => ({
    ...runs,
    counts,
    ways: [...ways.values()].sort((a, b) => b.rows - a.rows),
    share: done ? 1 : all === null ? null : Math.min(1, seen / Math.max(1, all)),
    done,
  });
  const breath = breathing(signal);
  let seen = 0;
  let announcedAt = performance.now();
  const before = await ledger.rowsOf(earlier.run);
  const after = await ledger.rowsOf(later.run);
  const ofRejects = await isOfRejects(ledger, earlier, later);
  for (const step of comparisonSteps(() => before, after, counts, ofRejects)) {
    if (step) note(step, runs, ways);
    if (++seen % 100 > 0) continue;
    await breath();
    if (performance.now() - announcedAt < EVERY_MS) continue;
    yield stateAfter(seen, false);
    announcedAt = performance.now();
  }
  yield stateAfter(seen, true);
}

function note({ kind, before, after, place }: RowDifference, runs: Runs, ways: Map<string, Way>) {
  const key = `${before} ${after}`;
  const way = ways.get(key) ?? { before, after, rows: 0, examples: [] };
  ways.set(key, way);
  way.rows++;
  if (way.examples.length >= MAX_EXAMPLES) return;
  const { inputs } = kind === 'gone' ? runs.earlier : runs.later;
  way.examples.push({ file: inputs[place.input] ?? '', sheet: place.sheet, row: place.row });
}
