import type { SharedLimits } from '../../../core/ledger.js';

/** What is limited: requests and clients in a second, and places for requests in flight. */
export const RESOURCES = ['requests', 'clients', 'places'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Permits by resource; absent where a resource is not limited. */
export type Amounts = Readonly<Partial<Record<Resource, number>>>;

/** So many permits, usable from a time on: milliseconds from now. */
export type Portion = readonly [count: number, inMs: number];
export type Portions = Readonly<Partial<Record<Resource, readonly Portion[]>>>;

/** How many permits there are, and after how long each may be used again, in milliseconds. */
export interface Limit {
  readonly units: number;
  readonly cycleMs: number;
}
export type Limits = Readonly<Partial<Record<Resource, Limit>>>;

/** Whoever sends to the contact center. Times are in milliseconds by the database's clock. */
export interface Member {
  readonly id: string;
  /** Members of one group have its weight together. */
  readonly group: string;
  readonly weight: number;
  /** Until then its permits are its own. */
  readonly until: number;
  readonly limits: SharedLimits;
  /** How many permits it has use for. */
  readonly want: Amounts;
  /** How many it needs to send anything at all. */
  readonly need: Amounts;
  readonly held: Amounts;
  /** Since when it has a turn, or waits for one; matters where there are fewer permits than members. */
  readonly turn: { readonly has: boolean; readonly since: number };
}

/** Permits that were given back and may be used by others from a time on. */
export interface Returned {
  readonly resource: Resource;
  readonly count: number;
  readonly at: number;
}

/** What the refusals of the contact center have brought about. */
export interface HoldBack {
  /** Nobody sends before. */
  readonly until: number;
  /** Share of the limits that is used. */
  readonly share: number;
  /** When the share was last changed. */
  readonly changed: number;
  /** Since then. */
  readonly answers: number;
  readonly refused: number;
}

/** All that machines share of the pace of one contact center: one row. */
export interface PaceState {
  readonly members: readonly Member[];
  readonly returned: readonly Returned[];
  readonly holdBack: HoldBack;
}

export const NO_PACE: PaceState = {
  members: [],
  returned: [],
  holdBack: { until: 0, share: 1, changed: 0, answers: 0, refused: 0 },
};

/** What a member reports and asks for now and then. */
export interface Beat {
  readonly id: string;
  readonly group: string;
  readonly weight: number;
  readonly limits: SharedLimits;
  readonly leaseMs: number;
  /** Whether it sends nothing any more. */
  readonly leaves: boolean;
  readonly want: Amounts;
  readonly need: Amounts;
  readonly held: Amounts;
  /** When permits that it no longer holds may be used by others, since the last beat that was answered. */
  readonly returned: Portions;
  /** Answers since then, and how many of these were refusals. */
  readonly answers: number;
  readonly refused: number;
  /** How long nobody should send, as the contact center asked for it. */
  readonly retryAfterMs: number;
}

export interface BeatAnswer {
  /** What holds for all members together, at present. */
  readonly limits: Limits;
  /** How many permits the member should hold. It gives back what it has above. */
  readonly target: Amounts;
  /** How many it holds, with those that are granted. */
  readonly held: Amounts;
  readonly granted: Portions;
  /** How long nobody sends. */
  readonly pauseMs: number;
  /** When to report again. */
  readonly beatMs: number;
}
