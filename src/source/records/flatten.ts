import type { Cell } from '../../core/table.js';
import { exactNumber } from './exact-number.js';
import { RepeatedNames } from './repeated-names.js';
import { numberText } from '../xlsx/cells/number.js';

/** Values that are nested deeper are given as JSON text. */
const MAX_DEPTH = 16;

/** Takes each value of a record, with its dotted name: `address.city`, `phones.0`. `isNumber`: it is one with decimals. */
export type Take = (name: string, text: Cell, isNumber?: boolean) => void;

/** Takes a value apart until nothing is nested any more. What is empty, such as `{}`, is an empty cell of its name. */
export function flatten(name: string, value: unknown, take: Take, depth = 0): void {
  if (!isNested(value)) {
    take(name, textOf(value), typeof value === 'number' && !Number.isInteger(value));
    return;
  }
  const entries = entriesIn(value);
  if (entries.length === 0) take(name, null);
  else if (depth >= MAX_DEPTH) take(name, JSON.stringify(value));
  else for (const [key, inner] of entries) flatten(`${name}.${key}`, inner, take, depth + 1);
}

/** The values of an object with their names, those of a name that stands twice too. */
export function entriesIn(value: object): readonly (readonly [name: string, value: unknown])[] {
  return value instanceof RepeatedNames ? value.entries : Object.entries(value);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

function textOf(value: unknown): Cell {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? textOfNumber(value) : null;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? textOfBytes(value) : null;
}

function textOfNumber(value: number): string {
  const text = String(value);
  return Number.isInteger(value) ? numberText(text) : exactNumber(text);
}

/** Bytes are text where they can be, else base64. */
function textOfBytes(bytes: Uint8Array): Cell {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString();
  const shown = text.includes('\ufffd') || text.includes('\0') ? buffer.toString('base64') : text;
  return shown === '' ? null : shown;
}
