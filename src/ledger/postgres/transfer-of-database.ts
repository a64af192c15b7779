import { momentNow } from '../../core/time.js';
import { lookupOfCopy } from '../copy/lend-run.js';
import type { RunOnRecord, RunTransfer } from '../copy/run-transfer.js';
import type { FactRow } from '../fact-table.js';
import { inUse } from '../runs/in-use.js';
import type { RunRow } from '../runs/run-table.js';
import type { Queries } from './connection/connection.js';
import { type Lease, keepLease, takeLease } from './lease.js';
import { clusterOf, loadView } from './load-view.js';
import type { PostgresParts } from './open-run.js';
import { lockTables } from './prepare-tables.js';
import { type PlacedRun, allRuns, insertRun, placedRun, settleAllOf } from './run-statements.js';
import { LEDGER_SCHEMA } from './schema.js';
import { refuseShared } from './shared/refuse-shared.js';
import { lockShared } from './shared/shared-runs.js';

const FACT = `${LEDGER_SCHEMA}.fact`;

/** Facts of a statement: each may be of some 100 KiB. */
const FACTS = 200;

/** Copies runs out of a ledger in PostgreSQL and into it. What is copied into it is seen when all of it is there. */
export function transferOfDatabase(parts: PostgresParts): RunTransfer {
  const { connections, times } = parts;
  return {
    rows: async () => (await allRuns(connections)).map(withoutPlace),
    read: async (id) => runOnRecord(connections, await rowOf(connections, id)),
    lend: async (id, use) => {
      const sent = momentNow();
      const { row, lease } = await lentRow(parts, id);
      const kept = keepLease(connections, lease, times, sent);
      try {
        return await use(runOnRecord(connections, row));
      } finally {
        await kept.release();
      }
    },
    receive: (run, check) =>
      connections.transaction(async (queries) => {
        const cluster = await clusterOf(queries);
        const row = await insertRun(queries, { ...run.row, cluster });
        await insertFacts(queries, row.place, run.facts());
        await check(runOnRecord(queries, row));
      }),
  };
}

const runOnRecord = (queries: Queries, row: PlacedRun): RunOnRecord => ({
  row: withoutPlace(row),
  facts: () => storedFacts(queries, row.place),
});

function withoutPlace({ place: _, cluster: __, ...row }: PlacedRun): RunRow {
  return row;
}

async function rowOf(queries: Queries, id: string): Promise<PlacedRun> {
  const row = await placedRun(queries, id);
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return row;
}

/** Takes a run, and gives its line as its copy has it. */
function lentRow(
  { connections, times }: PostgresParts,
  id: string,
): Promise<{ readonly row: PlacedRun; readonly lease: Lease }> {
  return connections.transaction(async (queries) => {
    await lockTables(queries);
    const row = await rowOf(queries, id);
    const lease = await takeLease(queries, id, times);
    if (!lease) throw inUse(row);
    // Workers would go on here with what is copied, whatever the other ledger does.
    const shared = await lockShared(queries, row.place);
    if (shared?.isOpen) refuseShared(row, shared, connections.name);
    const lookup = lookupOfCopy(await loadView(queries, connections.name), row);
    if (lookup === 'here and there') await settleAllOf(queries, row.place);
    return { lease, row: lookup === 'nowhere' ? row : { ...row, settles_all: 1 } };
  });
}

async function* storedFacts(
  queries: Queries,
  place: number,
): AsyncGenerator<readonly FactRow[], void, undefined> {
  for (let last = { chunk: -1, number: 0 }; ;) {
    const rows = await queries.rows<FactRow & { readonly number: number }>(
      `SELECT number, chunk, kind, data FROM ${FACT}
       WHERE run = $1 AND (chunk, number) > ($2, $3) ORDER BY chunk, number LIMIT ${FACTS}`,
      [place, last.chunk, last.number],
    );
    yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < FACTS) return;
    last = end;
  }
}

async function insertFacts(
  queries: Queries,
  place: number,
  facts: AsyncIterable<readonly FactRow[]>,
): Promise<void> {
  let last = 0;
  for await (const rows of facts) {
    for (let at = 0; at < rows.length; at += FACTS) {
      const part = rows.slice(at, at + FACTS);
      await queries.run(
        `INSERT INTO ${FACT} (run, number, chunk, kind, data)
         SELECT $1, $2 + f.at, f.chunk, f.kind, f.data
         FROM unnest($3::bigint[], $4::text[], $5::text[]) WITH ORDINALITY AS f (chunk, kind, data, at)`,
        [
          place,
          last,
          ...(['chunk', 'kind', 'data'] as const).map((key) => part.map((f) => f[key])),
        ],
      );
      last += part.length;
    }
  }
}
