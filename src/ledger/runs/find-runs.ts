import type Database from 'better-sqlite3';
import type { RunRecord } from '../../core/ledger.js';
import type { LedgerParts } from '../ledger-parts.js';
import type { RunFilter } from '../port.js';
import type { RunRow } from './run-table.js';

/** A part of the runs that fit, the latest first, how many fit, and how many there are. */
export interface FoundRuns {
  readonly total: number;
  readonly all: number;
  readonly runs: readonly RunRow[];
}

/** The SQL of a condition, and its values. */
type Condition = readonly [sql: string, ...values: string[]];

/** Finds runs without reading all of their settings: a ledger may have tens of thousands. */
export function findRuns(
  { database, locks }: Pick<LedgerParts, 'database' | 'locks'>,
  { state, mode, fits }: RunFilter,
  offset: number,
  limit: number,
): FoundRuns {
  const conditions: Condition[] = [];
  if (state !== undefined) conditions.push(stateCondition(state, takenRuns({ database, locks })));
  if (mode !== undefined)
    conditions.push([`coalesce(json_extract(settings, '$.mode'), 'create') = ?`, mode]);
  if (fits) conditions.push(namesCondition(database, fits));
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
  const values = conditions.flatMap(([, ...given]) => given);
  const count = (where: string, given: readonly string[]): number =>
    database
      .prepare<string[], { count: number }>(`SELECT count(*) AS count FROM run ${where}`)
      .get(...given)?.count ?? 0;
  const all = count('', []);
  return {
    total: conditions.length === 0 ? all : count(where, values),
    all,
    runs: database
      .prepare<(string | number)[], RunRow>(
        `SELECT * FROM run ${where} ORDER BY rowid DESC LIMIT ? OFFSET ?`,
      )
      .all(...values, limit, offset),
  };
}

/** Runs on which somebody works: no table says so, only their locks. */
function takenRuns({ database, locks }: Pick<LedgerParts, 'database' | 'locks'>): string[] {
  return database
    .prepare<[], { id: string }>("SELECT id FROM run WHERE state IS NOT 'finished'")
    .all()
    .map(({ id }) => id)
    .filter((id) => locks.isTaken(id));
}

/** Whether runs stand so, as `recordOf` says it. */
function stateCondition(state: RunRecord['state'], taken: readonly string[]): Condition {
  const ids = JSON.stringify(taken);
  if (state === 'running') return ['id IN (SELECT value FROM json_each(?))', ids];
  const resting = state === 'broken_off' ? 'state IS NULL' : `state = '${state}'`;
  return [`${resting} AND id NOT IN (SELECT value FROM json_each(?))`, ids];
}

/** SQLite's own comparison of texts knows small and capital letters of ASCII alone. */
function namesCondition(
  database: Database.Database,
  fits: NonNullable<RunFilter['fits']>,
): Condition {
  database.function('names_fit', (inputs: unknown, campaign: unknown) => {
    const names = JSON.parse(String(inputs)) as string[];
    return fits(names, typeof campaign === 'string' ? campaign : null) ? 1 : 0;
  });
  return [`names_fit(inputs, json_extract(settings, '$.campaign.name'))`];
}
