import { basename } from 'node:path';
import type { RowPlace } from '../reasons.js';

/** A row as a person finds it: its number, after its sheet and, of several inputs, its file. */
export const placeText = (place: RowPlace, inputs: readonly string[]): string =>
  placeParts(place, inputs).join(' ');

/** The same, name by name. */
export function placeParts({ input, sheet, row }: RowPlace, inputs: readonly string[]): string[] {
  const file = inputs.length > 1 ? basename(inputs[input] ?? '') : null;
  return [file, sheet, String(row)].filter((part) => part !== null);
}
