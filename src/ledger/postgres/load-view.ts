import { codeOf, LostFactsError } from '../../core/errors.js';
import type { Fact } from '../../core/facts.js';
import { ledgerCommand } from '../../core/text.js';
import type { Moment } from '../../core/time.js';
import { factOf } from '../fact-table.js';
import type { RunRow } from '../runs/run-table.js';
import type { RunView } from '../runs/run-view.js';
import { HARMLESS, mayHaveArrived } from '../runs/taken-back.js';
import type { Queries } from './connection/connection.js';
import { takenRuns } from './lease.js';
import { type PlacedRun, allRuns, beganAt } from './run-statements.js';
import { LEDGER_SCHEMA } from './schema.js';
import { refuseShared } from './shared/refuse-shared.js';
import { sharedLeft, sharedWaiting } from './shared/shared-runs.js';

const FACT = `${LEDGER_SCHEMA}.fact`;

/** A ledger as it is now, with what choosing a run may ask of it; for as long as a transaction keeps others from choosing. */
export interface LoadedView extends RunView {
  readonly runs: readonly PlacedRun[];
  /** The server, and which of its histories. */
  readonly cluster: string;
}

/** What of a ledger is looked at. */
export interface LookedAt {
  /** Those of its runs. @default all */
  readonly only?: readonly PlacedRun[];
  /** When the command began that asks. @default nobody asks what others have done since */
  readonly begun?: Moment | undefined;
}

export async function loadView(
  queries: Queries,
  name: string,
  { only, begun }: LookedAt = {},
): Promise<LoadedView> {
  const runs = only ?? (await allRuns(queries));
  const began = begun && (await beganAt(queries, begun));
  const waiting = begun && (await sharedWaiting(queries));
  const taken = await takenRuns(queries);
  const cluster = await clusterOf(queries);
  const clean = await placesWithNothing(queries, runs);
  const shared = await sharedLeft(queries);
  const clusters = new Map(runs.map((run) => [run.id, run.cluster]));
  const isDoubtful = (run: RunRow): boolean =>
    isUnfinished(run) && cluster !== '' && clusters.get(run.id) !== cluster;
  return {
    ...{ runs, cluster, ledger: name },
    isTaken: (run) => taken.has(run),
    isAtWork: (run) => taken.has(run) || shared.has(run),
    // Not when its lease ended: that of a process that died lapses later than whatever it has put on record.
    wasFreedMeanwhile: ({ id, ended_at: at }) =>
      began !== undefined && at !== null && at >= began && waiting?.has(id) !== true,
    refuseShared: (run) => {
      const left = shared.get(run.id);
      if (left !== undefined) refuseShared(run, { left }, name);
    },
    leavesNothing: ({ id }) => clean.has(id),
    hasLostFacts: (run) => isDoubtful(run) || (run.settles_all === 1 && isUnfinished(run)),
    // A server does not lose its end by itself; whether it was replaced by an older copy concerns unfinished runs.
    refuseLostFacts: () => undefined,
    refuseUnmarked: (run) => {
      if (isDoubtful(run)) throw doubtful(name, run);
    },
  };
}

export const isUnfinished = ({ state }: Pick<RunRow, 'state'>): boolean =>
  state === null || state === 'stopped';

/** Facts of a run may be missing where the server is another one than that which has confirmed them. */
export function doubtful(name: string, { id }: Pick<RunRow, 'id'>): LostFactsError {
  return new LostFactsError(
    `Run ${id} is not at its end, and the database has been restored, or another server has taken over, since it was open: its last facts may be missing. Let "${ledgerCommand(name, 'resume', id, '--settle-all')}" look every open row up before it sends anything.`,
  );
}

/**
 * The server, and which of its histories: a restored backup and a standby that has taken over begin another one. Empty
 * where the role may not ask.
 */
export async function clusterOf(queries: Queries): Promise<string> {
  try {
    // A statement that fails would end the transaction.
    await queries.run('SAVEPOINT cluster');
    const [found] = await queries.rows<{ cluster: string }>(
      `SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS cluster
       FROM pg_control_system()`,
    );
    return found?.cluster ?? '';
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    await queries.run('ROLLBACK TO SAVEPOINT cluster');
    return '';
  }
}

/**
 * Unfinished runs whose facts leave nothing at the contact center. Of most, their kinds show that they are none. Pieces
 * that wait for a worker may be sent at any moment.
 */
async function placesWithNothing(
  queries: Queries,
  runs: readonly PlacedRun[],
): Promise<Set<string>> {
  const unfinished = new Map(runs.filter(isUnfinished).map((run) => [run.place, run.id]));
  if (unfinished.size === 0) return new Set();
  const harmful = await queries.rows<{ run: number }>(
    `SELECT run FROM unnest($1::bigint[]) AS run
     WHERE EXISTS (SELECT FROM ${FACT} f WHERE f.run = run.run AND f.kind <> ALL ($2::text[]))
       OR EXISTS (SELECT FROM ${LEDGER_SCHEMA}.piece p WHERE p.run = run.run)`,
    [[...unfinished.keys()], [...HARMLESS]],
  );
  for (const { run } of harmful) unfinished.delete(run);
  const chunks = await intents(queries, [...unfinished.keys()]);
  for (const { place, facts } of chunks) if (mayHaveArrived(facts)) unfinished.delete(place);
  return new Set(unfinished.values());
}

interface Chunk {
  readonly place: number;
  readonly facts: Fact[];
}

/** Chunks in which something was intended to be sent. */
async function intents(queries: Queries, places: readonly number[]): Promise<Iterable<Chunk>> {
  const rows = await queries.rows<{ run: number; chunk: number; kind: string; data: string }>(
    `SELECT f.run, f.chunk, f.kind, f.data FROM ${FACT} f
     JOIN (SELECT DISTINCT run, chunk FROM ${FACT}
           WHERE run = ANY ($1::bigint[]) AND kind IN ('creating', 'changing')) i
       ON i.run = f.run AND i.chunk = f.chunk
     ORDER BY f.run, f.number`,
    [places],
  );
  const chunks = new Map<string, Chunk>();
  for (const { run, chunk, kind, data } of rows) {
    const key = `${run} ${chunk}`;
    const found = chunks.get(key) ?? { place: run, facts: [] };
    chunks.set(key, found);
    found.facts.push(factOf({ chunk, kind, data }));
  }
  return chunks.values();
}
