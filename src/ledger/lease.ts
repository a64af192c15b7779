import { type Moment, momentNow } from '../core/time.js';
import { RunInUseError } from '../core/errors.js';
import type { MayBegin } from '../core/ledger.js';
import type { Connections, Queries } from './database.js';
import { inUse, runTaken } from './store.js';
import type { Lease, LeaseTimes } from './port.js';
import { extendLease, leasesOf } from './postgres.js';

/** A lease that is renewed until it is given back. */
export interface KeptLease {
  /** Whether it surely has not lapsed, by this machine's own clocks: no other process can have taken what is leased. */
  isHeld(): boolean;
  /** Whether another process is known to have taken it. */
  isLost(): boolean;
  /** Renews it now; whether it is lost is known then. */
  renew(): Promise<void>;
  /** Ends the renewing. `givesBack`: whether others may take it at once. */
  release(givesBack: boolean): Promise<void>;
}

/** The clocks of a machine. */
export interface LeaseClock {
  now(): Moment;
  /** Returns what ends it. */
  every(ms: number, happen: () => void): () => void;
}

/** Clocks of two machines differ in speed by far less than this share of a lease. */
const MARGIN = 0.1;

const CLOCK: LeaseClock = {
  now: momentNow,
  every: (ms, happen) => {
    const timer = setInterval(happen, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/**
 * Renews a lease, and knows by the machine's own clocks whether it still holds. `line`: that of the database, whose renewing
 * tells whether the lease was still this process's. `taken`: when the statement that took it
 * was sent.
 */
export function keepLine(
  line: { renew(): Promise<boolean>; giveBack(): Promise<unknown> },
  { leaseMs, renewMs }: LeaseTimes,
  taken: Moment,
  clock: LeaseClock = CLOCK,
): KeptLease {
  let renewed: Moment | null = taken;
  const renew = async (): Promise<void> => {
    const sent = clock.now();
    const isOwn = await line.renew();
    if (renewed !== null) renewed = isOwn ? sent : null;
  };
  let renewing: Promise<unknown> | undefined;
  const end = clock.every(renewMs, () => {
    // One at a time: whoever gives the line back waits for it. One that cannot be renewed lapses.
    renewing ??= renew()
      .catch(() => undefined)
      .finally(() => (renewing = undefined));
  });
  return {
    isHeld: () => renewed !== null && since(renewed, clock.now()) < leaseMs * (1 - MARGIN),
    isLost: () => renewed === null,
    renew,
    release: async (givesBack) => {
      end();
      await renewing;
      if (givesBack) await line.giveBack();
    },
  };
}

/** Renews the lease of a run until it is given back. `taken`: when the statement that took it was sent. */
export function keepLease(
  connections: Connections,
  lease: Lease,
  times: LeaseTimes,
  taken: Moment,
) {
  const line = {
    renew: () => extendLease(connections, lease, times.leaseMs),
    // Whoever waits for a process that has died sees that this one has not.
    giveBack: () => extendLease(connections, lease, 0),
  };
  const kept = keepLine(line, times, taken);
  const { run } = lease;
  return {
    mayBegin: mayBeginFor(run, kept),
    /** @throws RunTakenError where another process has taken it */
    confirm: async (): Promise<void> => {
      // Where the database does not answer, whoever asks it next says so.
      await kept.renew().catch(() => undefined);
      if (kept.isLost()) throw runTaken(run);
    },
    release: () => kept.release(true),
  };
}

/** Whether requests for a run, or for a piece of it, may leave. */
export const mayBeginFor =
  (run: string, kept: KeptLease): MayBegin =>
  () =>
    kept.isLost() ? runTaken(run) : kept.isHeld();

const POLL_MS = 500;

const PATIENCE_CLOCK = {
  now: () => performance.now(),
  sleep: (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Called in the transaction in which a run is chosen, once no other process can choose any: what was decided before a wait holds
 * no more where another process has been at work since.
 * @throws RunInUseError
 */
export type LookAgain = (queries: Queries) => Promise<void>;

/**
 * Takes a run, which another process may have. One that was killed gives nothing back: it is waited until its lease has
 * lapsed. A lease that changes meanwhile, since it is renewed, given back or taken anew, has a holder that is alive, and is
 * refused, as a run that is at work is in a ledger in a file. `work` decides anew each time. `shares`: whether the
 * run is to be shared: then one that is being handed over is waited for, and joined once it is left to others.
 * @throws RunInUseError
 */
export async function patiently<T>(
  connections: Queries,
  { leaseMs, renewMs }: LeaseTimes,
  work: (lookAgain: LookAgain) => Promise<T>,
  { shares = false, clock = PATIENCE_CLOCK } = {},
): Promise<T> {
  /** Leases that were in the way, as they were then. */
  const seen = new Map<string, string>();
  const lookAgain: LookAgain = async (queries) => {
    if (seen.size === 0) return;
    for (const { run, lease, worker, shared } of await leasesOf(queries, [...seen.keys()]))
      if (lease !== seen.get(run) && !(shares && shared === 'handed over'))
        throw inUse({ id: run, worker });
  };
  let giveUpAt = 0;
  /** One that had ended when it was looked at. */
  let over: string | undefined;
  for (;;) {
    try {
      return await work(lookAgain);
    } catch (error) {
      if (!(error instanceof RunInUseError)) throw error;
      const asked = clock.now();
      const [found] = await leasesOf(connections, [error.run]);
      if (!found) throw error;
      const before = seen.get(found.run);
      const isOther = before !== undefined && before !== found.lease;
      if (isOther && !(shares && found.shared !== null)) throw error;
      // It may have lapsed just now. Where it had before, a process works on a piece of the run.
      if (!found.isLive && over === found.lease) throw error;
      if (!found.isLive) over = found.lease;
      if (before === undefined) giveUpAt = clock.now() + leaseMs + renewMs;
      else if (found.isLive && asked > giveUpAt) throw error;
      seen.set(found.run, found.lease);
    }
    await clock.sleep(Math.min(POLL_MS, renewMs / 2));
  }
}

/** Milliseconds between two moments, by whichever clock has gone further. */
export const since = (then: Moment, now: Moment): number =>
  Math.max(now.monotonic - then.monotonic, now.wall - then.wall);
