import { hasLedger } from '../run/ledger-path.js';
import { viewLedger } from './view-ledger.js';

/** Those of these runs with which something can still happen: they are under way, or can be continued. */
export async function openRuns(
  ledger: string,
  runs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (runs.length === 0 || !hasLedger(ledger)) return new Set();
  return viewLedger(ledger, async (view) => {
    const resumable = await view.resumable(runs);
    const found = await Promise.all(runs.map((run) => view.find(run)));
    const atWork = found.flatMap((run) => (run?.state === 'running' ? [run.run] : []));
    return new Set([...resumable, ...atWork]);
  });
}
