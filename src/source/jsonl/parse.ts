import { isUtf8 } from 'node:buffer';
import { InputError } from '../../core/errors/errors.js';
import type { Line } from './lines.js';

/** Digits that a number keeps when it is parsed. */
const MANY_DIGITS = /\d{16}/;
/** Levels of values in values: the engine's own functions go through them by calling themselves. */
const MAX_NESTING = 500;
const BRACKETS = /"(?:[^"\\]|\\.)*"|[[\]{}]/g;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

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
  if (text.length > 2 * MAX_NESTING && nesting(text) > MAX_NESTING) {
    const reason = `values are nested more than ${MAX_NESTING} deep in this line. Take the record apart first.`;
    throw new InputError('too_deep', reason, { file, line });
  }
  const value = parsed(MANY_DIGITS.test(text) ? withTextNumbers(text) : text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const reason =
    'the line is no JSON object. Write one record on each line, as in {"name": "value"}.';
  throw new InputError('broken_json', reason, { file, line });
}

/** How deep values are nested; brackets within texts do not count. */
function nesting(text: string): number {
  let [depth, max] = [0, 0];
  for (const [token] of text.matchAll(BRACKETS)) {
    if (token === '{' || token === '[') max = Math.max(max, ++depth);
    else if (token === '}' || token === ']') depth--;
  }
  return max;
}

/** Its error would show the text, which is personal data. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Puts numbers of many digits in quotes, so that none of them is lost. */
function withTextNumbers(text: string): string {
  return text.replaceAll(TOKENS, (token) =>
    !token.startsWith('"') && /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
  );
}
