import { UsageError } from '../../../core/errors.js';
import { ledgerCommand } from '../../../core/text.js';
import type { Queries } from '../connection/connection.js';
import { LEDGER_SCHEMA } from '../schema.js';
import type { SharedState } from './shared-runs.js';

/** @throws UsageError: what is left of the run is for workers. `ledger`: its address. */
export function refuseShared(
  { id }: { readonly id: string },
  { left }: Pick<SharedState, 'left'>,
  ledger: string,
): never {
  const end = `"${ledgerCommand(ledger, 'resume', id)}" goes on with it, as any "cardline worker" does; "${ledgerCommand(ledger, 'fleet', '--release', id)}" takes it back from them.`;
  throw new UsageError(
    left > 0
      ? `Run ${id} is shared by several machines, and ${left} of its pieces are left. ${end}`
      : `Run ${id} is shared by several machines, and not all of its rows have been handed over. ${end}`,
  );
}

/**
 * Pieces are packed for the version that has handed them over: another one does not replace its plan while some are left.
 * @throws UsageError where the run's plan is of another version. `plan`: that of this process.
 */
export async function refuseOtherVersion(
  queries: Queries,
  { id, place }: { readonly id: string; readonly place: number },
  plan: string,
  ledger: string,
): Promise<void> {
  const [other] = await queries.rows<{ version: string }>(
    `SELECT plan::json ->> 'version' AS version FROM ${LEDGER_SCHEMA}.shared
     WHERE run = $1 AND plan::json ->> 'version' IS DISTINCT FROM $2::json ->> 'version'`,
    [place, plan],
  );
  if (!other) return;
  throw new UsageError(
    `Run ${id} was handed over by ${other.version}, and this version does not read its pieces. Let that version bring it to its end, or take it back from the machines: "${ledgerCommand(ledger, 'fleet', '--release', id)}"; then this command goes on with it.`,
  );
}
