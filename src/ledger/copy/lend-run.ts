import { canContinue } from '../runs/resumable.js';
import type { RunRow } from '../runs/run-table.js';
import type { RunView } from '../runs/run-view.js';

/**
 * Whether the copy of a run has to look everything up before it sends: the other ledger may go on with it too, or not
 * all that it did is on record. This process holds the run.
 * @throws LostFactsError when the ledger has lost its end; LedgerInUseError when the run is being taken back
 */
export function lookupOfCopy(view: RunView, run: RunRow): 'here and there' | 'there' | 'nowhere' {
  view.refuseLostFacts();
  if (run.state === 'finished') return 'nowhere';
  const unheld = { ...view, isTaken: (id: string) => id !== run.id && view.isTaken(id) };
  if (canContinue(unheld, run)) return 'here and there';
  return view.hasLostFacts(run) ? 'there' : 'nowhere';
}
