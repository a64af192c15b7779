import { momentNow } from '../../core/time.js';
import type { HeldRun, Ledger } from '../port.js';
import { isContentAsked } from '../runs/choose-run.js';
import { refuseRelying } from '../runs/hold-run.js';
import { inUse } from '../runs/in-use.js';
import { runsToForget } from '../runs/prune.js';
import { workerText } from '../runs/run-table.js';
import { postgresAddress } from './connection/address.js';
import { connectionsTo } from './connection/connection.js';
import {
  LEASE_TIMES,
  type LeaseTimes,
  type LookAgain,
  keepLease,
  patiently,
  takeLease,
} from './lease.js';
import { doubtful, loadView } from './load-view.js';
import { type PostgresParts, openRun } from './open-run.js';
import { lockTables, prepareTables } from './prepare-tables.js';
import { noteWorker, pruneRuns } from './run-statements.js';
import { rewriteFacts, scrub } from './rewrite-facts.js';
import { recordedRuns } from './recorded-runs.js';
import { runContents } from './run-contents.js';
import { refuseShared } from './shared/refuse-shared.js';
import { lockShared } from './shared/shared-runs.js';
import { Spool } from './spool.js';
import { transferOfDatabase } from './transfer-of-database.js';

/**
 * Opens the ledger in a database of PostgreSQL, and makes its tables where there are none.
 * @throws LedgerError, NoLedgerError: what is wrong with address, user, certificate, server or tables
 */
export async function openPostgresLedger(
  address: string,
  times: LeaseTimes = LEASE_TIMES,
): Promise<Ledger> {
  const connections = connectionsTo(postgresAddress(address));
  try {
    await prepareTables(connections);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return ledgerOn({ connections, spool: new Spool(connections), times });
}

function ledgerOn(parts: PostgresParts): Ledger {
  const { connections, spool, times } = parts;
  const { name } = connections;
  const view = () => connections.transaction((queries) => loadView(queries, name));
  return {
    file: name,
    ...recordedRuns(connections),
    openRun: (request) =>
      patiently(connections, times, (lookAgain) => openRun(parts, request, lookAgain), {
        shares: request.shared !== undefined,
      }),
    holdRun: (run) => patiently(connections, times, (lookAgain) => holdRun(parts, run, lookAgain)),
    asksContent: async (identity, run) => isContentAsked(await view(), identity, run),
    ...runContents(parts),
    rewriteFacts: (run, chunk, facts) => rewriteFacts(connections, spool, run, chunk, facts),
    scrub: () => scrub(connections),
    prune: (before, leaving) =>
      connections.transaction(async (queries) => {
        await lockTables(queries);
        const old = runsToForget(await loadView(queries, name), before);
        leaving?.(old);
        await pruneRuns(queries, old);
        return old;
      }),
    transfer: transferOfDatabase(parts),
    close: async () => {
      spool.close();
      await connections.close();
    },
  };
}

/** Keeps other processes from a run. @throws LedgerInUseError, LostFactsError */
async function holdRun(
  { connections, times }: PostgresParts,
  id: string,
  lookAgain: LookAgain,
): Promise<HeldRun> {
  let sent = momentNow();
  const lease = await connections.transaction(async (queries) => {
    await lockTables(queries);
    await lookAgain(queries);
    const view = await loadView(queries, connections.name);
    const row = view.runs.find((run) => run.id === id);
    if (row && view.isTaken(id)) throw inUse(row);
    const state = row && (await lockShared(queries, row.place));
    if (row && state?.isOpen) refuseShared(row, state, connections.name);
    sent = momentNow();
    const taken = await takeLease(queries, id, times);
    if (!taken) throw inUse(row ?? { id, worker: null });
    if (row && view.hasLostFacts(row)) throw doubtful(connections.name, row);
    refuseRelying(view, id);
    await noteWorker(queries, id, workerText());
    return taken;
  });
  return keepLease(connections, lease, times, sent);
}
