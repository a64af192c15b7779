import { type Claim, fairShares } from './fair-shares.js';
import { type Amounts, type Limits, type Member, RESOURCES, type Resource } from './pace-state.js';

/** How long somebody of average weight keeps a turn, in milliseconds: permits that change hands lie idle for a moment. */
const TURN_MS = 4000;

/** Members with what each of them should hold, in their order. */
export interface Divided {
  readonly member: Member;
  readonly target: Amounts;
}

/**
 * Divides the permits. Where a fair share would be too small to send anything with, members take turns: those who have
 * waited longest come first, and those whose turn is over come last.
 */
export function divide(members: readonly Member[], limits: Limits, now: number): Divided[] {
  const asking = members.filter(({ want }) => RESOURCES.some((one) => (want[one] ?? 0) > 0));
  const average = asking.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, asking.length);
  const order = asking.toSorted(
    (one, other) => rank(one, average, now) - rank(other, average, now),
  );
  let served = order;
  while (served.length > 1 && !suffices(served, limits)) served = served.slice(0, -1);
  const targets = new Map(served.map((member, at) => [member.id, targetsOf(served, limits)[at]]));
  return members.map((member) => {
    const target = targets.get(member.id);
    const has = target !== undefined;
    const turn = has === member.turn.has ? member.turn : { has, since: now };
    return { member: { ...member, turn }, target: target ?? nothingOf(limits) };
  });
}

/** The lower, the sooner. Who has a turn keeps it for its time. */
function rank({ turn, weight }: Member, average: number, now: number): number {
  if (!turn.has) return turn.since;
  return now - turn.since < TURN_MS * (weight / average) ? -Infinity : now;
}

function targetsOf(members: readonly Member[], limits: Limits): Amounts[] {
  const weights = members.map(({ group, weight }) => weight / sizeOf(members, group));
  const byResource = RESOURCES.flatMap((resource) => {
    const limit = limits[resource];
    if (!limit) return [];
    const claims = members.map(({ want }, at) => ({
      want: want[resource] ?? 0,
      weight: weights[at] ?? 0,
    }));
    return [[resource, sharesOf(limit.units, claims)] as const];
  });
  return members.map((_, at) =>
    Object.fromEntries(byResource.map(([resource, shares]) => [resource, shares[at] ?? 0])),
  );
}

const sizeOf = (members: readonly Member[], group: string): number =>
  members.filter((one) => one.group === group).length;

/** What nobody wants is divided too: whoever has more than is needed need not spread it. */
function sharesOf(units: number, claims: readonly Claim[]): number[] {
  const wanted = fairShares(units, claims);
  const left = units - wanted.reduce((sum, share) => sum + share, 0);
  const rest = fairShares(
    left,
    claims.map(({ weight, want }) => ({ weight, want: want > 0 ? Infinity : 0 })),
  );
  return wanted.map((share, at) => share + (rest[at] ?? 0));
}

function suffices(members: readonly Member[], limits: Limits): boolean {
  const targets = targetsOf(members, limits);
  return members.every(({ need, want }, at) =>
    RESOURCES.every(
      (one) =>
        enough(targets[at]?.[one] ?? Infinity, need[one] ?? 0, limits, one) || want[one] === 0,
    ),
  );
}

/** A request that is larger than the limit takes all of it. */
function enough(target: number, need: number, limits: Limits, resource: Resource): boolean {
  return target >= Math.min(need, limits[resource]?.units ?? 0);
}

const nothingOf = (limits: Limits): Amounts =>
  Object.fromEntries(RESOURCES.filter((one) => limits[one]).map((one) => [one, 0]));
