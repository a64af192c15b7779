import { someText } from '../../config/scalar.js';
import { transform } from './kind.js';
import { onText } from './step.js';

/** Keeps one part of the text; no value when there are fewer parts. */
export const split = transform(
  someText.describe('Text between the parts; "part" beside it says which part is kept.'),
  (separator, _path, _context, { part = 1 }) => onText((text) => partOf(text, separator, part)),
);

/** Part number `part`, from 1, without white space at its ends; `null` when there is none. */
export function partOf(text: string, separator: string, part: number): string | null {
  return text.split(separator)[part - 1]?.trim() ?? null;
}
