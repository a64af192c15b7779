import { resolve } from 'node:path';
import { z } from 'zod';
import { readSettingsForReport } from '../run/run-settings.js';
import { UsageError } from '../../core/errors.js';
import type { RunRecord } from '../../core/ledger.js';
import { suggestion } from '../../config/nearest.js';
import { type Trend, type TrendPoint, trendPoints, trendsOf } from '../../report/compare/trend.js';
import { DEFAULT_LEDGER } from '../defaults.js';
import { existingLedger } from './runs.js';

const keptMapping = z.object({ mapping: z.string() });

/** Path of the mapping of a run; `null` when it had none, as an undo. */
export const mappingOf = (kept: unknown): string | null =>
  keptMapping.safeParse(kept).data?.mapping ?? null;

/**
 * How the rows of a mapping's files ended from run to run, so that a decline is seen. Runs are identified by the path of their
 * mapping.
 * @throws InputError when there is no ledger, UsageError when no run is of the mapping.
 */
export async function mappingTrend(mapping: string, file = DEFAULT_LEDGER): Promise<Trend[]> {
  const ledger = await existingLedger(file);
  try {
    const wanted = resolve(mapping);
    // A comparison sends nothing: it is no import of a file.
    const imports = (await ledger.runs()).filter(({ mode }) => mode !== 'reconcile');
    const runs: { run: RunRecord; of: string | null }[] = [];
    for (const run of imports)
      runs.push({ run, of: mappingOf(await ledger.settingsOf(run.run)) });
    const its = runs.filter(({ of }) => of === wanted);
    if (its.length === 0)
      throw noRunOf(
        wanted,
        file,
        runs.map(({ of }) => of),
      );
    const points: TrendPoint[] = [];
    for (const { run } of its) {
      const settings = readSettingsForReport(await ledger.settingsOf(run.run));
      points.push(...trendPoints(run, await ledger.rowsOf(run.run), settings ?? {}));
    }
    return trendsOf(points);
  } finally {
    await ledger.close();
  }
}

function noRunOf(wanted: string, ledger: string, known: readonly (string | null)[]): UsageError {
  const mappings = [...new Set(known.filter((path) => path !== null))];
  const hint = suggestion(wanted, mappings);
  return new UsageError(
    `${ledger} has no run of the mapping ${wanted}.${hint === undefined ? '' : ` ${hint}`}`,
  );
}
