import { z } from 'zod';
import type { OutcomeCounts } from '../../core/outcome.js';
import { type Fleet, openFleet } from '../../fleet/fleet.js';
import { progressOfShared } from '../../ledger/pieces.js';
import { placedRun } from '../../ledger/postgres-tables.js';
import {
  type LeasedPiece,
  leasedPieces,
  seenWorkers,
  type SharedCount,
  sharedCounts,
} from '../../ledger/shared.js';
import { refuseOtherLedger } from './refuse-other-ledger.js';

/** A process that takes pieces, or did until a moment ago. */
export interface FleetWorker {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly maxPieces: number;
  /** Names of the installations that it works for; absent: all. */
  readonly installations?: readonly string[] | undefined;
  /** The one run that it works on, whose submitter it is. */
  readonly only?: string | undefined;
  /** ISO 8601. */
  readonly since: string;
  readonly secondsAgo: number;
}

export interface FleetPiece extends Omit<LeasedPiece, 'worker'> {
  /** `pid on host`. */
  readonly worker: string;
}

export interface FleetRun extends SharedCount {
  readonly outcomes: OutcomeCounts;
}

/** Who works on which runs now. */
export interface FleetState {
  readonly workers: readonly FleetWorker[];
  readonly runs: readonly FleetRun[];
  readonly pieces: readonly FleetPiece[];
}

const process = z.object({ pid: z.number(), host: z.string(), since: z.number() });
const about = z.object({
  version: z.string(),
  maxPieces: z.number(),
  installations: z.array(z.string()).optional(),
  only: z.string().optional(),
});

/** Looks again and again while it is open. @throws UsageError, LedgerError */
export async function openFleetView(
  ledger: string,
): Promise<{ look(): Promise<FleetState>; close(): Promise<void> }> {
  refuseOtherLedger(ledger);
  const fleet = await openFleet(ledger);
  return { look: () => stateOf(fleet), close: () => fleet.close() };
}

async function stateOf({ connections }: Fleet): Promise<FleetState> {
  const workers = (await seenWorkers(connections)).flatMap(({ id, data, secondsAgo }) => {
    const [who, what] = [process.safeParse(JSON.parse(id)), about.safeParse(JSON.parse(data))];
    if (!who.success || !what.success) return [];
    const { pid, host, since } = who.data;
    return [{ host, pid, ...what.data, since: new Date(since).toISOString(), secondsAgo }];
  });
  const pieces = (await leasedPieces(connections)).map(({ worker, ...piece }) => {
    const who = process.safeParse(worker === '' ? null : JSON.parse(worker)).data;
    return { ...piece, worker: who ? `${who.pid} on ${who.host}` : '' };
  });
  const runs: FleetRun[] = [];
  for (const count of await sharedCounts(connections)) {
    const place = (await placedRun(connections, count.run))?.place;
    if (place === undefined) continue;
    runs.push({ ...count, outcomes: (await progressOfShared(connections, place)).outcomes });
  }
  return { workers, runs, pieces };
}
