import { isUtf8 } from 'node:buffer';
import { InputError, type InputPlace } from '../../core/errors.js';
import { isTooDeep, MAX_NESTING, parseJson } from '../records/json.js';
import type { Line } from './lines.js';

/**
 * The record on a line or of an array; `null` when the line is blank.
 * @param place where it stands; a record that has no line of its own has a row
 * @throws InputError `invalid_text`, `too_deep`, `broken_json`
 */
export function parseRecord({ bytes }: Pick<Line, 'bytes'>, place: InputPlace): object | null {
  if (!isUtf8(bytes)) {
    const reason = 'this is no valid UTF-8 text, which JSON is written in. Save the file as UTF-8.';
    throw new InputError('invalid_text', reason, place);
  }
  const text = bytes.toString();
  if (isBlank(text)) return null;
  if (isTooDeep(text)) {
    const reason = `values are nested more than ${MAX_NESTING} deep in this record. Take it apart first.`;
    throw new InputError('too_deep', reason, place);
  }
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const reason =
    place.line === undefined
      ? 'the record is no JSON object. Write each record as in {"name": "value"}.'
      : 'the line is no JSON object. Write one record on each line, as in {"name": "value"}.';
  throw new InputError('broken_json', reason, place);
}

const PADDING = '\0\x1a';

/** Blank, or zeros and Ctrl-Z alone, which programs fill up the last block of a file with. */
function isBlank(text: string): boolean {
  let end = text.length;
  while (end > 0 && PADDING.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end).trim() === '';
}
