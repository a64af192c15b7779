import PgBoss from 'pg-boss';
import { CardlineError, codeOf } from '../core/errors.js';
import { postgresAddress } from '../ledger/address.js';
import { type Connections, connectionsTo } from '../ledger/connection.js';
import { quoted, RIGHTS, roleOf } from '../ledger/postgres-schema.js';
import { JOBS_SCHEMA, PieceJobs } from './jobs.js';

const J = JOBS_SCHEMA;

/** What makes and removes the table of a run. */
const FUNCTIONS = ['create_queue(text, json)', 'delete_queue(text)'];

/**
 * Makes the tables of jobs in a database; `null`: they are there, and the role may work with them. Else what an
 * administrator has to execute. @throws LedgerError, NoLedgerError
 */
export async function initJobs(address: string, justPrints: boolean): Promise<string | null> {
  const connections = connectionsTo(postgresAddress(address));
  try {
    if (!justPrints && (await isReady(connections))) return null;
    return jobsSql(await roleOf(connections), await areThere(connections));
  } finally {
    await connections.close();
  }
}

async function isReady(connections: Connections): Promise<boolean> {
  try {
    await PieceJobs.open(connections);
  } catch (error) {
    if (error instanceof CardlineError && codeOf(error.cause) === FORBIDDEN) return false;
    throw error;
  }
  const [found] = await connections.rows<{ may: boolean | null }>(
    `SELECT has_schema_privilege('${J}', 'USAGE')
       AND (SELECT bool_and(${RIGHTS}) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = '${J}' AND c.relkind IN ('r', 'p') AND NOT c.relispartition)
       AND (SELECT bool_and(has_function_privilege(f.oid, 'EXECUTE')
              AND (f.prosecdef OR pg_has_role(f.proowner, 'USAGE')))
            FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
            WHERE n.nspname = '${J}' AND f.proname IN ('create_queue', 'delete_queue')) AS may`,
  );
  return found?.may === true;
}

/** SQLSTATE: the role may not do this. */
const FORBIDDEN = '42501';

/** Also where the role may not look at them. */
async function areThere(connections: Connections): Promise<boolean> {
  const found = await connections.rows(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = '${J}' AND c.relname = 'version'`,
  );
  return found.length > 0;
}

/**
 * The statements that make the tables of jobs and permit a role to work with them. Each run has a table of its own: it is
 * made by functions that have the rights of the administrator, so that the role needs none to make tables.
 */
export function jobsSql(role: string, areMade: boolean): string {
  const to = quoted(role);
  const functions = FUNCTIONS.flatMap((name) => [
    `ALTER FUNCTION ${J}.${name} SECURITY DEFINER SET search_path = ${J}, pg_temp;`,
    `REVOKE ALL ON FUNCTION ${J}.${name} FROM PUBLIC;`,
    `GRANT EXECUTE ON FUNCTION ${J}.${name} TO ${to};`,
  ]);
  return [
    ...(areMade ? [] : [PgBoss.getConstructionPlans(J).trim().replaceAll(/^ {4}/gm, '')]),
    'BEGIN;',
    ...functions,
    `GRANT USAGE ON SCHEMA ${J} TO ${to};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${J} TO ${to};`,
    'COMMIT;\n',
  ].join('\n');
}
