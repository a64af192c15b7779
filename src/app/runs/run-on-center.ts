import { centerKey } from '../../core/center.js';
import type { RunRecord } from '../../core/ledger.js';
import { loadInstallation } from '../../installation/load.js';
import { centerOf } from '../repeats/run-identity.js';
import type { RunOptions } from '../requests.js';
import { placeOfRun, showRun } from './runs.js';

/** A contact center, and where its runs are kept. */
export type CenterOfRuns = Pick<RunOptions, 'installation' | 'baseUrl' | 'ledger'>;

/**
 * A run of a contact center; `null` when it was on another one, the embedded sandbox being one.
 * @throws UsageError when the ledger does not have it, InputError when there is no ledger, ConfigurationError
 */
export async function runOnCenter(
  run: string,
  { installation, baseUrl, ledger }: CenterOfRuns,
): Promise<RunRecord | null> {
  const record = await showRun(run, ledger);
  const isSandbox = baseUrl !== undefined;
  const { sandbox } = await placeOfRun(run, ledger);
  const here = centerOf(await loadInstallation(installation), isSandbox);
  const isSame = sandbox === isSandbox && centerKey(record.installation) === centerKey(here);
  return isSame ? record : null;
}
