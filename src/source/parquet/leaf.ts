import type { SchemaElement } from 'hyparquet';
import { decimalText, floatOf, isUtc, signedNumber, timeText } from './values.js';

/** Gives what the library reads the form that a cell shows. */
export type Shown = (value: unknown) => unknown;

/** Units of a time of day in a second. */
const PER_SECOND = { MILLIS: 1_000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n } as const;

/** Whether a column holds JSON, by its logical type or by the older one. */
export function isJson({ logical_type: type, converted_type: older }: SchemaElement): boolean {
  return type?.type === 'JSON' || older === 'JSON';
}

/** How text is shown. */
export const asItIs: Shown = (value) => value;

/** The form of values without parts. Changes the element of a decimal, so that the library does not round it. */
export function shownBy(element: SchemaElement): Shown {
  const { type, logical_type: logical, converted_type: converted } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') return decimals(element);
  if (logical?.type === 'TIME') return times(PER_SECOND[logical.unit]);
  if (converted === 'TIME_MILLIS' || converted === 'TIME_MICROS')
    return times(converted === 'TIME_MILLIS' ? PER_SECOND.MILLIS : PER_SECOND.MICROS);
  if (isUtc(element)) return (value) => (typeof value === 'string' ? `${value}Z` : value);
  if (type === 'FLOAT') return (value) => (typeof value === 'number' ? floatOf(value) : value);
  return asItIs;
}

function decimals(element: SchemaElement): Shown {
  const scale = element.scale ?? 0;
  delete element.converted_type;
  delete element.logical_type;
  return (value) => {
    if (value instanceof Uint8Array) return decimalText(signedNumber(value), scale);
    return isWhole(value) ? decimalText(BigInt(value), scale) : value;
  };
}

function times(perSecond: bigint): Shown {
  return (value) => (isWhole(value) ? timeText(BigInt(value), perSecond) : value);
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}
