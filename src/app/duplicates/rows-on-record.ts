import type { EarlierRows } from '../../core/duplicates.js';
import { systemClock } from '../../core/time.js';
import { openLedger } from '../../ledger/ledger.js';
import type { Preparation } from '../../prepare/plan.js';
import { centerOf } from '../repeats/run-identity.js';
import type { CheckRequest } from '../requests.js';
import { hasLedger, ledgerPath } from '../run/ledger-path.js';
import { earlierRows } from './earlier-rows.js';

/**
 * What earlier runs have sent, as a check asks for it: in the mapping's campaign. `undefined` where there is no ledger, or
 * nobody says which contact center is meant; then the person is told.
 */
export async function rowsOnRecord(
  { ledger: wanted, signal, onWarning }: CheckRequest,
  {
    installation,
    mapping,
    duplicates,
  }: Pick<Preparation, 'installation' | 'mapping' | 'duplicates'>,
): Promise<EarlierRows | undefined> {
  if (!installation) {
    onWarning?.(
      'Without an installation, rows are not compared with those of earlier runs: give it with -i.',
    );
    return undefined;
  }
  const file = ledgerPath(wanted, installation);
  if (!hasLedger(file)) return undefined;
  const ledger = await openLedger(file);
  try {
    return await earlierRows({
      ...{ ledger, signal, rule: duplicates },
      mode: mapping.mode,
      isDelta: 'delta' in mapping.sections && mapping.sections.delta !== undefined,
      center: centerOf(installation, false),
      campaign: mapping.campaign ?? null,
      now: systemClock.now(),
    });
  } finally {
    await ledger.close();
  }
}
