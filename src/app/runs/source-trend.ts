import { UsageError } from '../../core/errors.js';
import type { RunRecord } from '../../core/ledger.js';
import { isImport } from '../../core/mode.js';
import { noOutcomes } from '../../core/outcome.js';
import type { Ledger } from '../../ledger/ledger.js';
import { sourceOf, type TrendFigures, trendFigures } from '../../report/compare/trend.js';
import { breathing } from './breath.js';
import { viewLedger } from './view-ledger.js';
import { recordedRun } from './recorded-run.js';
import { mappingOf } from './run-trend.js';

/** How many runs are shown at most: the latest. */
const MAX_RUNS = 100;
/** So many are looked at for them: undos and comparisons of the same files are among those. */
const MAX_LOOKED_AT = 4 * MAX_RUNS;

/** How the files of one source ended, the earliest first. */
export interface SourceTrend {
  /** Name of the files, with `#` for numbers. */
  readonly source: string;
  readonly points: readonly TrendFigures[];
  /** Whether there are earlier runs that are left out. */
  readonly isCut: boolean;
  /** Path of the mapping of the run. */
  readonly mapping: string | null;
}

/**
 * How imports of files named like the first one of a run ended, run by run. Where the ledger has the counts, no row is
 * read; else they are counted, and everything else is given way to.
 * @throws UsageError when the ledger does not have the run, or it has no file; LedgerError
 */
export const sourceTrend = (
  file: string,
  wanted: string,
  signal?: AbortSignal,
): Promise<SourceTrend> =>
  viewLedger(file, async (ledger) => {
    const {
      inputs: [first],
    } = await recordedRun(ledger, file, wanted);
    if (first === undefined) throw new UsageError(`Run ${wanted} was not of a file.`);
    const source = sourceOf(first);
    const isAlike = (inputs: readonly string[]): boolean =>
      inputs.some((input) => sourceOf(input) === source);
    const { runs } = await ledger.page({ fits: isAlike }, 0, MAX_LOOKED_AT);
    const imports = runs.filter(({ mode, state }) => isImport(mode) && state !== 'running');
    const points: TrendFigures[] = [];
    for (const run of imports.slice(0, MAX_RUNS).reverse())
      for (const point of await pointsOf(ledger, run, signal))
        if (point.rows > 0 && sourceOf(point.file) === source) points.push(point);
    const mapping = mappingOf(await ledger.settingsOf(wanted));
    return { source, points, isCut: imports.length > MAX_RUNS, mapping };
  });

/** A point for each file of a run. */
async function pointsOf(
  ledger: Ledger,
  run: RunRecord,
  signal: AbortSignal | undefined,
): Promise<TrendFigures[]> {
  const [only = '', ...others] = run.inputs;
  if (others.length === 0 && run.outcomes !== null) return [trendFigures(run, only, run.outcomes)];
  const counts = run.inputs.map(() => noOutcomes());
  const breath = breathing(signal);
  let rows = 0;
  for (const { input, outcome } of await ledger.rowsOf(run.run)) {
    const its = counts[input];
    if (its) its[outcome]++;
    if (++rows % 100 === 0) await breath();
  }
  return counts.map((outcomes, index) => trendFigures(run, run.inputs[index] ?? '', outcomes));
}
