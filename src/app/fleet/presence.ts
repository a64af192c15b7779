import { USER_AGENT } from '../../client/user-agent.js';
import { LedgerError } from '../../core/errors.js';
import type { Fleet } from '../../fleet/fleet.js';
import { forgetWorker, noteSeen } from '../../ledger/shared.js';

/** What others may want to know of a worker. */
interface Announced {
  readonly maxPieces: number;
  readonly installations?: readonly string[] | undefined;
  /** The one run that it works on. */
  readonly only?: string | undefined;
}

/** Lets others see this worker for as long as it is there. */
export function announce(
  { connections, times }: Fleet,
  id: string,
  { maxPieces, installations, only }: Announced,
): { readonly end: () => Promise<void> } {
  const data = JSON.stringify({ version: USER_AGENT, maxPieces, installations, only });
  let noting: Promise<void> = Promise.resolve();
  const note = (): void => {
    // One after the other: none may arrive behind the end. While the database is away, nobody sees anything of anybody.
    noting = noting.then(() => noteSeen(connections, id, data)).catch(ifAway);
  };
  note();
  const timer = setInterval(note, times.renewMs);
  timer.unref();
  return {
    end: async () => {
      clearInterval(timer);
      await noting;
      await forgetWorker(connections, id).catch(ifAway);
    },
  };
}

function ifAway(error: unknown): void {
  if (!(error instanceof LedgerError)) throw error;
}
