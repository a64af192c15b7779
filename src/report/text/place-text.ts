import { basename } from 'node:path';
import type { RowPlace } from '../reasons.js';

/** The position of a row for a person: file (of several inputs), sheet, row number. */
export const placeText = (place: RowPlace, inputs: readonly string[]): string =>
  placeParts(place, inputs).join(' ');

/** The same, part by part. */
export function placeParts({ input, sheet, row }: RowPlace, inputs: readonly string[]): string[] {
  const file = inputs.length > 1 ? basename(inputs[input] ?? '') : null;
  return [file, sheet, String(row)].filter((part) => part !== null);
}
