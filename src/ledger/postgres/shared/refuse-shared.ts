import { UsageError } from '../../../core/errors/errors.js';
import type { SharedState } from './shared-runs.js';

/** @throws UsageError: what is left of the run is for workers */
export function refuseShared({ id }: { readonly id: string }, { left }: SharedState): never {
  const end = `Let "cardline worker" end it, or go on with it by the same import with --shared; "cardline fleet --release ${id}" takes it back from them.`;
  throw new UsageError(
    left > 0
      ? `Run ${id} is shared by several machines, and ${left} of its pieces are left. ${end}`
      : `Run ${id} is shared by several machines, and not all of its rows have been handed over. ${end}`,
  );
}
