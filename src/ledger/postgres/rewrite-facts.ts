import type { Fact } from '../../core/facts.js';
import { storedFacts } from '../recorder/recorder.js';
import type { Connections } from './connection/connection.js';
import { placedRun } from './run-statements.js';
import { LEDGER_SCHEMA } from './schema.js';
import type { Spool } from './spool.js';

const FACT = `${LEDGER_SCHEMA}.fact`;
const PIECE = `${LEDGER_SCHEMA}.piece`;

/** Writes the facts of a chunk anew, in their order. */
export async function rewriteFacts(
  connections: Connections,
  spool: Spool,
  run: string,
  chunk: number,
  facts: readonly Fact[],
): Promise<void> {
  const place = (await placedRun(connections, run))?.place;
  const stored = storedFacts(run, chunk, facts);
  await connections.transaction(async (queries) => {
    const rows = await queries.rows<{ number: number; kind: string }>(
      `SELECT number, kind FROM ${FACT} WHERE run = $1 AND chunk = $2 ORDER BY number FOR UPDATE`,
      [place, chunk],
    );
    if (rows.length !== stored.length || rows.some(({ kind }, at) => kind !== stored[at]?.kind))
      throw new Error(`The facts of run ${run} are others than those that were read.`);
    await queries.run(
      `UPDATE ${FACT} f SET data = n.data FROM unnest($2::bigint[], $3::text[]) AS n (number, data)
       WHERE f.run = $1 AND f.number = n.number`,
      [place, rows.map(({ number }) => number), stored.map(({ data }) => textOf(data))],
    );
  });
  if (place !== undefined) spool.forget(place);
}

const textOf = (data: string | Uint8Array): string =>
  typeof data === 'string' ? data : Buffer.from(data).toString();

/**
 * Writes the tables anew without the rows that were replaced, such as pieces as they were before they ended. What the server
 * has of them in its log, its archive and its backups is its own.
 */
export async function scrub(connections: Connections): Promise<void> {
  await connections.run(`VACUUM (FULL) ${FACT}, ${PIECE}`);
}
