import { heldBack } from './hold-back.js';
import { limitsOf } from './limits-of.js';
import {
  type Amounts,
  type Beat,
  type BeatAnswer,
  type Limit,
  type Limits,
  type Member,
  type PaceState,
  type Portion,
  RESOURCES,
  type Resource,
  type Returned,
} from './pace-state.js';
import { divide } from './turns.js';

/** How often members report, in milliseconds: so often, but together not more often than the row bears. */
const BEAT_MS = 250;
const BEAT_MS_EACH = 20;

/**
 * What a member's report changes, and the answer to it. Pure. At any time, what members hold and what was given back
 * and cannot be used yet are together no more than the limits, unless these were lowered a moment ago.
 */
export function answerBeat(
  before: PaceState,
  beat: Beat,
  now: number,
): { readonly state: PaceState; readonly answer: BeatAnswer } {
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
  const grant = grantsFor(held, target, { members, returned, limits, until: now + beatMs, now });
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

interface Ground {
  readonly members: readonly Member[];
  readonly returned: readonly Returned[];
  readonly limits: Limits;
  readonly now: number;
  /** What can be used by then can be granted. */
  readonly until: number;
}

/** Grants what is missing, as far as it is there. */
function grantsFor(held: Amounts, target: Amounts, { members, limits, ...ground }: Ground) {
  const granted: Partial<Record<Resource, readonly Portion[]>> = {};
  const all: Partial<Record<Resource, number>> = {};
  let { returned } = ground;
  for (const resource of RESOURCES) {
    const limit = limits[resource];
    if (!limit) continue;
    const own = held[resource] ?? 0;
    const missing = Math.max(0, (target[resource] ?? 0) - own);
    const found = take(resource, limit, missing, { ...ground, members, returned });
    returned = found.returned;
    granted[resource] = found.portions;
    all[resource] = own + found.portions.reduce((sum, [count]) => sum + count, 0);
  }
  return { granted, held: all, returned };
}

function take(
  resource: Resource,
  { units }: Limit,
  missing: number,
  { members, returned, now, until }: Omit<Ground, 'limits'>,
): { readonly portions: Portion[]; readonly returned: readonly Returned[] } {
  const ofIt = returned.filter((one) => one.resource === resource);
  const inUse = members.reduce((sum, one) => sum + (one.held[resource] ?? 0), 0);
  const resting = ofIt.reduce((sum, { count }) => sum + count, 0);
  const room = Math.max(0, units - inUse);
  let open = Math.min(missing, room);
  const portions: Portion[] = [];
  const free = Math.min(open, Math.max(0, room - resting));
  if (free > 0) portions.push([free, 0]);
  open -= free;
  const left = ofIt
    .toSorted((one, other) => one.at - other.at)
    .map((one) => {
      const count = one.at <= until ? Math.min(open, one.count) : 0;
      open -= count;
      if (count > 0) portions.push([count, one.at - now]);
      return { ...one, count: one.count - count };
    })
    .filter(({ count }) => count > 0);
  return {
    portions,
    returned: [...returned.filter((one) => one.resource !== resource), ...left],
  };
}
