import type { Queries } from './connection/connection.js';
import { LEDGER_SCHEMA } from './schema.js';

const S = LEDGER_SCHEMA;

/** Whether the role may read and write a table (`c`). */
export const RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
  .map((right) => `has_table_privilege(c.oid, '${right}')`)
  .join(' AND ');

/** Whether the role may record runs: make the tables where there are none (`version` 0), else write to them. */
export async function mayWrite(queries: Queries, version: number): Promise<boolean> {
  const [found] = await queries.rows<{ may: boolean | null }>(
    version === 0
      ? `SELECT CASE WHEN to_regnamespace('${S}') IS NULL
           THEN has_database_privilege(current_database(), 'CREATE')
           ELSE has_schema_privilege('${S}', 'USAGE') AND has_schema_privilege('${S}', 'CREATE') END AS may`
      : `SELECT has_schema_privilege('${S}', 'USAGE') AND bool_and(${RIGHTS}) AS may
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = '${S}' AND c.relkind IN ('r', 'p')`,
  );
  return found?.may === true;
}

/** Who works with the ledger. */
export async function roleOf(queries: Queries): Promise<string> {
  const [found] = await queries.rows<{ role: string }>('SELECT current_user::text AS role');
  return found?.role ?? '';
}
