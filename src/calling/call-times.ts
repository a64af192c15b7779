import {
  CALL_CODES,
  type CallTime,
  offsetAt,
  type TimeZone,
  timeZone,
  changeBetween,
} from '../core/hours.js';
import { zoneOfText } from './zones/zone-words.js';
import type { Holidays } from './holidays.js';
import type { DayPart, WeekHours } from './week-hours.js';

/** When clients of one zone may be called, and what a report says of them. */
interface ZoneCalls {
  readonly when: CallTime;
  /** Why they may not be called now; `null` where they may. */
  readonly why: { readonly code: string; readonly message: string } | null;
}

/** Zones that are remembered; a list with more names is looked up anew for each row. */
const MAX_KNOWN = 10_000;

/** When clients may be called as of one moment, which is decided once for each zone. */
export class CallTimes {
  readonly #known = new Map<string, ZoneCalls>();
  /** By the zones that clients can be in, which are the same lists for all of them. */
  readonly #unsure = new Map<readonly string[], Map<string, ZoneCalls>>();

  constructor(
    private readonly hours: CallHours,
    /** In milliseconds since the epoch. */
    private readonly asOf: number,
  ) {}

  /**
   * @param zone as the client has it
   * @param possible the zones that the client can be in, where that is not sure: a call must be allowed in all of them
   */
  of(zone: string, possible: readonly string[] = SURE): ZoneCalls {
    const known = possible === SURE ? this.#known : this.#knownOf(possible);
    let found = known.get(zone);
    if (!found) {
      found = this.#decide(zone, possible);
      if (known.size < MAX_KNOWN) known.set(zone, found);
    }
    return found;
  }

  #knownOf(possible: readonly string[]): Map<string, ZoneCalls> {
    let known = this.#unsure.get(possible);
    if (!known) this.#unsure.set(possible, (known = new Map<string, ZoneCalls>()));
    return known;
  }

  #decide(name: string, possible: readonly string[]): ZoneCalls {
    const zone = zoneOf(name);
    if (!zone) return { when: 'never', why: UNKNOWN_ZONE };
    const others = possible.flatMap((other) => zoneOf(other) ?? []);
    const { when, at } =
      others.length === 0
        ? nextCall(this.hours, zone, this.asOf)
        : nextCallInAll(this.hours, [zone, ...others], this.asOf);
    return { when, why: when === 'now' ? null : whyNot(when, zone, at, others.length > 1) };
  }
}

const SURE: readonly string[] = [];

function zoneOf(name: string): TimeZone | undefined {
  const iana = zoneOfText(name);
  return iana === null ? undefined : timeZone(iana);
}

const UNKNOWN_ZONE = {
  code: CALL_CODES.never,
  message:
    'The time zone is not known here, so nobody can say when the client may be called. Write an IANA name such as Europe/Moscow.',
};

function whyNot(
  when: Exclude<CallTime, 'now'>,
  zone: TimeZone,
  at: number | null,
  isUnsure: boolean,
): ZoneCalls['why'] {
  const code = CALL_CODES[when];
  if (at === null)
    return {
      code,
      message: isUnsure
        ? 'The hours of "callable" allow no call at one time in all time zones that the client can be in.'
        : 'The hours of "callable" allow no call to the client in a year.',
    };
  const local = new Date(at + offsetAt(zone, at)).toISOString();
  const [day, clock] = [local.slice(0, 10), local.slice(11, 16)];
  const from = when === 'today' ? clock : `${day} ${clock}`;
  const message = isUnsure
    ? `The client may be called from ${from} on (${zone.name}): then it is allowed in all time zones that the client can be in.`
    : `The client may be called from ${from} on (${zone.name}).`;
  return { code, message };
}

/** When clients may be called, by their own clocks. */
export interface CallHours {
  readonly week: WeekHours;
  /** Days without calls. */
  readonly holidays?: Holidays | undefined;
}

interface NextCall {
  readonly when: CallTime;
  /** The first instant from now on at which a call is allowed, in milliseconds since the epoch. */
  readonly at: number | null;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3;
/** Days that are looked at: whoever cannot be called in a year never can. */
const HORIZON = 366;
/** How far clocks of any place are ahead of UTC or behind, with something to spare. */
const [FARTHEST_EAST, FARTHEST_WEST] = [15 * HOUR, 13 * HOUR];

/** Days since 1970 on the clocks of a zone. */
const localDay = (zone: TimeZone, instant: number): number =>
  Math.floor((instant + offsetAt(zone, instant)) / DAY);

/**
 * When a client in a zone may be called next. Goes by what clocks show: an hour that comes again in autumn is allowed
 * twice, one that is skipped in spring never.
 */
export function nextCall(hours: CallHours, zone: TimeZone, now: number): NextCall {
  const today = localDay(zone, now);
  let best = Number.POSITIVE_INFINITY;
  // Where clocks are put back over midnight, yesterday comes again.
  for (let day = today - 1; day <= today + HORIZON; day++) {
    best = Math.min(best, firstOn(day, hours, zone, now));
    if (best < Number.POSITIVE_INFINITY && day > today) break;
  }
  if (best === Number.POSITIVE_INFINITY) return { when: 'never', at: null };
  if (best === now) return { when: 'now', at: now };
  return { when: localDay(zone, best) === today ? 'today' : 'later', at: best };
}

/**
 * When a client may be called next that can be in any of some zones: when all of them allow it. Words such as "today" go by
 * the first of them.
 */
export function nextCallInAll(
  hours: CallHours,
  zones: readonly [TimeZone, ...TimeZone[]],
  now: number,
): NextCall {
  let at = now;
  for (let latest = now; at <= now + HORIZON * DAY; at = latest) {
    for (const zone of zones) latest = Math.max(latest, nextCall(hours, zone, at).at ?? Infinity);
    if (latest > at) continue;
    if (at === now) return { when: 'now', at };
    const isToday = localDay(zones[0], at) === localDay(zones[0], now);
    return { when: isToday ? 'today' : 'later', at };
  }
  return { when: 'never', at: null };
}

/** The first instant from now on in the hours of a local day; infinity where there is none. */
function firstOn(day: number, { week, holidays }: CallHours, zone: TimeZone, now: number): number {
  const parts = week[(((day + FIRST_WEEKDAY) % 7) + 7) % 7] ?? [];
  if (parts.length === 0 || holidays?.has(day)) return Number.POSITIVE_INFINITY;
  const midnight = day * DAY;
  const [begin, end] = [midnight - FARTHEST_EAST, midnight + DAY + FARTHEST_WEST];
  const change = changeBetween(zone, begin, end);
  // Before and after the change, clocks run evenly.
  const spans =
    change === null
      ? [{ since: begin, until: end }]
      : [
          { since: begin, until: change },
          { since: change, until: end },
        ];
  return Math.min(...spans.flatMap((span) => parts.map((part) => firstIn(part, span))));

  function firstIn({ from, to }: DayPart, { since, until }: Span): number {
    const shift = midnight - offsetAt(zone, since);
    const first = Math.max(shift + from * MINUTE, since, now);
    return first < Math.min(shift + to * MINUTE, until) ? first : Number.POSITIVE_INFINITY;
  }
}

interface Span {
  readonly since: number;
  readonly until: number;
}
