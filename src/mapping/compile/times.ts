import type { Path } from '../../config/document.js';
import { nearest } from '../../core/text.js';
import { instantOf, timeZone, type TimeZone, daysText } from '../../core/time.js';
import type { CallAtSpec, ZoneByPhoneSpec, FreshSpec } from '../schema.js';
import { datePattern, firstOf } from '../transforms/date/date.js';
import {
  compileDate,
  type Moment,
  type Part as DatePart,
  dateByForm,
} from '../transforms/date/dates.js';
import { InvalidValue, type TransformContext } from '../transforms/step.js';
import {
  type CompileContext,
  type RowProblems,
  compilePart,
  compileValue,
  missing,
  partOfReader,
  type Convert,
  type Part,
  type ValueReader,
} from './values.js';
import { type Phone, TIME_ZONE_LENGTH, isClient, type MappedPayload } from '../../core/client.js';
import type { Cell } from '../../core/table.js';
import { type PhoneZone, zoneOfPhone, shortZone, zoneOfText } from '../../calling/zones/zones.js';
import type { Problem } from '../../core/outcome.js';
import type { LoadedMapping } from '../mapping.js';
import { CallTimes } from '../../calling/hours.js';

const NO_SUCH_TIME = new InvalidValue(
  'no_such_time',
  'Clocks skip this time, since they are put forward then. Write another one.',
);
const NO_OFFSET = new InvalidValue(
  'no_time_zone',
  'The time names no offset from UTC. Write it with one, such as +03:00, or name a time zone in the mapping.',
);
const NO_ZONE = new InvalidValue(
  'no_time_zone',
  'The time names no offset from UTC, so the time zone is required. Fill in the cell.',
);
const NOT_A_ZONE = new InvalidValue(
  'not_a_time_zone',
  'There is no such time zone. Write an IANA name, such as Europe/Moscow.',
);

/**
 * The moment of a callback in ISO 8601 with its offset. An offset in the cell counts before any time zone. Of a time
 * that comes twice, when clocks are put back, the first is meant; one that clocks skip is refused.
 */
export function compileCallAt(spec: CallAtSpec, path: Path, context: CompileContext): Part<string> {
  const { pattern, timeZone: zoneSpec } = typeof spec === 'string' ? {} : spec;
  const reader = compileValue(spec, path, context);
  const convert = toLocalTime(pattern, [...path, 'pattern'], context);
  const time = partOfReader(reader, convert, missing('The time of the callback'), context);
  const zone =
    zoneSpec === undefined ? null : compileZone(zoneSpec, [...path, 'timeZone'], context);
  return (cells, problems) => {
    const found = time(cells, problems);
    if (found === null) return null;
    const { local, offset } = found;
    if (offset !== null) return written(local, offset);
    if (zone === null) {
      problems.add(reader.label, NO_OFFSET, reader.raw(cells));
      return null;
    }
    const place = zone(cells, problems);
    if (place === null) return null;
    const instant = instantOf(local, place);
    if (instant !== null) return written(local, offsetText(local - instant));
    problems.add(reader.label, NO_SUCH_TIME, reader.raw(cells));
    return null;
  };
}

const toZone: Convert<TimeZone> = (text) => timeZone(text.trim()) ?? NOT_A_ZONE;

/** A bare text names the zone itself. */
function compileZone(
  spec: Extract<CallAtSpec, object>['timeZone'] & {},
  path: Path,
  context: CompileContext,
): Part<TimeZone> {
  if (typeof spec !== 'string') {
    return compilePart(spec, path, toZone, NO_ZONE, context);
  }
  const zone = toZone(spec);
  if (!(zone instanceof InvalidValue)) return () => zone;
  const near = nearest(spec, Intl.supportedValuesOf('timeZone'));
  context.mistake(
    path,
    `there is no time zone "${spec}".`,
    near === undefined ? 'A column is written { column: … }.' : `Did you mean "${near}"?`,
  );
  return () => null;
}

function written(local: number, offset: string): string {
  return new Date(local).toISOString().replace('.000Z', offset);
}

const MINUTE = 60_000;

function offsetText(milliseconds: number): string {
  const minutes = Math.abs(milliseconds) / MINUTE;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${milliseconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

interface LocalTime {
  /** What a clock shows, in milliseconds as if it were UTC. */
  readonly local: number;
  /** Offset from UTC such as `+03:00`; `null` when the cell names none. */
  readonly offset: string | null;
}

const DAY = compileDate('yyyy-MM-dd');
const SECONDS = compileDate("yyyy-MM-dd'T'HH:mm:ss");
/** ISO 8601: day, what stands between, minutes, seconds without their fraction, offset. */
const ISO = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d)(?::(\d\d)(?:[.,]\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;
const [BETWEEN, OFFSET] = [2, 5];

/** No callback can be of the last century: such a year is a slip, or a number that a spreadsheet took for a date. */
const FIRST_YEAR = 2000;
/** Farthest offset of any place from UTC, in hours. */
const FARTHEST = 14;

const NO_TIME = new InvalidValue(
  'no_time',
  'The time of day is missing. Write both: 2026-11-21T10:00:00.',
);
const LONG_PAST = new InvalidValue('long_past', 'This time is long past. Check the year.');

/**
 * Text to a time: ISO 8601, and the patterns of the mapping. Without an offset, and with a pattern, ISO 8601 is
 * understood as workbooks have it, with a T: a space might stand in the pattern, with another order of day and month.
 */
function toLocalTime(
  pattern: string | readonly string[] = [],
  path: Path,
  context: TransformContext,
): Convert<LocalTime> {
  const patterns = typeof pattern === 'string' ? [pattern] : pattern;
  const readers = patterns.flatMap((one, index) => {
    const at = typeof pattern === 'string' ? path : [...path, index];
    const reader = datePattern(one, at, context);
    if (reader === undefined) return [];
    const lack = NEEDED.find((part) => !reader.parts.has(part));
    if (lack !== undefined) context.mistake(at, `"${one}" has no ${lack}.`);
    return [reader];
  });
  const forms = [...patterns, '2026-11-21T10:00:00+03:00'].join(' or ');
  const wrong = new InvalidValue(
    'not_a_time',
    `This is not a date with a time. Write it as ${forms}.`,
  );
  return (text) => {
    const trimmed = text.trim();
    const iso = ISO.exec(trimmed);
    if (iso?.[OFFSET] !== undefined) return isoTime(iso) ?? wrong;
    const own = firstOf(readers, trimmed);
    if (own !== null) return inRange(own, null);
    if (iso !== null && (readers.length === 0 || iso[BETWEEN] !== ' '))
      return isoTime(iso) ?? wrong;
    return DAY.read(trimmed) === null ? wrong : NO_TIME;
  };
}

function isoTime([, day, , minutes, seconds, offset]: RegExpExecArray):
  LocalTime | InvalidValue | null {
  const moment = SECONDS.read(`${day ?? ''}T${minutes ?? ''}:${seconds ?? '00'}`);
  const ahead = offset === undefined ? null : offsetOf(offset);
  return moment === null || ahead === undefined ? null : inRange(moment, ahead);
}

function inRange(
  [year, month, day, hour, minute, second]: Moment,
  offset: string | null,
): LocalTime | InvalidValue {
  if (year < FIRST_YEAR) return LONG_PAST;
  return { local: Date.UTC(year, month - 1, day, hour, minute, second), offset };
}

/** `+03:00` for every way to write an offset; `undefined` when no place has it. */
function offsetOf(written: string): string | undefined {
  const digits = written.replace(/\D/g, '').padEnd(4, '0');
  const [hours, minutes] = [digits.slice(0, 2), digits.slice(2)];
  if (Number(hours) > FARTHEST || Number(minutes) > 59) return undefined;
  const sign = written.startsWith('-') && digits !== '0000' ? '-' : '+';
  return `${sign}${hours}:${minutes}`;
}

const NEEDED: readonly DatePart[] = ['year', 'month', 'day', 'hour'];

const PATH: Path = ['client', 'timeZone'];

const NOT_KNOWN_HERE = new InvalidValue(
  'not_a_time_zone',
  'This is no time zone that is known here, so the phone decides. Write an IANA name such as Europe/Moscow, or UTC+3.',
);
const UNKNOWN = new InvalidValue(
  'no_time_zone',
  'The row names no time zone, and its phone is of none that is known. Fill in the cell, or give a default.',
);
const AMBIGUOUS = 'ambiguous_time_zone';
/**
 * The time zone of a client: what the row says, else what the first digits of its first phone say, else the default; `null`
 * where there is none, and then `problems` says so. What is not sure is never taken for it, unless the mapping wants the
 * first of several zones.
 */
export function compileClientZone(
  spec: ZoneByPhoneSpec,
  numberOf: (phone: string) => number,
  context: CompileContext,
) {
  const { phone: _, ambiguous = 'default', default: other, ...value } = spec;
  const reader = Object.keys(value).length === 0 ? null : compileValue(value, PATH, context);
  const usual = defaultZone(other, context);
  /** What is taken for a zone that is not sure, `null` where the row is rejected, and what the report says of it. */
  const takenFor = new Map<PhoneZone, { zone: string | null; why: InvalidValue }>();
  const unsure = (found: PhoneZone, problems: RowProblems): string | null => {
    let known = takenFor.get(found);
    if (!known) {
      const first = ambiguous === 'first' && found.zone !== null ? shortZone(found.zone) : usual;
      const zone = ambiguous === 'reject' ? null : first;
      const message = unsureText(found.zones.map(shortZone), zone);
      takenFor.set(found, (known = { zone, why: new InvalidValue(AMBIGUOUS, message) }));
    }
    const { zone, why } = known;
    if (zone === null) return refuse(why, reader, problems);
    problems.zoneFrom = 'ambiguous';
    problems.possibleZones = found.zones;
    problems.remark(reader?.label ?? null, why, null);
    return zone;
  };
  return (cells: readonly Cell[], clientPhones: readonly Phone[], problems: RowProblems) => {
    const written = reader && writtenZone(reader, cells, problems);
    if (written) return written;
    const [first] = clientPhones;
    const phone = first?.phoneNumber;
    // Lists have it already.
    const number = phone === undefined ? 0 : (problems.numberOf(phone) ?? numberOf(phone));
    const planned = context.numberPlan?.zoneOf(number) ?? null;
    const found = planned === null ? zoneOfPhone(number) : null;
    const certain = planned ?? (found?.isCertain ? found.zone : null);
    if (certain !== null) {
      problems.zoneFrom = 'phone';
      return shortZone(certain);
    }
    if (found) return unsure(found, problems);
    // A row without a phone is rejected for that.
    if (!first && problems.list.length > 0) return null;
    if (usual === null) return refuse(UNKNOWN, reader, problems);
    problems.zoneFrom = 'default';
    return usual;
  };
}

/** More zones than these are named by the first and the last. */
const NAMED = 3;
/** Orders zones from west to east. */
const ANY_WINTER = Date.UTC(2026, 0, 1);

function unsureText(zones: readonly string[], zone: string | null): string {
  if (zones.length < 2)
    return zone === null
      ? 'The first digits of the phone do not say in which time zone it is. Fill in the cell.'
      : `The first digits of the phone do not say in which time zone it is: ${zone} is taken.`;
  if (zones.length <= NAMED) {
    const names = zones.join(', ');
    return zone === null
      ? `By its first digits, the phone is in one of these time zones: ${names}. Fill in the cell.`
      : `By its first digits, the phone is in one of these time zones: ${names}; ${zone} is taken.`;
  }
  const eastward = zones
    .map((name) => ({ name, ahead: timeZone(name)?.offsetAt(ANY_WINTER) ?? 0 }))
    .sort((one, other) => one.ahead - other.ahead);
  const [west, east] = [eastward[0]?.name ?? '', eastward.at(-1)?.name ?? ''];
  return zone === null
    ? `By its first digits, the phone is in one of ${zones.length} time zones from ${west} to ${east}. Fill in the cell.`
    : `By its first digits, the phone is in one of ${zones.length} time zones from ${west} to ${east}; ${zone} is taken.`;
}

/** What the row says of its zone; `null` where it says nothing that is one. */
function writtenZone(
  reader: ValueReader,
  cells: readonly Cell[],
  problems: RowProblems,
): string | null {
  const value = reader.read(cells, problems);
  if (value === null) return null;
  const zone = typeof value === 'string' ? zoneOfText(value) : null;
  if (zone === null || zone.length > TIME_ZONE_LENGTH) {
    problems.remark(reader.label, NOT_KNOWN_HERE, reader.raw(cells));
    return null;
  }
  problems.zoneFrom = 'column';
  return zone;
}

function refuse(why: InvalidValue, reader: ValueReader | null, problems: RowProblems): null {
  problems.add(reader?.label ?? null, why, null);
  return null;
}

function defaultZone(written: ZoneByPhoneSpec['default'], context: CompileContext): string | null {
  if (written === undefined) return null;
  const zone = zoneOfText(String(written));
  if (zone !== null && zone.length <= TIME_ZONE_LENGTH) return zone;
  const path = [...PATH, 'default'];
  context.mistake(
    path,
    `there is no time zone "${String(written)}".`,
    'Use a name such as Europe/Moscow.',
  );
  return null;
}

/** What the rules of a mapping that depend on the moment say of a row. */
export type TimeRules = NonNullable<ReturnType<typeof compileTimeRules>>;

/**
 * `null` where a mapping has none, or no moment counts. Where a client may not be called now, a remark says so, or the row
 * is left out for now.
 * @param asOf moment that counts, in milliseconds since the epoch
 */
export function compileTimeRules(
  { callable, fresh, holidays }: Pick<LoadedMapping, 'callable' | 'fresh' | 'holidays'>,
  asOf: number | null | undefined,
  context: CompileContext,
) {
  const age = fresh ? compileFresh(fresh, asOf ?? 0, context) : null;
  if (asOf === null || asOf === undefined || (!fresh && !callable)) return null;
  const times = callable ? new CallTimes({ week: callable.hours, holidays }, asOf) : null;
  return (cells: readonly Cell[], payload: MappedPayload | null, problems: RowProblems) => {
    const old = age?.(cells, problems) ?? null;
    const isDated = times !== null && payload !== null && isClient(payload);
    const found = isDated ? times.of(payload.timeZone, problems.possibleZones) : undefined;
    const why = found?.why;
    if (why && callable?.closed === 'warn')
      problems.remark(null, new InvalidValue(why.code, why.message), null);
    const isLeftOut = why && callable?.closed === 'skip';
    return {
      /** Why the row is left out, whatever else is wrong with it. */
      old,
      /** Why it is left out for now, if it could be sent at all. */
      closed: isLeftOut ? { column: null, ...why, value: null } : null,
      when: found?.when,
    };
  };
}

const DAY_MS = 86_400_000;
const MAX_KNOWN = 10_000;

/**
 * Notes of a row that it is too old, or that nobody knows how old it is; where the mapping skips such rows, what is given
 * says why.
 */
function compileFresh(
  { column, transform, maxAge, old }: FreshSpec,
  asOf: number,
  context: CompileContext,
) {
  const reader = compileValue({ column, ...(transform ? { transform } : {}) }, ['fresh'], context);
  const unknown = new InvalidValue(
    'age_unknown',
    'How old the row is cannot be seen: this is no date that can be read in one way alone. Fill in the cell, or name its pattern with the transform date.',
  );
  const future = new InvalidValue('age_unknown', 'The date is in the future. Correct the cell.');
  const decide = (value: string): InvalidValue | null => {
    const age = ageOf(value, asOf);
    if (age === null) return unknown;
    if (age < -DAY_MS) return future;
    if (age <= maxAge) return null;
    const message = `The row is ${daysText(age)} old, and maxAge allows ${daysText(maxAge)}.`;
    return new InvalidValue('too_old', message);
  };
  // A list has few days, and reading one takes as long as all else that is done with a cell.
  const known = new Map<string, InvalidValue | null>();
  const whyOld = (value: string | null): InvalidValue | null => {
    if (value === null) return unknown;
    const found = known.get(value);
    if (found !== undefined) return found;
    const why = decide(value);
    if (known.size < MAX_KNOWN) known.set(value, why);
    return why;
  };
  return (cells: readonly Cell[], problems: RowProblems): Problem | null => {
    const value = reader.read(cells, problems);
    const why = whyOld(typeof value === 'string' ? value : null);
    if (why === null) return null;
    const { code, message } = why;
    const raw = reader.raw(cells);
    if (old === 'skip') return { column: reader.label, code, message, value: raw };
    if (old === 'reject') problems.add(reader.label, why, raw);
    else problems.remark(reader.label, why, raw);
    return null;
  };
}

/**
 * How long ago a date was, in milliseconds; `null` where it is none. Clocks are taken for those of UTC. A date without a
 * time counts from the end of its day, so that a row is as many days old as the calendar shows.
 */
function ageOf(text: string, asOf: number): number | null {
  const trimmed = text.trim();
  const moment = dateByForm(trimmed);
  if (moment === null) return null;
  const [year, month, day, hour, minute, second] = moment;
  const instant = Date.UTC(year, month - 1, day, hour, minute, second);
  if (/:|^\d{10,}$/.test(trimmed)) return asOf - instant;
  return Math.floor((asOf - instant) / DAY_MS) * DAY_MS;
}
