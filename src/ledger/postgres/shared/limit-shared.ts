import type { Queries } from '../connection/connection.js';
import { LEDGER_SCHEMA } from '../schema.js';
import type { PieceLease } from './piece-lease.js';
import type { SharedWork } from './shared-runs.js';
import { WAITING } from './waiting.js';

const S = LEDGER_SCHEMA;

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

/** What may be taken of a run. */
export interface LimitedRun {
  /** Pieces from this number on may not be taken; `null`: all may, 0: the canary did not pass, and no command has said so. */
  readonly gate: number | null;
  /** Pieces that may be taken, and have not ended. */
  readonly open: readonly number[];
}

/**
 * Sets the limits of a run that this process hands over, as its command has them now; to be called in a transaction.
 * `undefined`: the run is not its any more. What earlier processes did not learn of rows does not count any more: they are
 * asked for again. A canary that did not pass is no obstacle to whoever knows it.
 */
export async function limitShared(
  queries: Queries,
  { place, lease }: SharedWork,
  limits: SharedLimits,
): Promise<LimitedRun | undefined> {
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

/**
 * Notes how the canary ended, by the lease of the piece with the last of it; to be called in a transaction. Resolves with
 * the pieces that may be taken now.
 */
export async function endCanary(
  queries: Queries,
  { place, number, epoch }: PieceLease,
  hasPassed: boolean,
): Promise<readonly number[]> {
  const held = await queries.rows(
    `SELECT FROM ${S}.piece WHERE run = $1 AND number = $2 AND epoch = $3 FOR NO KEY UPDATE`,
    [place, number, epoch],
  );
  if (held.length === 0) return [];
  const gate = hasPassed ? null : 0;
  await queries.run(`UPDATE ${S}.shared SET gate = $2 WHERE run = $1 AND gate > 0`, [place, gate]);
  return hasPassed ? openPieces(queries, place) : [];
}
