import { LEDGER_SCHEMA, SCHEMA_VERSION, STEPS } from './schema.js';

const S = LEDGER_SCHEMA;

/** What an administrator executes. */
export interface AdministratorRequest {
  /** Who works with the ledger. */
  readonly role: string;
  /** Version of the tables that are there; 0: there are none. */
  readonly version: number;
}

/** Notes the version that the tables have now. */
export const NOTE_VERSION = `INSERT INTO ${S}.ledger (name, value) VALUES ('version', '${SCHEMA_VERSION}')
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** The statements that make the tables, or bring them up to date, and permit a role to work with them. */
export function administratorSql({ role, version }: AdministratorRequest): string {
  const to = quoted(role);
  const steps = STEPS.slice(version).map((step) => step.trim().replaceAll(/^ {2}/gm, ''));
  return [
    'BEGIN;',
    ...(version === 0 ? [`CREATE SCHEMA IF NOT EXISTS ${S};`] : []),
    ...steps,
    ...(steps.length > 0 ? [`${NOTE_VERSION};`] : []),
    `GRANT USAGE ON SCHEMA ${S} TO ${to};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${S} TO ${to};`,
    'COMMIT;\n',
  ].join('\n');
}

/** A name as statements have it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
