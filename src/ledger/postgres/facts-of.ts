import { type Fact, reportRows } from '../../core/facts.js';
import type { RowReport } from '../../core/report.js';
import { type FactRow, factOf } from '../fact-table.js';
import { enqueues } from '../runs/run-table.js';
import type { Queries } from './connection/connection.js';
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

/**
 * What is on record of some chunks of a run beside their rows, by chunk: those rows are the larger part of it by far.
 * `from` and `to`: the first and the last of the chunks.
 */
export async function laterFactsOf(
  queries: Queries,
  place: number,
  from: number,
  to: number,
): Promise<Map<number, Fact[]>> {
  const rows = await queries.rows<FactRow>(
    `SELECT chunk, kind, data FROM ${FACT}
     WHERE run = $1 AND chunk BETWEEN $2 AND $3 AND kind <> 'read' ORDER BY number`,
    [place, from, to],
  );
  const facts = new Map<number, Fact[]>();
  for (const row of rows) {
    const of = facts.get(row.chunk) ?? [];
    of.push(factOf(row));
    facts.set(row.chunk, of);
  }
  return facts;
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
