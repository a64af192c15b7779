import type { LeaseTimes } from '../lease.js';

/** A lease that is renewed until it is given back. */
export interface KeptPiece {
  /** Whether it surely has not lapsed, by this machine's own clocks: nobody else can have taken the piece. */
  isHeld(): boolean;
  /** Ends the renewing. `givesBack`: whether others may take the piece at once. */
  release(givesBack: boolean): Promise<void>;
}

/** A moment by the clock that nobody sets, which may stand still while the machine sleeps, and by the one that does not. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** The clocks of a machine. */
export interface LeaseClock {
  now(): Moment;
  /** Returns what ends it. */
  every(ms: number, happen: () => void): () => void;
}

/** The line of the piece in the database. */
export interface LeaseLine {
  /** Resolves with whether the lease was still this process's. */
  renew(): Promise<boolean>;
  giveBack(): Promise<unknown>;
}

/** Clocks of two machines differ in speed by far less than this share of a lease. */
const MARGIN = 0.1;

/**
 * Renews a lease, and knows by the machine's own clocks whether it still holds. `taken`: when the statement that took it
 * was sent.
 */
export function keepLine(
  line: LeaseLine,
  { leaseMs, renewMs }: LeaseTimes,
  taken: Moment,
  clock: LeaseClock,
): KeptPiece {
  let renewed: Moment | null = taken;
  const renew = async (): Promise<void> => {
    const sent = clock.now();
    renewed = (await line.renew()) ? sent : null;
  };
  let renewing: Promise<unknown> = Promise.resolve();
  const end = clock.every(renewMs, () => {
    // One that cannot be renewed lapses.
    renewing = renew().catch(() => undefined);
  });
  return {
    isHeld: () => renewed !== null && since(renewed, clock.now()) < leaseMs * (1 - MARGIN),
    release: async (givesBack) => {
      end();
      await renewing;
      if (givesBack) await line.giveBack();
    },
  };
}

/** Milliseconds between two moments, by whichever clock has gone further. */
const since = (then: Moment, now: Moment): number =>
  Math.max(now.monotonic - then.monotonic, now.wall - then.wall);
