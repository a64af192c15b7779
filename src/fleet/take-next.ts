import { type Moment, momentNow } from '../core/time.js';
import { type CanaryLeft, type PieceLease, takePiece } from '../ledger/pieces.js';
import { shareTables } from '../ledger/postgres-schema.js';
import type { OpenShared } from '../ledger/shared.js';
import type { Fleet } from './fleet.js';

/** A piece that this process has taken. */
export interface TakenWork {
  readonly lease: PieceLease;
  /** The packed chunks. */
  readonly data: Buffer;
  /** When the statement that took it was sent. */
  readonly taken: Moment;
  /** Clients of the canary that it begins with; `null`: none is waited for. */
  readonly canary: CanaryLeft | null;
}

/**
 * Takes the next piece of a run that is due, and has it due again when the lease lapses, in one transaction; `undefined`:
 * none is due. One that is leased is put off.
 */
export function takeNext(
  { connections, jobs, times }: Fleet,
  { place, run }: Pick<OpenShared, 'place' | 'run'>,
  worker: string,
): Promise<TakenWork | undefined> {
  const taken = momentNow();
  return connections.transaction(async (queries) => {
    // Before the first job: whoever ends a piece may wait for a job that is being put off, so that who puts it off waits
    // for nobody.
    await shareTables(queries);
    for (;;) {
      const number = await jobs.next(queries, run);
      if (number === undefined) return undefined;
      const piece = await takePiece(queries, { place, number }, worker, times);
      await jobs.remove(queries, run, number);
      if (piece.kind === 'over') continue;
      const seconds = piece.kind === 'later' ? piece.seconds : times.leaseMs / 1000;
      await jobs.add(queries, run, number, seconds);
      if (piece.kind !== 'taken') continue;
      const { lease, data, canary } = piece;
      return { lease, data, canary, taken };
    }
  });
}

/** Has a piece that was given back taken at once. */
export async function offerAgain(
  { connections, jobs }: Fleet,
  run: string,
  number: number,
): Promise<void> {
  await connections.transaction(async (queries) => {
    await jobs.remove(queries, run, number);
    await jobs.add(queries, run, number);
  });
}
