import type { SharedWork } from '../ledger/ledger.js';
import {
  endCanary,
  endPiece,
  limitShared,
  type PieceEnd,
  type PieceLease,
  type SharedLimits,
} from '../ledger/pieces.js';

import type { Fleet } from './fleet.js';

/** Puts the end of a piece on record; whether it was still this process's, and whether it ended the run. */
export function endWork(
  { connections, jobs }: Fleet,
  run: string,
  lease: PieceLease,
  end: PieceEnd,
): Promise<{ readonly isOwn: boolean; readonly endsRun: boolean }> {
  return connections.transaction(async (queries) => {
    const { opens, ...ended } = await endPiece(queries, lease, end);
    await jobs.addAll(queries, run, opens);
    return ended;
  });
}

/** Puts on record how the canary ended; where it has passed, workers may take the other pieces. */
export function endCanaryOf(
  { connections, jobs }: Fleet,
  run: string,
  lease: PieceLease,
  hasPassed: boolean,
): Promise<void> {
  return connections.transaction(async (queries) => {
    await jobs.addAll(queries, run, await endCanary(queries, lease, hasPassed));
  });
}

/**
 * Sets the limits of a run as its command has them now. Resolves with whether it may go on: not where its canary did not
 * pass, and nobody knows it; `undefined`: the run is another process's.
 */
export function limitRun(
  { connections, jobs }: Fleet,
  run: string,
  work: SharedWork,
  limits: SharedLimits,
): Promise<boolean | undefined> {
  return connections.transaction(async (queries) => {
    const limited = await limitShared(queries, work, limits);
    if (!limited) return undefined;
    await jobs.addAll(queries, run, limited.open);
    return limited.gate !== 0;
  });
}
