import { isUtf8 } from 'node:buffer';
import { InputError } from '../../core/errors/errors.js';
import { isTooDeep, MAX_NESTING, parseJson } from '../records/json.js';
import type { Line } from './lines.js';

/**
 * The record on a line; `null` when the line is blank.
 * @throws InputError `invalid_text`, `too_deep`, `broken_json`
 */
export function parseLine({ bytes, number: line }: Line, file: string): object | null {
  if (!isUtf8(bytes)) {
    const reason = 'this is no valid UTF-8 text, which JSON is written in. Save the file as UTF-8.';
    throw new InputError('invalid_text', reason, { file, line });
  }
  const text = bytes.toString();
  if (text.trim() === '') return null;
  if (isTooDeep(text)) {
    const reason = `values are nested more than ${MAX_NESTING} deep in this line. Take the record apart first.`;
    throw new InputError('too_deep', reason, { file, line });
  }
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const reason =
    'the line is no JSON object. Write one record on each line, as in {"name": "value"}.';
  throw new InputError('broken_json', reason, { file, line });
}
