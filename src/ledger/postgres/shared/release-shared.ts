import { UsageError } from '../../../core/errors.js';
import { inUse } from '../../runs/in-use.js';
import type { Connections } from '../connection/connection.js';
import { takenRuns } from '../lease.js';
import { lockTables } from '../prepare-tables.js';
import { placedRun } from '../run-statements.js';
import { LEDGER_SCHEMA } from '../schema.js';
import { lockShared } from './shared-runs.js';

const S = LEDGER_SCHEMA;

/**
 * Takes a run back from the machines that share it: its pieces are forgotten, what is on record stays, and one process can
 * go on with it or take back what it did. Whoever comes late with a piece of it records nothing.
 * @throws UsageError where there is nothing to take back, LedgerInUseError where somebody works on it
 */
export function releaseShared(connections: Connections, id: string): Promise<void> {
  return connections.transaction(async (queries) => {
    await lockTables(queries);
    const run = await placedRun(queries, id);
    if (!run) throw new UsageError(`Run ${id} is not in the ledger ${connections.name}.`);
    // Pieces are locked before the line of the shared run, as whoever appends does.
    await queries.rows(`SELECT FROM ${S}.piece WHERE run = $1 ORDER BY number FOR UPDATE`, [
      run.place,
    ]);
    const state = await lockShared(queries, run.place);
    if (!state?.isOpen)
      throw new UsageError(
        `Run ${id} is not shared, or all of its pieces have ended: other commands can work on it.`,
      );
    if ((await takenRuns(queries)).has(id)) throw inUse(run);
    // Of a canary that did not pass nobody may have been told yet: whoever goes on is, as after a process that died.
    await queries.run(
      `UPDATE ${S}.run SET state = NULL WHERE place = $1
         AND EXISTS (SELECT FROM ${S}.shared WHERE run = $1 AND gate = 0)`,
      [run.place],
    );
    await queries.run(`DELETE FROM ${S}.shared WHERE run = $1`, [run.place]);
  });
}
