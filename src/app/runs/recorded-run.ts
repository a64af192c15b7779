import { nearest } from '../../config/nearest.js';
import { UsageError } from '../../core/errors.js';
import type { RunRecord } from '../../core/ledger.js';
import { ledgerCommand } from '../../core/text.js';
import type { Ledger } from '../../ledger/ledger.js';

/** A run by its id. @throws UsageError when the ledger does not have it. */
export async function recordedRun(
  ledger: Ledger,
  ledgerFile: string,
  wanted: string,
): Promise<RunRecord> {
  const run = await ledger.find(wanted);
  if (!run) throw noSuchRun(ledgerFile, wanted, await ledger.runs());
  return run;
}

/** The latest run of a ledger, or the latest that fits. @throws UsageError when there is none */
export async function latestRun(
  ledger: Ledger,
  ledgerFile: string,
  fits: (run: RunRecord) => boolean = () => true,
  what = 'runs',
): Promise<RunRecord> {
  const found = (await ledger.runs()).find(fits);
  if (!found) throw new UsageError(`${ledgerFile} has no ${what}.`);
  return found;
}

/** What is wrong where a run is not there, or none is left to continue. */
export function noSuchRun(
  ledger: string,
  wanted: string | undefined,
  runs: readonly RunRecord[],
): UsageError {
  if (wanted === undefined)
    return new UsageError(`Every run in ${ledger} is finished; there is nothing to resume.`);
  const near = nearest(
    wanted,
    runs.map(({ run }) => run),
  );
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return new UsageError(
    `${ledger} has no run ${wanted}; "${ledgerCommand(ledger, 'runs')}" lists what it has.${meant}`,
  );
}
