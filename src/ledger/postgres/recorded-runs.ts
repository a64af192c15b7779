import type { RunRecord } from '../../core/ledger.js';
import type { RecordedRuns } from '../port.js';
import { latestToResume, resumableRuns } from '../runs/resumable.js';
import { type RunRow, recordOf } from '../runs/run-table.js';
import { undosByRun } from '../runs/taken-back.js';
import type { Connections, Queries } from './connection/connection.js';
import { findRuns } from './find-runs.js';
import { takenRuns } from './lease.js';
import { loadView } from './load-view.js';
import { allRuns, hasUnfinished, placedRun, runsLikeUndos } from './run-statements.js';

export function recordedRuns(connections: Connections): RecordedRuns {
  const { name } = connections;
  const view = () => atOnce(connections, (queries) => loadView(queries, name));
  return {
    runs: () =>
      atOnce(connections, async (queries) => {
        const record = recording(await takenRuns(queries));
        return (await allRuns(queries)).toReversed().map(record);
      }),
    find: (run) =>
      atOnce(connections, async (queries) => {
        const row = await placedRun(queries, run);
        return row && recording(await takenRuns(queries))(row);
      }),
    page: (filter, offset, limit) =>
      atOnce(connections, async (queries) => {
        const taken = await takenRuns(queries);
        const page = await findRuns(queries, taken, filter, offset, limit);
        return { ...page, runs: page.runs.map(recording(taken)) };
      }),
    resumable: async (runs) =>
      (await hasUnfinished(connections, runs)) ? resumableRuns(await view(), runs) : new Set(),
    latestToResume: async () => latestToResume(await view()),
    undosOf: async (runs) => {
      const undos = await atOnce(connections, async (queries) =>
        loadView(queries, name, { only: await runsLikeUndos(queries) }),
      );
      return undosByRun(undos, runs);
    },
  };
}

const recording =
  (taken: ReadonlySet<string>) =>
  (row: RunRow): RunRecord =>
    recordOf(row, { isTaken: (run) => taken.has(run) });

/** What several statements find is of one moment. */
function atOnce<T>(connections: Connections, work: (queries: Queries) => Promise<T>): Promise<T> {
  return connections.transaction(async (queries) => {
    await queries.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    return work(queries);
  });
}
