import { hasRepeatedNames, withRepeatedNames } from './repeated-names.js';
import { exactNumber } from './exact-number.js';

/** Levels of values in values: the engine's own functions go through them by calling themselves. */
export const MAX_NESTING = 500;

/** Digits that a number keeps when it is parsed. */
const MANY_DIGITS = /\d[\d.]{15}/;
const BRACKETS = /"(?:[^"\\]|\\.)*"|[[\]{}]/g;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * The value of a JSON text that is not nested too deep; `undefined` where it is no JSON. Numbers of many digits are
 * texts, so that none is lost, and an object in which a name stands twice is a `RepeatedNames`.
 */
export function parseJson(text: string): unknown {
  const source = MANY_DIGITS.test(text) ? withTextNumbers(text) : text;
  const value = parsed(source);
  const isRepeated = value !== undefined && hasRepeatedNames(source, value);
  return isRepeated ? withRepeatedNames(source) : value;
}

/** Whether values are nested too deep; brackets within texts do not count. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * MAX_NESTING) return false;
  let [depth, max] = [0, 0];
  for (const [token] of text.matchAll(BRACKETS)) {
    if (token === '{' || token === '[') max = Math.max(max, ++depth);
    else if (token === '}' || token === ']') depth--;
  }
  return max > MAX_NESTING;
}

/** Its error would show the text, which is personal data. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Puts numbers of many digits in quotes. */
function withTextNumbers(text: string): string {
  return text.replaceAll(TOKENS, (token) =>
    !token.startsWith('"') && JSON_NUMBER.test(token) && MANY_DIGITS.test(token)
      ? `"${exactNumber(token)}"`
      : token,
  );
}

/** What is none would become a text, and what holds it would be taken for JSON. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
