import { resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../core/errors/errors.js';
import { suggestion } from '../../config/nearest.js';
import { type Trend, trendPoints, trendsOf } from '../../report/compare/trend.js';
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
  const ledger = existingLedger(file);
  try {
    const wanted = resolve(mapping);
    // A comparison sends nothing: it is no import of a file.
    const imports = ledger.runs().filter(({ mode }) => mode !== 'reconcile');
    const runs = imports.map((run) => ({ run, of: mappingOf(ledger.settingsOf(run.run)) }));
    const its = runs.filter(({ of }) => of === wanted);
    if (its.length === 0)
      throw noRunOf(
        wanted,
        file,
        runs.map(({ of }) => of),
      );
    return trendsOf(its.flatMap(({ run }) => trendPoints(run, ledger.rowsOf(run.run))));
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
