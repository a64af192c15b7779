import type { RunRecord } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import { comparisonJson, comparisonText } from '../../report/compare/compare-text.js';
import {
  type ComparisonCounts,
  differences,
  noCounts,
  type RowDifference,
} from '../../report/compare/compare.js';
import { DEFAULT_LEDGER } from '../defaults.js';
import { recordedRun } from './recorded-run.js';
import { isOfRejects } from './origin-of-rejects.js';
import { existingLedger } from './runs.js';

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
