import { EXIT, type ExitCode, UsageError } from '../core/errors.js';
import { isPostgresAddress } from '../core/ledger.js';
import { whole } from '../core/text.js';
import { openFleet, type Fleet } from '../fleet/fleet.js';
import type { LeaseTimes, SharedStop } from '../ledger/port.js';
import {
  liveShared,
  type LeasedPiece,
  leasedPieces,
  seenWorkers,
  type SharedCount,
  sharedCounts,
  releaseShared,
  placedRun,
  progressOfShared,
} from '../ledger/shared.js';

import { GIVE_UP_MS, PIECES_AT_A_TIME } from '../options/places.js';
import { work } from './work.js';
import { z } from 'zod';
import type { OutcomeCounts } from '../core/outcome.js';

/** A process that works on the pieces of shared runs. */
export interface WorkerRequest {
  /** Address of the ledger, `postgres://…`. */
  readonly ledger: string;
  /** Pieces that are worked on at a time. @default 2 */
  readonly maxPieces?: number | undefined;
  /** Names of the installations whose runs are taken. @default all */
  readonly installations?: readonly string[] | undefined;
  /** How long to wait for a database that does not answer, in milliseconds. @default 900000 */
  readonly giveUpAfterMs?: number | undefined;
  /** Times of leases: the same on all machines. @default 30 s, renewed every 5 s */
  readonly lease?: LeaseTimes | undefined;
  /** Environment for `${NAME}` in installations. @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Aborted to stop gently: what is in flight ends, and pieces are given back. */
  readonly signal: AbortSignal;
  /** Called with what a person may want to know. */
  readonly onNote: (message: string) => void;
}

/**
 * Takes pieces of shared runs until it is stopped.
 * @throws UsageError, NoLedgerError where it cannot begin; LedgerError where its database was away for too long
 */
export async function executeWorker(request: WorkerRequest): Promise<ExitCode> {
  const { ledger, maxPieces = PIECES_AT_A_TIME, installations, onNote, signal, env } = request;
  if (!isPostgresAddress(ledger))
    throw new UsageError(
      'A worker needs the ledger that machines share: give --ledger postgres://…',
    );
  const fleet = await openFleet(ledger, request.lease);
  try {
    await fleet.jobs.sweep(() => liveShared(fleet.connections));
    onNote(`Working on pieces of ${fleet.connections.name}, ${maxPieces} at a time.`);
    await work(fleet, {
      ...{ maxPieces, installations, signal, env, onWarning: onNote },
      giveUpAfterMs: request.giveUpAfterMs ?? GIVE_UP_MS,
      onPiece: (run, number, what) => onNote(`Piece ${number} of run ${run}: ${what}.`),
      onStopped: (run, why) => {
        onNote(`Nothing can be sent for run ${run}: ${why.message} It is tried again.`);
        return true;
      },
      onRunStopped: (run, stop) => onNote(stopNote(run, stop)),
    });
    return EXIT.ok;
  } finally {
    await fleet.close();
  }
}

function stopNote(run: string, { by, bad }: SharedStop): string {
  const why =
    by === 'canary'
      ? 'too many of its first rows failed'
      : `${whole(bad)} of its rows did not end well, more than --max-failures allows`;
  return `Nothing more is sent for run ${run}: ${why}. The command that began it writes the report.`;
}

/** A process that takes pieces, or did until a moment ago. */
interface FleetWorker {
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

interface FleetPiece extends Omit<LeasedPiece, 'worker'> {
  /** `pid on host`. */
  readonly worker: string;
}

interface FleetRun extends SharedCount {
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

/**
 * Takes a run back from the machines that share it, so that other commands work on it.
 * @throws UsageError, LedgerInUseError, LedgerError
 */
export async function releaseRun(ledger: string, run: string): Promise<void> {
  refuseOtherLedger(ledger);
  const fleet = await openFleet(ledger);
  try {
    await releaseShared(fleet.connections, run);
    await fleet.jobs.end(run);
  } finally {
    await fleet.close();
  }
}

/** @throws UsageError: a ledger in a file is that of one machine */
function refuseOtherLedger(ledger: string): void {
  if (!isPostgresAddress(ledger))
    throw new UsageError('Machines share a ledger in PostgreSQL: give --ledger postgres://…');
}
