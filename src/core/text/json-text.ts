import { numberText } from './number-text.js';

/** Signs that JSON writes in their own way, and halves of pairs. */
// eslint-disable-next-line no-control-regex -- JSON escapes them
const UNCOMMON = /["\\\u0000-\u001f\ud800-\udfff]/;

/** JSON of a text, without the quotes around it. Hardly any text needs an escape, and asking first takes a third of the time. */
export function unquoted(text: string): string {
  return UNCOMMON.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** JSON of a value that holds no others. */
export function jsonOf(value: string | number | boolean | null): string {
  if (typeof value === 'string') return `"${unquoted(value)}"`;
  if (typeof value !== 'number') return String(value);
  return Number.isFinite(value) ? numberText(value) : 'null';
}
