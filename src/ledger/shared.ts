import { UsageError } from '../core/errors.js';
import { noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import { ledgerCommand } from '../core/text.js';
import { postgresAddress } from './address.js';
import { type Connections, connectionsTo, type Queries } from './connection.js';
import { answerBeat, type Beat, type BeatAnswer, NO_PACE, type PaceState } from './pace.js';
import { endIfDone, firstEpoch, progressOfShared, WAITING } from './pieces.js';
import { LEDGER_SCHEMA, lockTables, prepareTables, STOP } from './postgres-schema.js';
import { endRun, placedRun, takenRuns } from './postgres-tables.js';
import { inUse, type Lease, type SharedRun, type SharedStop, type SharedWork } from './store.js';

const S = LEDGER_SCHEMA;

/** What is left of a shared run. */
interface SharedState {
  /** Pieces on record that have not ended. */
  readonly left: number;
  /** Whether its input has not been handed over as a whole, or pieces are left. */
  readonly isOpen: boolean;
}

/**
 * What is left of a run, which nobody ends until the transaction does; `undefined`: it is not shared. Its line is locked
 * before that of the run, as whoever ends a piece does.
 */
export async function lockShared(
  queries: Queries,
  place: number,
): Promise<SharedState | undefined> {
  const [shared] = await queries.rows<{ pieces: number | null }>(
    `SELECT pieces FROM ${S}.shared WHERE run = $1 FOR NO KEY UPDATE`,
    [place],
  );
  if (!shared) return undefined;
  const [found] = await queries.rows<{ left: number }>(
    `SELECT count(*) AS left FROM ${S}.piece WHERE run = $1 AND outcomes IS NULL`,
    [place],
  );
  const left = found?.left ?? 0;
  return { left, isOpen: shared.pieces === null || left > 0 };
}

/** How a run is shared. */
interface BegunShared {
  /** What workers need to know, as JSON. */
  readonly plan: string;
  /** Whether whoever submits it ends it, since something is left to do when all pieces have ended. */
  readonly stays: boolean;
}

/** Whether pieces are left that were mapped before: lists of numbers may have changed since then. */
const HAS_PIECES = `EXISTS (SELECT FROM ${S}.piece p WHERE p.run = had.run AND p.outcomes IS NULL)`;

/** Lets a run that this process has taken be shared. Its rows count as mapped when the first piece was that is left. */
export async function beginShared(
  queries: Queries,
  place: number,
  { epoch }: Lease,
  { plan, stays }: BegunShared,
): Promise<SharedRun> {
  await queries.run(
    `INSERT INTO ${S}.shared AS had (run, epoch, plan, stays, facts, failed)
     SELECT $1::bigint, $2::bigint, $3::text, $4::boolean, f.last, CASE f.last WHEN 0 THEN 0 END
     FROM (SELECT coalesce(max(number), 0) AS last FROM ${S}.fact WHERE run = $1) f
     ON CONFLICT (run) DO UPDATE SET epoch = excluded.epoch, plan = CASE WHEN ${HAS_PIECES}
         THEN (excluded.plan::jsonb || jsonb_build_object('mappedAt', had.plan::jsonb -> 'mappedAt'))::text
         ELSE excluded.plan END,
       stays = excluded.stays, facts = greatest(had.facts, excluded.facts)`,
    [place, epoch, plan, stays],
  );
  const [found] = await queries.rows<SharedRun>(
    `SELECT s.pieces, s.failed IS NOT NULL AS "isCounted", count(p.number) AS handed, coalesce(sum(p.chunks), 0)::bigint AS chunks
     FROM ${S}.shared s LEFT JOIN ${S}.piece p USING (run) WHERE s.run = $1 GROUP BY s.run`,
    [place],
  );
  if (!found) throw new Error('The run is not shared.');
  return found;
}

interface NewPiece {
  readonly number: number;
  readonly chunks: number;
  readonly rows: number;
  readonly data: Buffer;
  /** Whether it has rows of clients of whom earlier pieces have some. */
  readonly waits: boolean;
}

/** What became of a piece that was to be handed over. */
interface AddedPiece {
  /** Whether the run was still this process's: else nothing is handed over. */
  readonly isOwn: boolean;
  /** Whether workers may take it: not before the canary has passed, and pieces for which it waits have ended. */
  readonly isOpen: boolean;
}

/** Hands a piece over; to be called in a transaction. */
export async function addPiece(
  queries: Queries,
  place: number,
  lease: Lease,
  { number, chunks, rows, data, waits }: NewPiece,
): Promise<AddedPiece> {
  const added = await queries.run(
    `WITH held AS MATERIALIZED (SELECT run FROM ${S}.lease WHERE run = $1 AND epoch = $2 FOR SHARE)
     INSERT INTO ${S}.piece (run, number, chunks, rows, data, waits, epoch)
     SELECT $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bytea, $8::boolean, $9::bigint
     WHERE EXISTS (SELECT FROM held)`,
    [lease.run, lease.epoch, place, number, chunks, rows, data, waits, firstEpoch(lease)],
  );
  // Whoever ends a piece or the canary locks this line first, and then sees this piece.
  await queries.rows(`SELECT FROM ${S}.shared WHERE run = $1 FOR SHARE`, [place]);
  const [closed] = await queries.rows<{ closed: boolean }>(
    `SELECT coalesce(p.number >= s.gate, false) OR ${WAITING} AS closed
     FROM ${S}.piece p JOIN ${S}.shared s USING (run) WHERE p.run = $1 AND p.number = $2`,
    [place, number],
  );
  return { isOwn: added === 1, isOpen: closed?.closed === false };
}

/**
 * Puts on record that all pieces are handed over, and how many rows may end badly, now that it is known how many rows there
 * are. Where all pieces have ended already, the run is at its end. Resolves with whether the run was still this process's.
 */
export function closeShared(
  connections: Connections,
  { place, lease, tally }: Pick<SharedWork, 'place' | 'lease' | 'tally'>,
  pieces: number,
): Promise<boolean> {
  return connections.transaction(async (queries) => {
    const closed = await queries.run(
      `WITH held AS MATERIALIZED (SELECT run FROM ${S}.lease WHERE run = $1 AND epoch = $2 FOR SHARE)
       UPDATE ${S}.shared SET pieces = $4, allowed = $5::bigint WHERE run = $3 AND EXISTS (SELECT FROM held)`,
      [lease.run, lease.epoch, place, pieces, tally.allowed],
    );
    if (closed === 1) await endIfDone(queries, place);
    return closed === 1;
  });
}

/** A shared run that is not at its end, with what its workers need to know. */
export interface OpenShared {
  readonly place: number;
  readonly run: string;
  /** Of its submitter: where it is another one, the plan may have changed. */
  readonly epoch: number;
  readonly settlesAll: boolean;
}

/** Shared runs with pieces that have not ended, in the order in which they began; without those that have stopped. */
export function openShared(queries: Queries): Promise<OpenShared[]> {
  return queries.rows<OpenShared>(
    `SELECT s.run AS place, r.id AS run, s.epoch, r.settles_all = 1 AS "settlesAll"
     FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run
     WHERE r.state IS DISTINCT FROM 'finished' AND (${STOP}) IS NULL
       AND EXISTS (SELECT FROM ${S}.piece p WHERE p.run = s.run AND p.outcomes IS NULL)
     ORDER BY s.run`,
  );
}

/** How many pieces are left of the shared runs of which something will be sent, by their ids. */
export async function sharedLeft(queries: Queries): Promise<Map<string, number>> {
  const found = await queries.rows<{ id: string; left: number }>(
    `SELECT r.id, count(*) AS left
     FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run JOIN ${S}.piece p ON p.run = s.run
     WHERE p.outcomes IS NULL AND (${STOP}) IS NULL GROUP BY r.id`,
  );
  return new Map(found.map(({ id, left }) => [id, left]));
}

/**
 * Ids of shared runs that wait for a command to do what is left when all pieces have ended, which workers put on record at
 * any moment; there is nothing in them that somebody has to see first.
 */
export async function sharedWaiting(queries: Queries): Promise<Set<string>> {
  const found = await queries.rows<{ id: string }>(
    `SELECT r.id FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run
     WHERE r.state = 'stopped' AND s.stays AND (${STOP}) IS NULL`,
  );
  return new Set(found.map(({ id }) => id));
}

/** Ids of shared runs that are not at their end, whether or not there is something to take. */
export async function liveShared(queries: Queries): Promise<Set<string>> {
  const found = await queries.rows<{ id: string }>(
    `SELECT r.id FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run
     WHERE s.pieces IS NULL
       OR EXISTS (SELECT FROM ${S}.piece p WHERE p.run = s.run AND p.outcomes IS NULL)`,
  );
  return new Set(found.map(({ id }) => id));
}

/** What workers need to know of a run; `undefined`: it was forgotten. */
export async function planOf(queries: Queries, place: number): Promise<string | undefined> {
  const [found] = await queries.rows<{ plan: string }>(
    `SELECT plan FROM ${S}.shared WHERE run = $1`,
    [place],
  );
  return found?.plan;
}

/**
 * Puts on record that a run has stopped, once nobody works on a piece of it; to be called in a transaction. Does nothing
 * where it goes on.
 */
export async function noteStopped(queries: Queries, place: number): Promise<void> {
  const [shared] = await queries.rows<{ stop: SharedStop['by'] | null }>(
    `SELECT ${STOP} AS stop FROM ${S}.shared WHERE run = $1 FOR NO KEY UPDATE`,
    [place],
  );
  if (!shared?.stop) return;
  const leased = await queries.rows(
    `SELECT FROM ${S}.piece WHERE run = $1 AND outcomes IS NULL AND until > clock_timestamp() LIMIT 1`,
    [place],
  );
  if (leased.length > 0) return;
  const { outcomes, ended } = await progressOfShared(queries, place);
  await endRun(queries, { place }, { state: 'stopped', rows: ended, outcomes });
}

/** @throws UsageError: what is left of the run is for workers. `ledger`: its address. */
export function refuseShared(
  { id }: { readonly id: string },
  { left }: Pick<SharedState, 'left'>,
  ledger: string,
): never {
  const end = `"${ledgerCommand(ledger, 'resume', id)}" goes on with it, as any "cardline worker" does; "${ledgerCommand(ledger, 'fleet', '--release', id)}" takes it back from them.`;
  throw new UsageError(
    left > 0
      ? `Run ${id} is shared by several machines, and ${left} of its pieces are left. ${end}`
      : `Run ${id} is shared by several machines, and not all of its rows have been handed over. ${end}`,
  );
}

/**
 * Pieces are packed for the version that has handed them over: another one does not replace its plan while some are left.
 * @throws UsageError where the run's plan is of another version. `plan`: that of this process.
 */
export async function refuseOtherVersion(
  queries: Queries,
  { id, place }: { readonly id: string; readonly place: number },
  plan: string,
  ledger: string,
): Promise<void> {
  const [other] = await queries.rows<{ version: string }>(
    `SELECT plan::json ->> 'version' AS version FROM ${LEDGER_SCHEMA}.shared
     WHERE run = $1 AND plan::json ->> 'version' IS DISTINCT FROM $2::json ->> 'version'`,
    [place, plan],
  );
  if (!other) return;
  throw new UsageError(
    `Run ${id} was handed over by ${other.version}, and this version does not read its pieces. Let that version bring it to its end, or take it back from the machines: "${ledgerCommand(ledger, 'fleet', '--release', id)}"; then this command goes on with it.`,
  );
}

/**
 * Takes a run back from the machines that share it: its pieces are forgotten, what is on record stays, and one process can
 * go on with it or take back what it did. Whoever comes late with a piece of it records nothing.
 * @throws UsageError where there is nothing to take back, LedgerInUseError where somebody works on it
 */
export function releaseShared(connections: Connections, id: string): Promise<void> {
  return connections.transaction(async (queries) => {
    await lockTables(queries);
    const run = await placedRun(queries, id);
    if (!run) throw new UsageError(`Run ${id} is not in the ledger ${connections.name}.`);
    // Pieces are locked before the line of the shared run, as whoever appends does.
    await queries.rows(`SELECT FROM ${S}.piece WHERE run = $1 ORDER BY number FOR UPDATE`, [
      run.place,
    ]);
    const state = await lockShared(queries, run.place);
    if (!state?.isOpen)
      throw new UsageError(
        `Run ${id} is not shared, or all of its pieces have ended: other commands can work on it.`,
      );
    if ((await takenRuns(queries)).has(id)) throw inUse(run);
    // Of a canary that did not pass nobody may have been told yet: whoever goes on is, as after a process that died.
    await queries.run(
      `UPDATE ${S}.run SET state = NULL WHERE place = $1
         AND EXISTS (SELECT FROM ${S}.shared WHERE run = $1 AND gate = 0)`,
      [run.place],
    );
    await queries.run(`DELETE FROM ${S}.shared WHERE run = $1`, [run.place]);
  });
}

/** After so long nobody wants to know of a worker that is not there any more. */
const FORGOTTEN = "interval '1 hour'";

/** Notes that a worker is there. `data`: what others may want to know of it, as JSON. */
export async function noteSeen(queries: Queries, id: string, data: string): Promise<void> {
  await queries.run(
    `INSERT INTO ${S}.worker (id, data, seen) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET data = excluded.data, seen = excluded.seen`,
    [id, data],
  );
}

/** Forgets a worker that has ended, and those that have not been seen for long. */
export async function forgetWorker(queries: Queries, id: string): Promise<void> {
  await queries.run(
    `DELETE FROM ${S}.worker WHERE id = $1 OR seen < clock_timestamp() - ${FORGOTTEN}`,
    [id],
  );
}

/** A worker as it was seen last. */
interface SeenWorker {
  /** As pieces name it. */
  readonly id: string;
  readonly data: string;
  readonly secondsAgo: number;
}

export function seenWorkers(queries: Queries): Promise<SeenWorker[]> {
  return queries.rows<SeenWorker>(
    `SELECT id, data, extract(epoch FROM clock_timestamp() - seen)::float8 AS "secondsAgo"
     FROM ${S}.worker ORDER BY id`,
  );
}

/** A piece that somebody works on. */
export interface LeasedPiece {
  readonly run: string;
  readonly number: number;
  readonly rows: number;
  /** Rows of it that have ended. */
  readonly ended: number;
  readonly worker: string;
  /** Until its lease lapses, where nobody renews it. */
  readonly secondsLeft: number;
}

export async function leasedPieces(queries: Queries): Promise<LeasedPiece[]> {
  const found = await queries.rows<Omit<LeasedPiece, 'ended'> & { counts: string | null }>(
    `SELECT r.id AS run, p.number, p.rows, p.counts, coalesce(p.worker, '') AS worker,
       extract(epoch FROM p.until - clock_timestamp())::float8 AS "secondsLeft"
     FROM ${S}.piece p JOIN ${S}.run r ON r.place = p.run
     WHERE p.outcomes IS NULL AND p.until > clock_timestamp() ORDER BY p.run, p.number`,
  );
  return found.map(({ counts, ...piece }) => ({ ...piece, ended: sumOf(counts) }));
}

function sumOf(counts: string | null): number {
  // Written by us: its shape is not checked again.
  const outcomes = counts === null ? noOutcomes() : (JSON.parse(counts) as OutcomeCounts);
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** How far a shared run has come. */
export interface SharedCount {
  readonly run: string;
  /** How many pieces there are so far, and whether these are all. */
  readonly pieces: number;
  readonly isWhole: boolean;
  readonly ended: number;
  readonly rows: number;
  /** Why nothing more of it is sent; `null`: it goes on. */
  readonly stopped: SharedStop['by'] | null;
}

/** Shared runs with something left to do. */
export function sharedCounts(queries: Queries): Promise<SharedCount[]> {
  return queries.rows<SharedCount>(
    `SELECT r.id AS run, count(p.number) AS pieces, s.pieces IS NOT NULL AS "isWhole",
       count(p.outcomes) AS ended, coalesce(sum(p.rows), 0)::bigint AS rows, ${STOP} AS stopped
     FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run LEFT JOIN ${S}.piece p ON p.run = s.run
     GROUP BY r.id, s.run
     HAVING s.pieces IS NULL OR count(p.outcomes) < s.pieces ORDER BY s.run`,
  );
}

const TABLE = `${LEDGER_SCHEMA}.pace`;
/** A database that answers no sooner is as good as lost, in milliseconds. */
const STATEMENT_MS = 5000;

/** The pace of one contact center, in the row that all machines share. */
export interface PaceRow {
  /** @throws LedgerError, NoLedgerError */
  beat(beat: Beat): Promise<BeatAnswer>;
  close(): Promise<void>;
}

/**
 * Connects with the first report. The connection is one of its own: what is recorded must not hold up the pace.
 * @throws NoLedgerError for an address that cannot be read
 */
export function openPaceRow(address: string, center: string): PaceRow {
  const connections = connectionsTo(postgresAddress(address), {
    connections: 1,
    statementMs: STATEMENT_MS,
  });
  let prepared: Promise<void> | undefined;
  const prepare = async (): Promise<void> => {
    try {
      await (prepared ??= prepareTables(connections));
    } catch (error) {
      prepared = undefined;
      throw error;
    }
  };
  return {
    beat: async (beat) => {
      await prepare();
      return answerIn(connections, center, beat);
    },
    close: () => connections.close(),
  };
}

/** The row is locked from its being read to its being written. Times are those of the database. */
function answerIn(
  connections: Pick<Connections, 'transaction'>,
  center: string,
  beat: Beat,
): Promise<BeatAnswer> {
  return connections.transaction(async (queries) => {
    const { state, now } = await lockRow(queries, center);
    const next = answerBeat(state, beat, now);
    await queries.run(`UPDATE ${TABLE} SET state = $2 WHERE center = $1`, [
      center,
      JSON.stringify(next.state),
    ]);
    return next.answer;
  });
}

/**
 * Does not wait for the disk: a server that broke down has forgotten less than a second, and is back only after the
 * leases that it knows of.
 */
async function lockRow(
  queries: Queries,
  center: string,
): Promise<{ readonly state: PaceState; readonly now: number }> {
  const find = () =>
    queries.rows<{ state: string; now: number }>(
      `SELECT state, set_config('synchronous_commit', 'off', true),
         extract(epoch FROM clock_timestamp())::float8 * 1000 AS now
       FROM ${TABLE} WHERE center = $1 FOR UPDATE`,
      [center],
    );
  let [found] = await find();
  if (!found) {
    await queries.run(
      `INSERT INTO ${TABLE} (center, state) VALUES ($1, $2) ON CONFLICT (center) DO NOTHING`,
      [center, JSON.stringify(NO_PACE)],
    );
    [found] = await find();
  }
  if (!found) throw new Error('The row of the pace is gone.');
  // Written by us: its shape is not checked again.
  return { state: JSON.parse(found.state) as PaceState, now: found.now };
}
