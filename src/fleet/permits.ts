/** What the owners of a contact center permit to all who send to it, on whatever machine. */
export interface SharedLimits {
  readonly requestsPerSecond?: number | undefined;
  readonly clientsPerSecond?: number | undefined;
  readonly concurrency?: number | undefined;
}

/** What is limited: requests and clients in a second, and places for requests in flight. */
export const RESOURCES = ['requests', 'clients', 'places'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Permits by resource; absent where a resource is not limited. */
export type Amounts = Readonly<Partial<Record<Resource, number>>>;

/** So many permits, usable from a time on: milliseconds from now. */
export type Portion = readonly [count: number, inMs: number];

/** How many permits there are, and after how long each may be used again, in milliseconds. */
interface Limit {
  readonly units: number;
  readonly cycleMs: number;
}
export type Limits = Readonly<Partial<Record<Resource, Limit>>>;

/** What whoever sends to the contact center says of itself. */
interface Claims {
  readonly id: string;
  /** Members of one group have its weight together. */
  readonly group: string;
  readonly weight: number;
  readonly limits: SharedLimits;
  readonly want: Amounts;
  /** How many it needs to send anything at all. */
  readonly need: Amounts;
  readonly held: Amounts;
}

/** Whoever sends to the contact center. Times are in milliseconds by the database's clock. */
interface Member extends Claims {
  readonly until: number;
  /** Since when it has a turn, or waits for one; matters where there are fewer permits than members. */
  readonly turn: { readonly has: boolean; readonly since: number };
}

/** Permits that were given back and may be used by others from a time on. */
interface Returned {
  readonly resource: Resource;
  readonly count: number;
  readonly at: number;
}

/** What the refusals of the contact center have brought about. */
interface HoldBack {
  readonly until: number;
  readonly share: number;
  readonly changed: number;
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

/** Answers of the contact center since the last report, how many of them were refusals, and how long nobody should send. */
export interface Answers {
  readonly answers: number;
  readonly refused: number;
  /** In milliseconds, as the contact center asked for it. */
  readonly retryAfterMs: number;
}

/** What a member reports and asks for now and then. */
export interface Beat extends Answers, Claims {
  readonly leaseMs: number;
  readonly leaves: boolean;
  /** When permits that it no longer holds may be used by others, since the last beat that was answered. */
  readonly returned: Readonly<Partial<Record<Resource, readonly Portion[]>>>;
}

export type BeatAnswer = ReturnType<typeof answerBeat>['answer'];

/** Longest time for which one answer holds everybody back, in milliseconds. */
const LONGEST_MS = 60_000;
/** After a change, what follows from it has to be seen first, in milliseconds. */
const SETTLE_MS = 1000;
/** Answers without which nothing is concluded. */
const ENOUGH = 5;
/** A contact center that refuses more than this share is asked less. */
const TOO_MANY = 0.2;
const [DOWN, UP, MIN_SHARE] = [0.7, 1.15, 0.05];

/** What a member's answers bring about for all: a pause where it was asked for, a slower pace where much is refused. */
function heldBack(state: HoldBack, beat: Beat, now: number): HoldBack {
  const asked = Math.min(beat.retryAfterMs, LONGEST_MS);
  const seen = {
    ...state,
    until: asked > 0 ? Math.max(state.until, now + asked) : state.until,
    answers: state.answers + beat.answers,
    refused: state.refused + beat.refused,
  };
  if (now - seen.changed < SETTLE_MS || seen.answers < ENOUGH) return seen;
  const isTooMuch = seen.refused > seen.answers * TOO_MANY;
  const share = isTooMuch ? Math.max(MIN_SHARE, seen.share * DOWN) : Math.min(1, seen.share * UP);
  return { until: seen.until, share, changed: now, answers: 0, refused: 0 };
}

const SECOND_MS = 1000;

const LIMITED_BY = {
  ...{ requests: 'requestsPerSecond', clients: 'clientsPerSecond', places: 'concurrency' },
} as const satisfies Record<Resource, keyof SharedLimits>;

/** The limits of all: where installation files differ, the lowest. `share`: how much of them is used. */
function limitsOf(all: readonly SharedLimits[], share: number): Limits {
  const limits = RESOURCES.flatMap((resource) => {
    const lowest = Math.min(...all.map((one) => one[LIMITED_BY[resource]] ?? Infinity));
    if (lowest === Infinity) return [];
    const places = { units: Math.max(1, Math.floor(lowest * share)), cycleMs: 0 };
    return [[resource, resource === 'places' ? places : rate(lowest * share)] as const];
  });
  return Object.fromEntries(limits);
}

/** Whole permits, each of which may be used again after a second, or a little later where the rate is none. */
function rate(perSecond: number): Limit {
  const units = Math.ceil(perSecond);
  return { units, cycleMs: (units / perSecond) * SECOND_MS };
}

interface Claim {
  readonly want: number;
  readonly weight: number;
}

/**
 * Divides whole units by weight. Nobody gets more than is wanted, and what one does not want is divided among the others.
 */
export function fairShares(units: number, claims: readonly Claim[]): number[] {
  const shares = new Map(claims.map((claim) => [claim, 0]));
  let open = [...shares.keys()];
  let left = units;
  for (;;) {
    const weights = open.reduce((sum, { weight }) => sum + weight, 0);
    const level = weights === 0 ? 0 : left / weights;
    const content = new Set(open.filter(({ want, weight }) => Math.floor(want) <= level * weight));
    if (content.size === 0) {
      // Those who want more get whole parts, and what is left over goes to the largest fractions.
      for (const claim of open) {
        const whole = Math.floor(level * claim.weight);
        shares.set(claim, whole);
        left -= whole;
      }
      const fraction = ({ weight }: Claim): number => (level * weight) % 1;
      const byFraction = open.toSorted((one, other) => fraction(other) - fraction(one));
      for (const claim of byFraction.slice(0, Math.max(0, Math.round(left))))
        shares.set(claim, (shares.get(claim) ?? 0) + 1);
      return [...shares.values()];
    }
    for (const claim of content) {
      shares.set(claim, Math.floor(claim.want));
      left -= Math.floor(claim.want);
    }
    open = open.filter((claim) => !content.has(claim));
  }
}

/** How long somebody of average weight keeps a turn, in milliseconds: permits that change hands lie idle for a moment. */
const TURN_MS = 4000;

/**
 * Divides the permits. Where a fair share would be too small to send anything with, members take turns: those who have
 * waited longest come first, and those whose turn is over come last.
 */
function divide(members: readonly Member[], limits: Limits, now: number) {
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
    return { member: { ...member, turn }, target: target ?? {} };
  });
}

/** The lower, the sooner. Who has a turn keeps it for its time. */
function rank({ turn, weight }: Member, average: number, now: number): number {
  if (!turn.has) return turn.since;
  return now - turn.since < TURN_MS * (weight / average) ? -Infinity : now;
}

function targetsOf(members: readonly Member[], limits: Limits): Amounts[] {
  const weights = members.map(
    ({ group, weight }) => weight / members.filter((one) => one.group === group).length,
  );
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
        // A request that is larger than the limit takes all of it.
        (targets[at]?.[one] ?? Infinity) >= Math.min(need[one] ?? 0, limits[one]?.units ?? 0) ||
        want[one] === 0,
    ),
  );
}

/** How often members report, in milliseconds: so often, but together not more often than the row bears. */
const BEAT_MS = 250;
const BEAT_MS_EACH = 20;

/**
 * What a member's report changes, and the answer to it: what holds for all together (`limits`), how many permits the member
 * should hold (`target`; it gives back what it has above), how many it holds (`held`), with those that are granted, how long
 * nobody sends, and when to report again. Pure. At any time, what members hold and what was given back and cannot be used yet
 * are together no more than the limits, unless these were lowered a moment ago.
 */
export function answerBeat(before: PaceState, beat: Beat, now: number) {
  const lapsed = before.members.filter(({ until }) => until <= now);
  const known = before.members.find(({ id, until }) => id === beat.id && until > now);
  const others = before.members.filter(({ id, until }) => id !== beat.id && until > now);
  // Its lease has lapsed: what it still takes for its own may be somebody else's.
  const held = known ? beat.held : {};
  const holdBack = heldBack(before.holdBack, beat, now);
  const returned = [
    ...before.returned.filter(({ at }) => at > now),
    ...lapsed.flatMap((member) => allOf(member, limitsOf([member.limits], holdBack.share))),
    ...(known ? givenBack(known, beat, now) : []),
  ].filter(({ at }) => at > now);
  const all = beat.leaves ? others : [...others, memberOf(beat, known, held, now)];
  const limits = limitsOf(
    all.map((one) => one.limits),
    holdBack.share,
  );
  const divided = divide(all, limits, now);
  const target = divided.find(({ member }) => member.id === beat.id)?.target ?? {};
  const members = divided.map(({ member }) => member);
  const beatMs = Math.max(BEAT_MS, BEAT_MS_EACH * members.length);
  const grant = grantsFor(held, target, { members, returned }, limits, now, now + beatMs);
  return {
    state: {
      members: members.map((one) => (one.id === beat.id ? { ...one, held: grant.held } : one)),
      returned: grant.returned,
      holdBack,
    },
    answer: {
      ...{ limits, target, beatMs, held: grant.held, granted: grant.granted },
      pauseMs: Math.max(0, holdBack.until - now),
    },
  };
}

function memberOf(beat: Beat, known: Member | undefined, held: Amounts, now: number): Member {
  const { id, group, weight, limits, want, need } = beat;
  const turn = known?.turn ?? { has: false, since: now };
  return { ...{ id, group, weight, limits, want, need, held, turn }, until: now + beat.leaseMs };
}

/** What a member held that is gone: it may have sent until its lease lapsed. */
const allOf = ({ held, until }: Member, limits: Limits): Returned[] =>
  RESOURCES.flatMap((resource) => {
    const count = held[resource] ?? 0;
    return count > 0 ? [{ resource, count, at: until + (limits[resource]?.cycleMs ?? 0) }] : [];
  });

/**
 * What the member held according to the row, and holds no more. Of an earlier report whose answer was lost, it may list
 * permits that were noted already: those that are free last count.
 */
function givenBack(known: Member, beat: Beat, now: number): Returned[] {
  return RESOURCES.flatMap((resource) => {
    const keeps = beat.leaves ? 0 : (beat.held[resource] ?? 0);
    let open = (known.held[resource] ?? 0) - keeps;
    const listed = (beat.returned[resource] ?? []).toSorted(([, one], [, other]) => other - one);
    return listed.flatMap(([count, inMs]) => {
      const taken = Math.min(count, Math.max(0, open));
      open -= taken;
      return taken > 0 ? [{ resource, count: taken, at: now + inMs }] : [];
    });
  });
}

/** Grants what is missing, as far as it is there. `until`: what can be used by then can be granted. */
function grantsFor(
  held: Amounts,
  target: Amounts,
  { members, returned: before }: Pick<PaceState, 'members' | 'returned'>,
  limits: Limits,
  now: number,
  until: number,
) {
  const granted: Partial<Record<Resource, readonly Portion[]>> = {};
  const all: Partial<Record<Resource, number>> = {};
  let returned = before.toSorted((one, other) => one.at - other.at);
  for (const resource of RESOURCES) {
    const limit = limits[resource];
    if (!limit) continue;
    const own = held[resource] ?? 0;
    const room = Math.max(0, limit.units - sumOf(members.map((one) => one.held[resource] ?? 0)));
    const resting = returned.map((one) => (one.resource === resource ? one.count : 0));
    let open = Math.min(Math.max(0, (target[resource] ?? 0) - own), room);
    const free = Math.min(open, Math.max(0, room - sumOf(resting)));
    open -= free;
    const portions: Portion[] = free > 0 ? [[free, 0]] : [];
    returned = returned.flatMap((one) => {
      if (one.resource !== resource) return [one];
      const count = one.at <= until ? Math.min(open, one.count) : 0;
      open -= count;
      if (count > 0) portions.push([count, one.at - now]);
      return count < one.count ? [{ ...one, count: one.count - count }] : [];
    });
    granted[resource] = portions;
    all[resource] = own + countIn(portions);
  }
  return { granted, held: all, returned };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((one, more) => one + more, 0);

/** How many permits are in portions. */
export const countIn = (portions: readonly Portion[] = []): number =>
  sumOf(portions.map(([count]) => count));
