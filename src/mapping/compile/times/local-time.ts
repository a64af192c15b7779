import type { Path } from '../../../config/document.js';
import {
  compileDate,
  type DatePattern,
  type Moment,
  type Part,
} from '../../transforms/date/date-pattern.js';
import { datePattern, firstOf } from '../../transforms/date/date.js';
import { type TransformContext, InvalidValue } from '../../transforms/step.js';
import type { Convert } from '../value-reader.js';

/** A time as a cell shows it. */
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
export function toLocalTime(
  pattern: string | readonly string[] = [],
  path: Path,
  context: TransformContext,
): Convert<LocalTime> {
  const patterns = typeof pattern === 'string' ? [pattern] : pattern;
  const readers = patterns.flatMap((one, index) =>
    compiled(one, typeof pattern === 'string' ? path : [...path, index], context),
  );
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

/** `null` when there is no such day, time or offset. */
function isoTime([, day, , minutes, seconds, offset]: RegExpExecArray):
  LocalTime | InvalidValue | null {
  const moment = SECONDS.read(`${day ?? ''}T${minutes ?? ''}:${seconds ?? '00'}`);
  const ahead = offset === undefined ? null : offsetText(offset);
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
function offsetText(written: string): string | undefined {
  const digits = written.replace(/\D/g, '').padEnd(4, '0');
  const [hours, minutes] = [digits.slice(0, 2), digits.slice(2)];
  if (Number(hours) > FARTHEST || Number(minutes) > 59) return undefined;
  const sign = written.startsWith('-') && digits !== '0000' ? '-' : '+';
  return `${sign}${hours}:${minutes}`;
}

const NEEDED: readonly Part[] = ['year', 'month', 'day', 'hour'];

function compiled(pattern: string, path: Path, context: TransformContext): DatePattern[] {
  const reader = datePattern(pattern, path, context);
  if (reader === undefined) return [];
  const lack = NEEDED.find((part) => !reader.parts.has(part));
  if (lack !== undefined) context.mistake(path, `"${pattern}" has no ${lack}.`);
  return [reader];
}
