import { EXIT, type ExitCode, UsageError } from '../../core/errors.js';
import { isPostgresAddress } from '../../core/ledger.js';
import { whole } from '../../core/text.js';
import { openFleet } from '../../fleet/fleet.js';
import type { LeaseTimes } from '../../ledger/lease.js';
import type { SharedStop } from '../../ledger/ledger.js';
import { liveShared } from '../../ledger/shared.js';

import { GIVE_UP_MS, PIECES_AT_A_TIME } from '../defaults.js';
import { work } from './work.js';

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
