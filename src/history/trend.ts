import { UsageError } from '../core/errors.js';
import type { RunRecord } from '../core/ledger.js';
import { isImport } from '../core/mode.js';
import { noOutcomes } from '../core/outcome.js';
import type { Ledger } from '../ledger/port.js';
import {
  sourceOf,
  type TrendFigures,
  trendFigures,
  type Trend,
  type TrendPoint,
  trendPoints,
  trendsOf,
} from '../report/compare.js';
import { breathing, viewLedger, recordedRun, mappingOf, withLedger } from './runs.js';
import { resolve } from 'node:path';
import { readSettingsForReport } from '../run/settings.js';
import { suggestion } from '../config/nearest.js';
import { DEFAULT_LEDGER } from '../options/places.js';

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

/**
 * How the rows of a mapping's files ended from run to run, so that a decline is seen. Runs are identified by the path of their
 * mapping.
 * @throws InputError when there is no ledger, UsageError when no run is of the mapping.
 */
export const mappingTrend = (mapping: string, file = DEFAULT_LEDGER): Promise<Trend[]> =>
  withLedger(file, async (ledger) => {
    const wanted = resolve(mapping);
    const known = new Set<string>();
    const points: TrendPoint[] = [];
    for (const run of await ledger.runs()) {
      // A comparison sends nothing: it is no import of a file.
      if (run.mode === 'reconcile') continue;
      const kept = await ledger.settingsOf(run.run);
      const its = mappingOf(kept);
      if (its === null) continue;
      known.add(its);
      if (its !== wanted) continue;
      const settings = readSettingsForReport(kept) ?? {};
      points.push(...trendPoints(run, await ledger.rowsOf(run.run), settings));
    }
    if (!known.has(wanted)) {
      const hint = suggestion(wanted, [...known]);
      throw new UsageError(
        `${file} has no run of the mapping ${wanted}.${hint === undefined ? '' : ` ${hint}`}`,
      );
    }
    return trendsOf(points);
  });
