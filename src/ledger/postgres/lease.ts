import type { Connections, Queries } from './connection/connection.js';
import { LEDGER_SCHEMA } from './schema.js';

/** Times of a lease, in milliseconds. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
}

export const LEASE_TIMES: LeaseTimes = { leaseMs: 30_000, renewMs: 5_000 };

const TABLE = `${LEDGER_SCHEMA}.lease`;

/** A run that this process works on: while it renews the lease, by the clock of the database, nobody else takes it. */
export interface Lease {
  readonly run: string;
  /** Raised whenever a run is taken: facts of an earlier holder are refused. */
  readonly epoch: number;
}

/** Takes a run, or gives `undefined` where another process has it. */
export async function takeLease(
  queries: Queries,
  run: string,
  { leaseMs }: LeaseTimes,
): Promise<Lease | undefined> {
  const [taken] = await queries.rows<{ epoch: number }>(
    `INSERT INTO ${TABLE} AS had (run, epoch, until)
     VALUES ($1, 1, clock_timestamp() + $2 * interval '1 ms')
     ON CONFLICT (run) DO UPDATE SET epoch = had.epoch + 1, until = excluded.until
     WHERE had.until <= clock_timestamp() RETURNING epoch`,
    [run, leaseMs],
  );
  return taken && { run, epoch: taken.epoch };
}

/** Runs that somebody works on, as a whole or on a piece of them. */
export async function takenRuns(queries: Queries): Promise<Set<string>> {
  const found = await queries.rows<{ run: string }>(
    `SELECT run FROM ${TABLE} WHERE until > clock_timestamp()
     UNION SELECT r.id FROM ${LEDGER_SCHEMA}.piece p JOIN ${LEDGER_SCHEMA}.run r ON r.place = p.run
     WHERE p.until > clock_timestamp()`,
  );
  return new Set(found.map(({ run }) => run));
}

/** Renews a lease until it is given back. Returns what gives it back, so that others need not wait for its end. */
export function keepLease(
  connections: Connections,
  { run, epoch }: Lease,
  { leaseMs, renewMs }: LeaseTimes,
): () => Promise<void> {
  const set = (until: string, values: readonly unknown[]) =>
    connections.run(`UPDATE ${TABLE} SET until = ${until} WHERE run = $1 AND epoch = $2`, [
      ...[run, epoch],
      ...values,
    ]);
  let renewing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // One that cannot be renewed lapses, and whoever records then is refused once another process has taken the run.
    renewing = set("clock_timestamp() + $3 * interval '1 ms'", [leaseMs]).catch(() => undefined);
  }, renewMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await renewing;
    await set("'-infinity'", []);
  };
}

const POLL_MS = 500;

/**
 * Does something that may fail because another process has a run. One that was killed gives nothing back: while there
 * are leases that nobody has renewed since the first try, it is tried again, until they have lapsed.
 */
export async function patiently<T>(
  connections: Connections,
  { leaseMs, renewMs }: LeaseTimes,
  isInUse: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + leaseMs + renewMs;
  let first: Map<string, string> | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isInUse(error) || performance.now() > giveUpAt) throw error;
      const now = await leases(connections);
      first ??= now;
      // Those that were renewed have a process that is alive; one that is gone is no reason to wait, but to try again.
      const suspects = [...first].filter(([run, until]) => (now.get(run) ?? until) === until);
      if (suspects.length === 0) throw error;
      first = new Map(suspects.filter(([run]) => now.has(run)));
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, renewMs / 2)));
  }
}

async function leases(queries: Queries): Promise<Map<string, string>> {
  const found = await queries.rows<{ run: string; until: string }>(
    `SELECT run, until::text FROM ${TABLE} WHERE until > clock_timestamp()`,
  );
  return new Map(found.map(({ run, until }) => [run, until]));
}
