import type { Path } from '../../../config/path.js';
import type { CallAtSpec } from '../../schema/callback.js';
import { nearest } from '../../../config/nearest.js';
import { timeZone, instantOf, type TimeZone } from '../../../core/hours.js';
import { InvalidValue } from '../../transforms/step.js';
import type { CompileContext } from '../context.js';
import { toLocalTime } from './local-time.js';
import { compilePart, missing, type Convert, type Part } from '../part.js';
import { compileValue } from '../value-reader.js';

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
  const time = compilePart(reader, convert, missing('The time of the callback'), context);
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
    return compilePart(compileValue(spec, path, context), toZone, NO_ZONE, context);
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
