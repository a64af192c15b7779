import type { RunRecord } from '../../core/ledger.js';
import type { RunFilter } from '../port.js';
import type { FoundRuns } from '../runs/find-runs.js';
import type { Queries } from './connection/connection.js';
import { type PlacedRun, RUN_TABLE } from './run-statements.js';

/** A run with the names by which it is found. */
interface NamedRun {
  readonly place: number;
  readonly inputs: string;
  readonly campaign: string | null;
}

/** Finds runs as they are at one moment, without reading all of their settings. `taken`: those that somebody works on. */
export async function findRuns(
  queries: Queries,
  taken: ReadonlySet<string>,
  filter: RunFilter,
  offset: number,
  limit: number,
): Promise<FoundRuns> {
  const places = await placesOf(queries, taken, filter);
  const [counted] = await queries.rows<{ count: number }>(`SELECT count(*) FROM ${RUN_TABLE}`);
  const runs = await queries.rows<PlacedRun>(
    `SELECT * FROM ${RUN_TABLE} WHERE place = ANY ($1::bigint[]) ORDER BY place DESC`,
    [places.slice(offset, offset + limit)],
  );
  return { total: places.length, all: counted?.count ?? 0, runs };
}

/** Places of the runs that fit, the latest first. */
async function placesOf(
  queries: Queries,
  taken: ReadonlySet<string>,
  { state, mode, fits }: RunFilter,
): Promise<number[]> {
  const names = fits ? `, inputs, settings::json #>> '{campaign,name}' AS campaign` : '';
  const found = await queries.rows<NamedRun>(
    `SELECT place${names} FROM ${RUN_TABLE}
     WHERE ($1::text IS NULL OR coalesce(settings::json ->> 'mode', 'create') = $1)
       AND ${conditionOf(state)}
     ORDER BY place DESC`,
    [mode ?? null, [...taken], ...(hasOwnColumn(state) ? [state] : [])],
  );
  const fitting = fits
    ? found.filter(({ inputs, campaign }) => fits(JSON.parse(inputs) as string[], campaign))
    : found;
  return fitting.map(({ place }) => place);
}

/** Whether runs stand so, as `recordOf` says it. `$2`: those that are taken, which a finished one may be as well. */
function conditionOf(state: RunRecord['state'] | undefined): string {
  const running = `(state IS DISTINCT FROM 'finished' AND id = ANY ($2::text[]))`;
  if (state === undefined) return '$2::text[] IS NOT NULL';
  if (state === 'running') return running;
  return `NOT ${running} AND state ${state === 'broken_off' ? 'IS NULL' : '= $3'}`;
}

/** Whether the table names the state: that a run broke off, or is at work, shows elsewhere. */
const hasOwnColumn = (state: RunRecord['state'] | undefined): boolean =>
  state !== undefined && state !== 'running' && state !== 'broken_off';
