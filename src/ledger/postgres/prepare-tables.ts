import { NewerLedgerError, NoLedgerError } from '../../core/errors.js';
import { NOTE_VERSION } from './administrator.js';
import type { Connections, Queries } from './connection/connection.js';
import { LEDGER_SCHEMA, MIN_SERVER, SCHEMA_VERSION, STEPS } from './schema.js';

const S = LEDGER_SCHEMA;

/**
 * Makes the tables, or brings those of an earlier version up to date.
 * @throws NoLedgerError when the server is too old or forgets what it has confirmed, the schema belongs to something
 * else, or the tables are of a later version
 */
export async function prepareTables(connections: Connections): Promise<void> {
  const { name } = connections;
  await refuseServer(connections);
  if ((await versionOf(connections, name)) === SCHEMA_VERSION) return;
  await connections.transaction(async (queries) => {
    // Looked at again inside: another process may make the tables at the same moment.
    await lockTables(queries);
    const version = await versionOf(queries, name);
    if (version === SCHEMA_VERSION) return;
    refuseNewer(version, name);
    if (version === 0 && !(await hasSchema(queries))) await queries.run(`CREATE SCHEMA ${S}`);
    for (const step of STEPS.slice(version)) await queries.run(step);
    await queries.run(NOTE_VERSION);
  });
}

/** @throws NewerLedgerError when the tables are of a later version */
export function refuseNewer(version: number, name: string): void {
  if (version > SCHEMA_VERSION)
    throw new NewerLedgerError(
      `The ledger ${name} was written by a later version of cardline; use that version, or another --ledger.`,
    );
}

/** For as long as the transaction takes, others neither make tables nor choose runs. */
export async function lockTables(queries: Queries): Promise<void> {
  await queries.rows(lockBy('pg_advisory_xact_lock'));
}

/** The same, for those who take pieces: they need not wait for each other. */
export async function shareTables(queries: Queries): Promise<void> {
  await queries.rows(lockBy('pg_advisory_xact_lock_shared'));
}

const lockBy = (lock: string): string => `SELECT ${lock}(hashtextextended('${S} ledger', 0))`;

async function hasSchema(queries: Queries): Promise<boolean> {
  return (await queries.rows('SELECT FROM pg_namespace WHERE nspname = $1', [S])).length > 0;
}

/** 0: there are no tables. @throws NoLedgerError when the schema belongs to something else */
export async function versionOf(queries: Queries, name: string): Promise<number> {
  const tables = await queries.rows<{ table: string }>(
    `SELECT c.relname AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
    [S],
  );
  if (tables.length === 0) return 0;
  const names = new Set(tables.map(({ table }) => table));
  const isOurs = ['ledger', 'run', 'fact'].every((table) => names.has(table));
  const found = isOurs
    ? await queries.rows<{ value: string }>(`SELECT value FROM ${S}.ledger WHERE name = 'version'`)
    : [];
  const version = Number(found[0]?.value ?? 0);
  if (version >= 1) return version;
  throw new NoLedgerError(
    `The ledger ${name}: its schema "${S}" belongs to something else, and was left as it was; give another database with --ledger.`,
  );
}

/** @throws NoLedgerError when the server is too old, or forgets what it has confirmed */
export async function refuseServer(connections: Connections): Promise<void> {
  const { name } = connections;
  const [found] = await connections.rows<{ version: number; keeps: string; fsync: string }>(
    `SELECT current_setting('server_version_num')::int AS version,
       current_setting('synchronous_commit') AS keeps, current_setting('fsync') AS fsync`,
  );
  if (found && found.version < MIN_SERVER)
    throw new NoLedgerError(
      `The ledger ${name}: the server is PostgreSQL ${Math.floor(found.version / 10_000)}; it has to be 13 or later.`,
    );
  const loose = found?.fsync === 'off' ? 'fsync' : 'synchronous_commit';
  if (found?.fsync === 'off' || found?.keeps === 'off')
    throw new NoLedgerError(
      `The ledger ${name}: ${loose} is off, so that the server may forget what it has confirmed, and clients would be sent twice. Turn it on, for this role at the least.`,
    );
}
