/** A time zone: what clocks on the wall show there. */
export interface TimeZone {
  /** IANA name, as it was asked for. */
  readonly name: string;
  /** Milliseconds by which local time is ahead of UTC at an instant (milliseconds since 1970). */
  offsetAt(instant: number): number;
}

/** Making one takes long. There are no more of them than IANA has names. */
const zones = new Map<string, TimeZone>();
const DAY = 86_400_000;

/** The zone of an IANA name, in any case of letters; `undefined` when there is none. */
export function timeZone(name: string): TimeZone | undefined {
  const key = name.toLowerCase();
  const known = zones.get(key);
  if (known) return known;
  const format = formatOf(name);
  if (!format) return undefined;
  const zone = { name, offsetAt: (instant: number) => localOf(format, instant) - instant };
  zones.set(key, zone);
  return zone;
}

/**
 * The instant at which clocks of the zone show `local`, a time written as if it were UTC. Where they show it twice,
 * as in the hour that comes again in autumn, it is the first time; `null` where they skip it, as in spring.
 */
export function instantOf(local: number, zone: TimeZone): number | null {
  // A day before and after, whatever change there is lies between.
  const offsets = [zone.offsetAt(local - DAY), zone.offsetAt(local + DAY)];
  const instants = offsets
    .map((offset) => local - offset)
    .filter((instant) => instant + zone.offsetAt(instant) === local);
  return instants.length === 0 ? null : Math.min(...instants);
}

const SECOND = 1000;

/** How far local time is ahead of UTC at any instant, in milliseconds: offsets are reported for whole seconds. */
export function offsetAt(zone: TimeZone, instant: number): number {
  return zone.offsetAt(Math.floor(instant / SECOND) * SECOND);
}

/** The instant in (`after`, `last`] from which on clocks are set otherwise; there is one at most in a day. */
export function changeBetween(zone: TimeZone, after: number, last: number): number | null {
  const before = offsetAt(zone, after);
  if (offsetAt(zone, last) === before) return null;
  let [low, high] = [Math.floor(after / SECOND), Math.ceil(last / SECOND)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * SECOND) === before) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

/** Some versions of Node take offsets for names of zones; they are none. */
const OFFSET = /^[+-]/;

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  if (OFFSET.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What clocks show at an instant, as if it were UTC. */
function localOf(format: Intl.DateTimeFormat, instant: number): number {
  const shown = new Map(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type) ?? 0;
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
}
