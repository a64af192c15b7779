import { hasLedger } from '../run/ledger-path.js';
import { viewLedger } from './view-ledger.js';

/** Ids of the runs of a ledger that have not come to their end: their inputs and mappings are still needed. */
export async function unfinishedRuns(ledger: string): Promise<ReadonlySet<string>> {
  if (!hasLedger(ledger)) return new Set();
  const runs = await viewLedger(ledger, (view) => view.runs());
  return new Set(runs.filter(({ state }) => state !== 'finished').map(({ run }) => run));
}
