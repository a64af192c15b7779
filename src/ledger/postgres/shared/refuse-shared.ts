import { UsageError } from '../../../core/errors/errors.js';
import type { SharedState } from './shared-runs.js';

/** @throws UsageError: what is left of the run is for workers. `ledger`: its address. */
export function refuseShared(
  { id }: { readonly id: string },
  { left }: Pick<SharedState, 'left'>,
  ledger: string,
): never {
  const end = `"cardline resume ${id} --ledger ${ledger}" goes on with it, as any "cardline worker" does; "cardline fleet --release ${id} --ledger ${ledger}" takes it back from them.`;
  throw new UsageError(
    left > 0
      ? `Run ${id} is shared by several machines, and ${left} of its pieces are left. ${end}`
      : `Run ${id} is shared by several machines, and not all of its rows have been handed over. ${end}`,
  );
}
