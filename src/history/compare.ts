import type { RunRecord } from '../core/ledger.js';
import type { Ledger } from '../ledger/port.js';
import {
  differences,
  comparisonJson,
  comparisonText,
  type ComparisonCounts,
  noCounts,
  type RowDifference,
  comparisonSteps,
} from '../report/compare.js';
import { DEFAULT_LEDGER } from '../options/places.js';
import {
  recordedRun,
  isOfRejects,
  breathing,
  type ListedRun,
  listedRuns,
  piecesFrom,
  VIEWED,
  withLedger,
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
export const compareRuns = (request: CompareRunsRequest): Promise<ComparisonCounts> =>
  withLedger(request.ledger ?? DEFAULT_LEDGER, async (ledger) => {
    const counts = noCounts();
    const pair = await pairOf(ledger, request);
    for (const difference of await between(ledger, pair, differences, counts))
      request.onDifference?.(difference);
    return counts;
  });

export interface ComparisonRequest extends RunPairRequest {
  /** JSON with every row that differs, not a text with examples. */
  readonly json: boolean;
  /** Of the terminal, in characters. @default lines are not wrapped */
  readonly width?: number | undefined;
}

/** The same as pieces of text. @throws as `compareRuns` does */
export const comparisonLines = (
  request: ComparisonRequest,
): AsyncGenerator<string, void, undefined> =>
  piecesFrom(request.ledger ?? DEFAULT_LEDGER, async function* (ledger) {
    const counts = noCounts();
    const pair = await pairOf(ledger, request);
    const found = await between(ledger, pair, differences, counts);
    if (request.json) yield* comparisonJson(pair, found, counts);
    else yield comparisonText(pair, found, counts, request.width);
  });

interface Pair {
  readonly earlier: RunRecord;
  readonly later: RunRecord;
}

const pairOf = async (
  ledger: Ledger,
  { earlier, later, ledger: file = DEFAULT_LEDGER }: RunPairRequest,
): Promise<Pair> => ({
  earlier: await recordedRun(ledger, file, earlier),
  later: await recordedRun(ledger, file, later),
});

async function between<T>(
  ledger: Ledger,
  { earlier, later }: Pair,
  compare: (...of: Parameters<typeof comparisonSteps>) => Iterable<T>,
  counts: ComparisonCounts,
): Promise<Iterable<T>> {
  const before = await ledger.rowsOf(earlier.run);
  const ofRejects = await isOfRejects(ledger, earlier, later);
  return compare(() => before, await ledger.rowsOf(later.run), counts, ofRejects);
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
export const watchComparison = (
  file: string,
  pair: readonly [string, string],
  signal: AbortSignal,
): AsyncGenerator<ComparisonState, void, undefined> =>
  piecesFrom(
    file,
    async function* (ledger) {
      const records = await Promise.all(pair.map((run) => recordedRun(ledger, file, run)));
      records.sort((a, b) => a.createdAt - b.createdAt);
      const [earlier, later] = await listedRuns(ledger, records);
      if (earlier && later) yield* compared(ledger, { earlier, later }, signal);
    },
    VIEWED,
  );

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
  for (const step of await between(ledger, runs, comparisonSteps, counts)) {
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
