import type Database from 'better-sqlite3';
import { type LedgerInUseError, RunInUseError, RunTakenError } from '../../core/errors.js';
import { runRow, type RunRow, type Worker } from './run-table.js';
import { ledgerCommand } from '../../core/text.js';
import type { RunView } from './run-view.js';

/** Says who works on a run, and what to do. */
export function inUse({ id, worker }: Pick<RunRow, 'id' | 'worker'>): LedgerInUseError {
  const known = worker === null ? null : (JSON.parse(worker) as Worker);
  const who = known ? ` (${known.pid} on ${known.host})` : '';
  const since = known ? ` since ${new Date(known.since).toISOString()}` : '';
  return new RunInUseError(
    `Another process${who} has been working on run ${id}${since}; wait for it, or stop it and run the same command again.`,
    id,
  );
}

/**
 * A command that began beside another one is refused as one that meets it, also where that other one was quick to end.
 * @throws LedgerInUseError when another process has ended its work on the run since the command began
 */
export function refuseFreed(view: Pick<RunView, 'wasFreedMeanwhile' | 'ledger'>, run: RunRow): void {
  if (!view.wasFreedMeanwhile(run)) return;
  const { id } = run;
  throw new RunInUseError(
    `Another process has been working on run ${id}, and ended after this command had begun. See how it ended ("${ledgerCommand(view.ledger, 'report', id)}"), and run the same command again where more is to be sent.`,
    id,
  );
}

/** Said to a process that has lost its run. */
export const runTaken = (run: string): RunTakenError =>
  new RunTakenError(
    `Another process has taken run ${run}, since this one did not answer for too long. Nothing more is sent here; look at the run there.`,
    { saysHowToContinue: true },
  );

/** @throws RunTakenError when another process has opened the run since */
export function refuseReopened(database: Database.Database, run: string, openedAt: number): void {
  if (runRow(database, run)?.opened_at !== openedAt) throw runTaken(run);
}

/** @throws LedgerInUseError when another process works on the run */
export function refuseTaken(view: Pick<RunView, 'isTaken'>, run: RunRow): void {
  if (view.isTaken(run.id)) throw inUse(run);
}
