import type { Ledger } from '../../ledger/ledger.js';
import { existingLedger } from './runs.js';

/** How long a ledger is waited for that another process has for itself, in milliseconds. */
const BUSY_MS = 250;

/** Opens a ledger that others may be using. @throws InputError when there is none, LedgerError */
export const viewedLedger = (file: string): Promise<Ledger> =>
  existingLedger(file, { thread: false, busyMs: BUSY_MS });

/** The same for as long as `use` takes. */
export async function viewLedger<T>(
  file: string,
  use: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const ledger = await viewedLedger(file);
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}
