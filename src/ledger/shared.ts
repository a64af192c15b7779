import { UsageError } from '../core/errors.js';
import {
  noOutcomes,
  type OutcomeCounts,
  failuresIn,
  rowsIn,
  type RunMode,
} from '../core/outcome.js';
import { ledgerCommand } from '../core/text.js';
import type {
  Lease,
  SharedRun,
  SharedStop,
  SharedWork,
  LeaseTimes,
  SubmitterTally,
} from './port.js';
import type { Connections, Queries } from './database.js';
import {
  changeRow,
  placedRun,
  takenRuns,
  type FactAppender,
  factAppender,
  factLines,
  heldLease,
  LEDGER_SCHEMA,
  lockTables,
  STOP,
} from './postgres.js';
import { endColumns, inUse, type RunRow, type StoredFact } from './store.js';
import type { Moment } from '../core/time.js';
import { type KeptLease, keepLine } from './lease.js';
import type { Fact } from '../core/facts.js';
import { ALREADY_IN_CAMPAIGN } from '../core/client.js';

export { mayBeginFor } from './lease.js';
export { type Connections, type Queries, asPostgresError } from './database.js';
export {
  grantsOn,
  hasTable,
  initSchema,
  laterFactsOf,
  mayUse,
  openPaceRow,
  openTables,
  shareTables,
} from './postgres.js';

const S = LEDGER_SCHEMA;

/** What is left of a shared run. */
export interface SharedState {
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
  const shared = await lockLine(queries, place);
  if (!shared) return undefined;
  const [found] = await queries.rows<{ left: number }>(
    `SELECT count(*) AS left FROM ${S}.piece WHERE run = $1 AND outcomes IS NULL`,
    [place],
  );
  const left = found?.left ?? 0;
  return { left, isOpen: shared.pieces === null || left > 0 };
}

/** The line of a shared run, which nobody else changes until the transaction has ended. */
async function lockLine(queries: Queries, place: number) {
  const [shared] = await queries.rows<{
    readonly pieces: number | null;
    readonly stays: boolean;
    readonly stop: SharedStop['by'] | null;
  }>(`SELECT pieces, stays, ${STOP} AS stop FROM ${S}.shared WHERE run = $1 FOR NO KEY UPDATE`, [
    place,
  ]);
  return shared;
}

/** Whether pieces are left that were mapped before: lists of numbers may have changed since then. */
const HAS_PIECES = `EXISTS (SELECT FROM ${S}.piece p WHERE p.run = had.run AND p.outcomes IS NULL)`;

/**
 * Lets a run that this process has taken be shared. Its rows count as mapped when the first piece was that is left. `plan`:
 * what workers need to know, as JSON; `stays`: whether whoever submits it ends it, since something is left to do when all
 * pieces have ended.
 */
export async function beginShared(
  queries: Queries,
  place: number,
  { epoch }: Lease,
  { plan, stays }: { readonly plan: string; readonly stays: boolean },
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
    `SELECT s.failed IS NOT NULL AS "isCounted", count(p.number) AS handed, coalesce(sum(p.chunks), 0)::bigint AS chunks
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

/**
 * Hands a piece over; to be called in a transaction. Resolves with whether the run was still this process's, else nothing
 * is handed over, and whether workers may take it: not before the canary has passed, and pieces for which it waits have ended.
 */
export async function addPiece(
  queries: Queries,
  place: number,
  lease: Lease,
  { number, chunks, rows, data, waits }: NewPiece,
) {
  const added = await queries.run(
    `WITH ${heldLease(1)}
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
      `WITH ${heldLease(1)}
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

/** How far a shared run has come. */
interface SharedLine extends OpenShared {
  readonly run: string;
  readonly state: RunRow['state'];
  readonly stays: boolean;
  /** How many pieces there are so far, and whether these are all. */
  readonly pieces: number;
  readonly isWhole: boolean;
  readonly ended: number;
  readonly rows: number;
  /** Why nothing more of it is sent; `null`: it goes on. */
  readonly stopped: SharedStop['by'] | null;
}

/** The shared runs that are not at their end, in the order in which they began. */
const sharedLines = (queries: Queries): Promise<SharedLine[]> =>
  queries.rows(
    `SELECT s.run AS place, r.id AS run, s.epoch, r.settles_all = 1 AS "settlesAll", r.state, s.stays,
       count(p.number) AS pieces, s.pieces IS NOT NULL AS "isWhole", count(p.outcomes) AS ended,
       coalesce(sum(p.rows), 0)::bigint AS rows, ${STOP} AS stopped
     FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run LEFT JOIN ${S}.piece p ON p.run = s.run
     WHERE r.state IS DISTINCT FROM 'finished' GROUP BY r.place, s.run ORDER BY s.run`,
  );

const hasPiecesLeft = ({ pieces, ended }: SharedLine): boolean => ended < pieces;
const isLive = (line: SharedLine): boolean => !line.isWhole || hasPiecesLeft(line);

/** Shared runs with pieces that have not ended; without those that have stopped. */
export async function openShared(queries: Queries): Promise<OpenShared[]> {
  const lines = (await sharedLines(queries)).filter(hasPiecesLeft);
  return lines.filter(({ stopped }) => stopped === null);
}

/** What a command has to know of the shared runs of which something will be sent, by their ids. */
interface SharedWithWork {
  /** How many of their pieces are left. */
  readonly left: ReadonlyMap<string, number>;
  /**
   * Those that wait for a command to do what is left when all pieces have ended, which workers put on record at any moment;
   * there is nothing in them that somebody has to see first.
   */
  readonly waiting: ReadonlySet<string>;
}

export async function sharedWithWork(queries: Queries): Promise<SharedWithWork> {
  const lines = (await sharedLines(queries)).filter(({ stopped }) => stopped === null);
  const waiting = lines.filter(({ state, stays }) => state === 'stopped' && stays);
  const left = lines.filter(hasPiecesLeft);
  return {
    left: new Map(left.map(({ run, pieces, ended }) => [run, pieces - ended])),
    waiting: new Set(waiting.map(({ run }) => run)),
  };
}

/** Ids of shared runs that are not at their end, whether or not there is something to take. */
export const liveShared = async (queries: Queries): Promise<Set<string>> =>
  new Set((await sharedLines(queries)).filter(isLive).map(({ run }) => run));

/** Shared runs with something left to do, and how their rows have ended. */
export async function sharedCounts(queries: Queries) {
  const live = (await sharedLines(queries)).filter(isLive);
  const counts = [];
  // One after the other: the connections are few, and whoever waits for one gives up at last.
  for (const { place, run, pieces, isWhole, ended, rows, stopped } of live) {
    const { outcomes } = await progressOfShared(queries, place);
    counts.push({ run, pieces, isWhole, ended, rows, stopped, outcomes });
  }
  return counts;
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
  const shared = await lockLine(queries, place);
  if (!shared?.stop) return;
  const leased = await queries.rows(
    `SELECT FROM ${S}.piece WHERE run = $1 AND outcomes IS NULL AND until > clock_timestamp() LIMIT 1`,
    [place],
  );
  if (leased.length > 0) return;
  const { outcomes, ended } = await progressOfShared(queries, place);
  const end = { state: 'stopped', rows: ended, outcomes } as const;
  await changeRow(queries, { place }, endColumns(end));
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

/** Workers as they were seen last, by the ids with which pieces name them. */
export const seenWorkers = (queries: Queries) =>
  queries.rows<{ readonly id: string; readonly data: string; readonly secondsAgo: number }>(
    `SELECT id, data, extract(epoch FROM clock_timestamp() - seen)::float8 AS "secondsAgo"
     FROM ${S}.worker ORDER BY id`,
  );

/** A piece that somebody works on. */
interface LeasedPiece {
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
  return found.map(({ counts, ...piece }) => {
    const outcomes = noOutcomes();
    if (counts !== null) addCounts(outcomes, counts);
    return { ...piece, ended: rowsIn(outcomes) };
  });
}

/** Whether a piece (`p`) has to wait until earlier ones of its run have ended. */
const WAITING = `(p.waits AND EXISTS (
  SELECT FROM ${S}.piece e WHERE e.run = p.run AND e.number < p.number AND e.outcomes IS NULL
))`;

/** When nothing of the pieces before a piece that waits (`p`) can arrive any more. */
const SETTLED = `CASE WHEN p.waits THEN (
  SELECT max(e.settled) FROM ${S}.piece e WHERE e.run = p.run AND e.number < p.number
) END`;

/** A piece that this process works on. */
export interface PieceLease {
  readonly place: number;
  readonly number: number;
  /** Raised whenever the piece is taken: facts of an earlier holder are refused. */
  readonly epoch: number;
}

/** Clients of the canary that a piece begins with. */
export interface CanaryLeft {
  /** How many of them have not ended in pieces before this one. */
  readonly clients: number;
  /** How many of those failed that have. */
  readonly failed: number;
}

type TakenPiece =
  | {
      readonly kind: 'taken';
      readonly lease: PieceLease;
      readonly data: Buffer;
      readonly canary: CanaryLeft | null;
    }
  /** It has ended, or its run was forgotten. */
  | { readonly kind: 'over' }
  /** Somebody works on it, or on its run as a whole; asked again by then, it may be free. */
  | { readonly kind: 'later'; readonly seconds: number };

/** A piece that nobody may take now is looked at again after so long, in seconds. */
const CLOSED_S = 5;

/** The same of one whose line is being written. */
const LOCKED_S = 1;

interface AskedPiece extends CanaryLeft {
  readonly ended: boolean;
  readonly wait: number;
  readonly gate: number | null;
  readonly stopped: boolean;
  readonly waiting: boolean;
}

/**
 * Takes a piece, and waits for nobody who has its line. To be asked while nobody chooses runs (`shareTables`), so that a
 * run is not held meanwhile.
 */
export async function takePiece(
  queries: Queries,
  { place, number }: Pick<PieceLease, 'place' | 'number'>,
  worker: string,
  { leaseMs }: LeaseTimes,
): Promise<TakenPiece> {
  const [found] = await queries.rows<AskedPiece>(
    `SELECT p.outcomes IS NOT NULL OR r.state = 'finished' AS ended, s.gate, s.canary AS clients,
       s.canary_failed AS failed, (${STOP}) IS NOT NULL AS stopped, ${WAITING} AS waiting,
       extract(epoch FROM greatest(p.until, l.until, ${SETTLED}, clock_timestamp()) - clock_timestamp())::float8 AS wait
     FROM ${S}.piece p JOIN ${S}.shared s ON s.run = p.run JOIN ${S}.run r ON r.place = p.run
     LEFT JOIN ${S}.lease l ON l.run = r.id AND l.epoch <> s.epoch
     WHERE p.run = $1 AND p.number = $2 FOR UPDATE OF p SKIP LOCKED`,
    [place, number],
  );
  if (!found) {
    const left = await queries.rows(
      `SELECT FROM ${S}.piece WHERE run = $1 AND number = $2 AND outcomes IS NULL`,
      [place, number],
    );
    if (left.length > 0) return { kind: 'later', seconds: LOCKED_S };
  }
  if (!found || found.ended) return { kind: 'over' };
  const { wait, gate, stopped, waiting, clients, failed } = found;
  if (wait > 0) return { kind: 'later', seconds: wait };
  if (stopped || waiting || (gate !== null && number >= gate))
    return { kind: 'later', seconds: CLOSED_S };
  const [taken] = await queries.rows<{ epoch: number; data: Buffer }>(
    `UPDATE ${S}.piece SET epoch = epoch + 1, until = clock_timestamp() + $3 * interval '1 ms', worker = $4
     WHERE run = $1 AND number = $2 RETURNING epoch, data`,
    [place, number, leaseMs, worker],
  );
  if (!taken) return { kind: 'over' };
  return {
    ...{ kind: 'taken', lease: { place, number, epoch: taken.epoch }, data: taken.data },
    canary: gate === null ? null : { clients, failed },
  };
}

/** `taken`: when the statement that took the lease was sent. `counts`: how rows have ended so far, for who looks on. */
export function keepPiece(
  connections: Connections,
  { place, number, epoch }: PieceLease,
  times: LeaseTimes,
  taken: Moment,
  counts: () => OutcomeCounts | null = () => null,
): KeptLease {
  const set = (value: string, values: readonly unknown[]) =>
    connections.run(
      `UPDATE ${S}.piece SET until = ${value}, counts = $4
       WHERE run = $1 AND number = $2 AND epoch = $3 AND outcomes IS NULL`,
      [place, number, epoch, countsText(counts()), ...values],
    );
  const line = {
    renew: async () => (await set("clock_timestamp() + $5 * interval '1 ms'", [times.leaseMs])) > 0,
    giveBack: () => set("'-infinity'", []),
  };
  return keepLine(line, times, taken);
}

const countsText = (counts: OutcomeCounts | null): string | null =>
  counts && JSON.stringify(counts);

interface WorkerTally {
  readonly mode: RunMode;
  /** Rows of the piece of which this process does not know what became of them. */
  readonly unknown: () => number;
  readonly onStop: (stop: SharedStop) => void;
}

/** Who may append: the submitter, by the lease of the run, or a worker, by that of a piece. */
type Fence =
  | { readonly kind: 'run'; readonly lease: Lease; readonly tally: SubmitterTally }
  | { readonly kind: 'piece'; readonly piece: PieceLease; readonly tally: WorkerTally };

/** Appends facts of a run that several machines share. */
export const appenderOfShared = (
  connections: Connections,
  run: string,
  place: number,
  fence: Fence,
): FactAppender =>
  factAppender(
    connections,
    run,
    (facts, counted) => insert(connections, place, fence, facts, counted),
    // Whoever hands over sends nothing.
    (facts) => (fence.kind === 'piece' ? failedRows(facts, fence.tally.mode) : 0),
  );

interface Appended {
  readonly appended: number;
  readonly stop: SharedStop['by'] | null;
  readonly bad: number | null;
}

/**
 * The lease is looked at, the numbers of the facts are taken, and rows that ended badly are counted, in the statement that
 * writes. The line with the numbers stays locked until that is committed, so that whoever reads by numbers misses none,
 * and so that of all who append, those after the one that passes a limit learn of it.
 */
async function insert(
  queries: Queries,
  place: number,
  fence: Fence,
  facts: readonly StoredFact[],
  failed: number,
): Promise<number> {
  const { steps, values: of } = stepsOf(fence, place, failed);
  const values: unknown[] = [place, facts.length, ...of];
  const [found] = await queries.rows<Appended>(
    `WITH ${steps},
     appended AS (
       INSERT INTO ${S}.fact (run, number, chunk, kind, data)
       SELECT $1::bigint, numbered.last + f.at, f.chunk, f.kind, f.data
       FROM numbered, (${factLines(facts, values)}) AS f (at, chunk, kind, data) ORDER BY f.at
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM appended) AS appended, (SELECT stop FROM numbered) AS stop,
       (SELECT bad FROM numbered) AS bad`,
    values,
  );
  if (found?.stop) fence.tally.onStop({ by: found.stop, bad: found.bad ?? 0 });
  return found?.appended ?? 0;
}

/** What comes before the facts: `numbered` gives the last number, where the fence lets pass. */
function stepsOf(
  fence: Fence,
  place: number,
  failed: number,
): { readonly steps: string; readonly values: readonly unknown[] } {
  const numbered = (set: string): string =>
    `numbered AS (
       UPDATE ${S}.shared SET facts = facts + $2, ${set}
       WHERE run = $1 AND EXISTS (SELECT FROM held)
       RETURNING facts - $2 AS last, ${STOP} AS stop, rejected + failed AS bad
     )`;
  if (fence.kind === 'run') {
    const { lease, tally } = fence;
    return {
      steps: `${heldLease(3)}, ${numbered('rejected = greatest(rejected, $5::bigint), allowed = $6::bigint')}`,
      values: [lease.run, lease.epoch, tally.rejected, tally.allowed],
    };
  }
  const { piece, tally } = fence;
  return {
    steps: `held AS MATERIALIZED (
        SELECT run, number, unknown FROM ${S}.piece
        WHERE run = $3 AND number = $4 AND epoch = $5 FOR NO KEY UPDATE
      ),
      noted AS (
        UPDATE ${S}.piece p SET unknown = $7::bigint FROM held
        WHERE p.run = held.run AND p.number = held.number AND held.unknown <> $7::bigint
      ),
      ${numbered('failed = failed + $6::bigint + $7::bigint - (SELECT unknown FROM held)')}`,
    values: [place, piece.number, piece.epoch, failed, tally.unknown()],
  };
}

/** Written by us: the shape of the counts is not checked again. */
function addCounts(to: OutcomeCounts, json: string): void {
  for (const [outcome, count] of Object.entries(JSON.parse(json) as OutcomeCounts))
    to[outcome as keyof OutcomeCounts] += count;
}

interface PieceLine {
  readonly stop: SharedStop['by'] | null;
  readonly bad: number | null;
  readonly pieces: number | null;
  readonly ended: boolean;
  readonly rows: number;
  readonly counts: string | null;
  readonly requests: number;
  readonly retries: number;
}

/**
 * How far a shared run has come, whoever works on it: `rows` have been handed over, and `ended` of them have; `stop` is why
 * nobody is to go on, `null`: somebody may.
 */
export async function progressOfShared(queries: Queries, place: number) {
  const pieces = await queries.rows<PieceLine>(
    `SELECT ${STOP} AS stop, rejected + failed AS bad, s.pieces, p.outcomes IS NOT NULL AS ended, coalesce(p.rows, 0) AS rows,
       coalesce(p.outcomes, p.counts) AS counts, coalesce(p.requests, 0) AS requests,
       coalesce(p.retries, 0) AS retries
     FROM ${S}.shared s LEFT JOIN ${S}.piece p USING (run) WHERE s.run = $1`,
    [place],
  );
  const outcomes = noOutcomes();
  const sums = { rows: 0, requests: 0, retries: 0, pieces: 0 };
  for (const { ended, rows, counts, requests, retries } of pieces) {
    sums.rows += rows;
    sums.requests += requests;
    sums.retries += retries;
    if (ended) sums.pieces++;
    if (counts !== null) addCounts(outcomes, counts);
  }
  const { rows, requests, retries } = sums;
  const first = pieces[0];
  return {
    ...{ outcomes, rows, requests, retries, ended: rowsIn(outcomes) },
    // Of a run that was forgotten, nothing is left to do.
    isEnded: !first || (first.pieces !== null && sums.pieces >= first.pieces),
    stop: first?.stop ? ({ by: first.stop, bad: first.bad ?? 0 } satisfies SharedStop) : null,
  };
}

/** What a piece came to. */
interface PieceEnd {
  readonly outcomes: OutcomeCounts;
  /** Rows among them for which nothing was sent, since they are as an earlier run sent them. */
  readonly asBefore: number;
  readonly requests: number;
  readonly retries: number;
  /**
   * How long something of it may still arrive at the contact center, in milliseconds: a lost request must not come after
   * one for a later row of its client.
   */
  readonly unsettledMs: number;
}

/**
 * How the rows of a piece ended; to be called in a transaction. Resolves with whether it was still this process's and the
 * last one of its run, and with the pieces that may be given out now: the next one of the canary, or one that has waited.
 */
export async function endPiece(
  queries: Queries,
  { place, number, epoch }: PieceLease,
  { outcomes, asBefore, requests, retries, unsettledMs }: PieceEnd,
) {
  const [held] = await queries.rows<{ unknown: number }>(
    `SELECT unknown FROM ${S}.piece
     WHERE run = $1 AND number = $2 AND epoch = $3 AND outcomes IS NULL FOR NO KEY UPDATE`,
    [place, number, epoch],
  );
  if (!held) return { isOwn: false, endsRun: false, opens: [] };
  await queries.run(
    `UPDATE ${S}.piece SET outcomes = $3, data = NULL, counts = NULL, until = '-infinity', unknown = $6,
       requests = requests + $4, retries = retries + $5,
       settled = clock_timestamp() + $7 * interval '1 ms'
     WHERE run = $1 AND number = $2`,
    [place, number, JSON.stringify(outcomes), requests, retries, outcomes.unknown, unsettledMs],
  );
  await queries.run(`UPDATE ${S}.shared SET failed = failed + $2 WHERE run = $1`, [
    ...[place, outcomes.unknown - held.unknown],
  ]);
  const opens = [
    ...(await openNext(queries, { place, number }, outcomes, asBefore)),
    ...(await endWaiting(queries, place)),
  ];
  return { isOwn: true, endsRun: await endIfDone(queries, place), opens };
}

/** Where a piece was a part of the canary and that has more clients, the next piece has the rest of them. */
async function openNext(
  queries: Queries,
  { place, number }: Pick<PieceLease, 'place' | 'number'>,
  outcomes: OutcomeCounts,
  asBefore: number,
): Promise<number[]> {
  const { rejected, skipped } = outcomes;
  const sent = rowsIn(outcomes) - rejected - skipped - asBefore;
  const [opened] = await queries.rows<{ gate: number }>(
    `UPDATE ${S}.shared SET gate = gate + 1, canary = canary - $3, canary_failed = canary_failed + $4
     WHERE run = $1 AND gate = $2::bigint + 1 RETURNING gate`,
    [place, number, sent, failuresIn(outcomes) - rejected],
  );
  return opened ? [opened.gate - 1] : [];
}

/** Of those that have not ended, the first has nothing before it to wait for. */
async function endWaiting(queries: Queries, place: number): Promise<number[]> {
  const first = await queries.rows<{ number: number; waits: boolean }>(
    `SELECT number, waits FROM ${S}.piece WHERE run = $1 AND outcomes IS NULL ORDER BY number LIMIT 1`,
    [place],
  );
  return first.filter(({ waits }) => waits).map(({ number }) => number);
}

/** The last piece ends its run. The line of the run is locked first: of two that end at once, the second sees both. */
async function endIfDone(queries: Queries, place: number): Promise<boolean> {
  const shared = await lockLine(queries, place);
  if (typeof shared?.pieces !== 'number') return false;
  const { isEnded, rows, outcomes } = await progressOfShared(queries, place);
  if (!isEnded) return false;
  const open = outcomes.unknown > 0 ? 'open' : 'finished';
  const isStopped = shared.stop !== null || shared.stays;
  const end = { state: isStopped ? 'stopped' : open, rows, outcomes } as const;
  await changeRow(queries, { place }, endColumns(end));
  return true;
}

/** A piece is taken fewer times than this: every 30 seconds, that is a year. */
const TAKINGS = 2 ** 20;

/**
 * The epoch with which a piece is handed over. A run that was taken back may be handed over again, and whoever had a
 * piece of the same number before must not be taken for its holder: each lease of the run has epochs of its own.
 */
const firstEpoch = ({ epoch }: Lease): number => epoch * TAKINGS;

/** Whether nobody has had the piece before. */
export const isFirstTaking = ({ epoch }: PieceLease): boolean => epoch % TAKINGS === 1;

/** What holds over all pieces of a run. */
export interface SharedLimits {
  /** How many rows may end badly; `null`: any. */
  readonly allowed: number | null;
  /** Clients that have to pass before the others are sent; 0: none. */
  readonly canary: number;
  /** Whether the canary was sent before the run was shared, did not pass, and no command has said so. @default false */
  readonly isSick?: boolean;
  /** Rows that were refused before the run was shared, where they are not counted yet. */
  readonly refused: number;
}

/**
 * Sets the limits of a run that this process hands over, as its command has them now; to be called in a transaction.
 * Resolves with the pieces that may be taken and have not ended, and with the `gate`: those from
 * this number on may not, `null`: all may, 0: the canary did not pass, and no command has said so. `undefined`: the run is
 * not its any more. What earlier processes did not learn of rows does not count any more: they are
 * asked for again. A canary that did not pass is no obstacle to whoever knows it.
 */
export async function limitShared(
  queries: Queries,
  { place, lease }: SharedWork,
  limits: SharedLimits,
) {
  // One statement: a worker that records between two would have its rows forgotten here, and counted for ever.
  const unknown = await queries.rows<{ unknown: number }>(
    `WITH held AS MATERIALIZED (
       SELECT run, number, unknown FROM ${S}.piece WHERE run = $1 AND unknown > 0
       ORDER BY number FOR NO KEY UPDATE
     )
     UPDATE ${S}.piece p SET unknown = 0 FROM held
     WHERE p.run = held.run AND p.number = held.number RETURNING held.unknown`,
    [place],
  );
  const [shared] = await queries.rows<Gated>(
    `SELECT gate, (SELECT count(*) FROM ${S}.piece WHERE run = $1) AS handed FROM ${S}.shared
     WHERE run = $1 AND EXISTS (SELECT FROM ${S}.lease WHERE run = $2 AND epoch = $3)
     FOR NO KEY UPDATE`,
    [place, lease.run, lease.epoch],
  );
  if (!shared) return undefined;
  const gate = gateOf(shared, limits);
  await queries.run(
    `UPDATE ${S}.shared SET failed = coalesce(failed, $2::bigint) - $3::bigint, allowed = $4::bigint,
       gate = $5::bigint, canary = CASE WHEN $6 THEN $7::bigint ELSE canary END
     WHERE run = $1`,
    [
      ...[place, limits.refused, unknown.reduce((sum, one) => sum + one.unknown, 0)],
      ...[limits.allowed, gate, shared.handed === 0, limits.canary],
    ],
  );
  return { gate, open: await openPieces(queries, place) };
}

interface Gated {
  readonly gate: number | null;
  readonly handed: number;
}

function gateOf({ gate, handed }: Gated, { canary, isSick }: SharedLimits): number | null {
  if (isSick) return 0;
  if (canary === 0) return null;
  if (handed === 0) return 1;
  return gate === KNOWN ? null : gate;
}

/** The gate of a run whose canary did not pass, once a person knows it. */
const KNOWN = -1;

async function openPieces(queries: Queries, place: number): Promise<number[]> {
  const found = await queries.rows<{ number: number }>(
    `SELECT p.number FROM ${S}.piece p JOIN ${S}.shared s USING (run)
     WHERE p.run = $1 AND p.outcomes IS NULL AND (s.gate IS NULL OR p.number < s.gate) AND NOT ${WAITING}
     ORDER BY p.number`,
    [place],
  );
  return found.map(({ number }) => number);
}

/** Notes that the person knows of a canary that did not pass: the same command goes on next time. */
export async function noteCanaryKnown(queries: Queries, { place }: SharedWork): Promise<void> {
  await queries.run(`UPDATE ${S}.shared SET gate = ${KNOWN} WHERE run = $1 AND gate = 0`, [place]);
}

/** Decides on the canary, in a transaction; resolves with the pieces that may be taken now, `null`: too much of it failed. */
export async function endCanary(
  queries: Queries,
  { place, number, epoch }: PieceLease,
  passes: (plan: string) => boolean,
): Promise<readonly number[] | null> {
  const [held] = await queries.rows<{ plan: string }>(
    `SELECT s.plan FROM ${S}.piece p JOIN ${S}.shared s USING (run)
     WHERE p.run = $1 AND p.number = $2 AND p.epoch = $3 AND s.gate > 0 FOR NO KEY UPDATE`,
    [place, number, epoch],
  );
  if (!held) return [];
  const gate = passes(held.plan) ? null : 0;
  await queries.run(`UPDATE ${S}.shared SET gate = $2 WHERE run = $1`, [place, gate]);
  return gate === null ? openPieces(queries, place) : null;
}

/**
 * How many rows these facts end badly, which no row does twice. Mode `upsert` finds most clients there already, and then
 * it is no failure that the campaign has them.
 */
export function failedRows(facts: readonly Fact[], mode: RunMode): number {
  return facts.reduce((sum, fact) => sum + failedIn(fact, mode), 0);
}

function failedIn(fact: Fact, mode: RunMode): number {
  switch (fact.kind) {
    case 'created':
      return fact.results.filter(([, , refusal]) => refusal !== undefined).length;
    case 'changed':
      return fact.results.filter(([, refusal]) => typeof refusal === 'string').length;
    case 'enqueued':
      return fact.results.filter(
        ([, refusal]) =>
          refusal !== undefined && !(mode === 'upsert' && refusal === ALREADY_IN_CAMPAIGN),
      ).length;
    default:
      return 0;
  }
}
