import type { Fact } from '../../core/facts/facts.js';
import { reportRows } from '../../core/facts/report-rows.js';
import type { RowReport } from '../../core/report.js';
import { type FactRow, factOf } from '../fact-table.js';
import { enqueues } from '../runs/run-table.js';
import type { Queries } from './connection.js';
import type { PlacedRun } from './run-statements.js';
import { LEDGER_SCHEMA } from './schema.js';

const FACT = `${LEDGER_SCHEMA}.fact`;

/** The facts of one chunk of a run. */
export async function factsOf(queries: Queries, place: number, chunk: number): Promise<Fact[]> {
  const rows = await queries.rows<FactRow>(
    `SELECT chunk, kind, data FROM ${FACT} WHERE run = $1 AND chunk = $2 ORDER BY number`,
    [place, chunk],
  );
  return rows.map(factOf);
}

/** The first row of a run; chunks before it may have none. */
export async function firstRow(queries: Queries, run: PlacedRun): Promise<RowReport | undefined> {
  for (let at = -1; ;) {
    const [next] = await queries.rows<{ chunk: number | null }>(
      `SELECT min(chunk) AS chunk FROM ${FACT} WHERE run = $1 AND chunk > $2`,
      [run.place, at],
    );
    if (typeof next?.chunk !== 'number') return undefined;
    at = next.chunk;
    const [first] = reportRows([await factsOf(queries, run.place, at)], enqueues(run));
    if (first) return first;
  }
}
