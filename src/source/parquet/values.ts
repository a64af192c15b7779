import type { ParquetParsers, SchemaElement } from 'hyparquet';
import { isTooDeep, parseJson } from '../records/json.js';

const [MILLISECOND, SECOND] = [1_000n, 1_000_000_000n];
/** Beyond these years there is no ISO form of four digits. */
const MAX_MILLISECONDS = 253_402_300_799_999n;
const MIN_MILLISECONDS = -62_167_219_200_000n;

/** Values that have no form in JSON, as texts: dates and times by ISO 8601, to the last digit that is stored. */
export const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (millis) => momentText(millis * 1_000_000n),
  timestampFromMicroseconds: (micros) => momentText(micros * MILLISECOND),
  timestampFromNanoseconds: (nanos) => momentText(nanos),
  dateFromDays: (days) => momentText(BigInt(days) * 86_400n * SECOND)?.slice(0, DATE_LENGTH),
  jsonFromBytes: (bytes) => jsonOf(bytes),
  // Places on a map are no text of a list; they come as bytes do.
  geometryFromBytes: (bytes) => bytes,
  geographyFromBytes: (bytes) => bytes,
};

const DATE_LENGTH = 'yyyy-MM-dd'.length;
const TIME_LENGTH = 'yyyy-MM-ddTHH:mm:ss'.length;

/** `2024-01-01T10:11:12`, with decimals of the second where there are any; `null` for a moment that has no such form. */
function momentText(nanos: bigint): string | null {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  const millis = (nanos - rest) / 1_000_000n;
  if (millis < MIN_MILLISECONDS || millis > MAX_MILLISECONDS) return null;
  const text = new Date(Number(millis)).toISOString().slice(0, TIME_LENGTH);
  return rest === 0n ? text : `${text}.${digitsAfterPoint(rest, 9)}`;
}

/** A time of day from its number of units since midnight. */
export function timeText(units: bigint, perSecond: bigint): string {
  return momentText((units * SECOND) / perSecond)?.slice(DATE_LENGTH + 1) ?? String(units);
}

const decoder = new TextDecoder();

/** What is no JSON after all, or nested too deep, is given as the text that it is. */
function jsonOf(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return null;
  const text = decoder.decode(bytes);
  return isTooDeep(text) ? text : (parseJson(text) ?? text);
}

/** A decimal number from its digits without a point: exact, whatever its length. */
export function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale));
  const size = unscaled < 0n ? -unscaled : unscaled;
  const unit = 10n ** BigInt(scale);
  const fraction = digitsAfterPoint(size % unit, scale);
  const sign = unscaled < 0n ? '-' : '';
  return `${sign}${size / unit}${fraction === '' ? '' : `.${fraction}`}`;
}

function digitsAfterPoint(part: bigint, count: number): string {
  return String(part).padStart(count, '0').replace(/0+$/, '');
}

/** The whole number that bytes are, the highest first, negative ones by their complement. */
export function signedNumber(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString('hex');
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

/** The shortest decimal number that is stored as this one of 32 bits. */
export function floatOf(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** Whether the moments of a column are in UTC, and not in the local time of wherever. */
export function isUtc({ logical_type: type, converted_type: older }: SchemaElement): boolean {
  if (type?.type === 'TIMESTAMP') return type.isAdjustedToUTC;
  return older === 'TIMESTAMP_MILLIS' || older === 'TIMESTAMP_MICROS';
}
