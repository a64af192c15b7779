import type { Outcome } from '../../core/outcome.js';
import type { Ledger } from '../../ledger/ledger.js';
import { isOfRejects } from './origin-of-rejects.js';
import {
  type ComparisonCounts,
  comparisonSteps,
  noCounts,
  type RowDifference,
} from '../../report/compare/compare.js';
import { breathing } from './breath.js';
import { type ListedRun, listedRuns } from './find-runs.js';
import { viewedLedger } from './view-ledger.js';
import { recordedRun } from './recorded-run.js';

/** Rows that are named of each kind of difference. */
const MAX_EXAMPLES = 10;
/** How often a state is yielded, in milliseconds. */
const EVERY_MS = 250;

/** Rows that went one way. */
export interface ComparedWay {
  /** `null`: the row was not in that run. */
  readonly before: Outcome | null;
  readonly after: Outcome | null;
  readonly rows: number;
  /** The first of them: where they are in the later run, or in the earlier one where they are gone. */
  readonly examples: readonly { readonly file: string; readonly sheet: string | null; readonly row: number }[];
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
