import type { OutcomeCounts } from '../../../core/outcome.js';
import type { Connections, Queries } from '../connection/connection.js';
import type { MayBegin } from '../../../core/ledger.js';
import type { Moment } from '../../../core/time.js';
import { runTaken } from '../../runs/in-use.js';
import { type KeptLease, type LeaseTimes, keepLine } from '../lease.js';
import { LEDGER_SCHEMA } from '../schema.js';
import { STOP } from './shared-stop.js';
import { SETTLED, WAITING } from './waiting.js';

const S = LEDGER_SCHEMA;

/** A piece that this process works on. */
export interface PieceLease {
  /** Place of the run. */
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

/** A piece that was asked for. */
export type TakenPiece =
  | {
      readonly kind: 'taken';
      readonly lease: PieceLease;
      readonly data: Buffer;
      /** `null`: no canary is waited for. */
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
  if (!found && (await isLeft(queries, place, number))) return { kind: 'later', seconds: LOCKED_S };
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

async function isLeft(queries: Queries, place: number, number: number): Promise<boolean> {
  const left = await queries.rows(
    `SELECT FROM ${S}.piece WHERE run = $1 AND number = $2 AND outcomes IS NULL`,
    [place, number],
  );
  return left.length > 0;
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
  return keepLine(
    {
      renew: async () =>
        (await set("clock_timestamp() + $5 * interval '1 ms'", [times.leaseMs])) > 0,
      giveBack: () => set("'-infinity'", []),
    },
    ...([times, taken] as const),
  );
}

/** Whether requests for a piece of this run may leave. */
export const mayBeginFor =
  (run: string, kept: KeptLease): MayBegin =>
  () =>
    kept.isLost() ? runTaken(run) : kept.isHeld();

const countsText = (counts: OutcomeCounts | null): string | null =>
  counts && JSON.stringify(counts);
