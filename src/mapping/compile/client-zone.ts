import { type Phone, TIME_ZONE_LENGTH } from '../../core/client.js';
import { timeZone } from '../../core/hours.js';
import type { Cell } from '../../core/table.js';
import type { Path } from '../../config/document.js';
import { type PhoneZone, zoneOfPhone } from '../../calling/zones/phone-zones.js';
import { shortZone, zoneOfText } from '../../calling/zones/zone-words.js';
import type { PhoneSpec, ZoneByPhoneSpec } from '../schema/client.js';
import { InvalidValue } from '../transforms/step.js';
import { comparableNumber, countryOf } from './contacts.js';
import type { CompileContext, RowProblems } from './context.js';
import { compileValue, type ValueReader } from './value-reader.js';

/** The time zone of a client whose phones are known; `null` where there is none, and then `problems` says so. */
type ZoneOfClient = (
  cells: readonly Cell[],
  phones: readonly Phone[],
  problems: RowProblems,
) => string | null;

const PATH: Path = ['client', 'timeZone'];

const NOT_A_ZONE = new InvalidValue(
  'not_a_time_zone',
  'This is no time zone that is known here, so the phone decides. Write an IANA name such as Europe/Moscow, or UTC+3.',
);
const UNKNOWN = new InvalidValue(
  'no_time_zone',
  'The row names no time zone, and its phone is of none that is known. Fill in the cell, or give a default.',
);
const AMBIGUOUS = 'ambiguous_time_zone';
/**
 * The time zone of a client: what the row says, else what the first digits of its first phone say, else the default. What
 * is not sure is never taken for it, unless the mapping wants the first of several zones.
 */
export function compileClientZone(
  spec: ZoneByPhoneSpec,
  phones: readonly PhoneSpec[],
  context: CompileContext,
): ZoneOfClient {
  const { phone: _, ambiguous = 'default', default: other, ...value } = spec;
  const reader = Object.keys(value).length === 0 ? null : compileValue(value, PATH, context);
  const usual = defaultZone(other, context);
  const numberOf = numbersOf(phones);
  const takenFor = new Map<PhoneZone, Unsure>();
  const unsure = (found: PhoneZone, problems: RowProblems): string | null => {
    let known = takenFor.get(found);
    if (!known) {
      const first = ambiguous === 'first' && found.zone !== null ? shortZone(found.zone) : usual;
      takenFor.set(found, (known = unsureOf(found, ambiguous === 'reject' ? null : first)));
    }
    const { zone, why } = known;
    if (zone === null) return refuse(why, reader, problems);
    problems.zoneFrom = 'ambiguous';
    problems.possibleZones = found.zones;
    problems.remark(reader?.label ?? null, why, null);
    return zone;
  };
  return (cells, clientPhones, problems) => {
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

/** What is taken for a zone that is not sure, and what the report says of it. */
interface Unsure {
  /** `null` where the row is rejected. */
  readonly zone: string | null;
  readonly why: InvalidValue;
}

/** More zones than these are named by the first and the last. */
const NAMED = 3;
/** Orders zones from west to east. */
const ANY_WINTER = Date.UTC(2026, 0, 1);

function unsureOf({ zones }: PhoneZone, zone: string | null): Unsure {
  const message = zones.length < 2 ? unknownPlace(zone) : onePlaceOf(zones.map(shortZone), zone);
  return { zone, why: new InvalidValue(AMBIGUOUS, message) };
}

function unknownPlace(zone: string | null): string {
  return zone === null
    ? 'The first digits of the phone do not say in which time zone it is. Fill in the cell.'
    : `The first digits of the phone do not say in which time zone it is: ${zone} is taken.`;
}

function onePlaceOf(zones: readonly string[], zone: string | null): string {
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
    problems.remark(reader.label, NOT_A_ZONE, reader.raw(cells));
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

/** Phones are read as the first entry of the mapping has them; an E.164 number is the same in all. */
function numbersOf(phones: readonly PhoneSpec[]): (phone: string) => number {
  const [first] = phones;
  return first ? comparableNumber(first, countryOf(phones)) : () => 0;
}
