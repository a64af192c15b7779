/** A value of a YAML file as plain data. */
export type Plain =
  string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain };

/** The same, with the nothing of a key that has no value. */
export type YamlValue = Plain | null | readonly YamlValue[] | { readonly [key: string]: YamlValue };

/** Letters, digits and a few signs, neither a number nor a word that YAML takes for something else. */
const BARE = /^[\p{L}_/][\p{L}\p{M}\p{N}_ ./()+-]*$/u;
/** In a value, a colon without a space after it means nothing. */
const URL_TEXT = /^https?:\/\/[\w.:/~-]*\w$/;
const RESERVED = /^(?:true|false|yes|no|on|off|null|y|n|~)$/i;
const NUMERIC = /^[-+.]?\d/;

/** Text as YAML, in quotes where it needs them. */
export function quoted(text: string): string {
  if (/[\p{Cc}\u0085\u2028\u2029\ufeff]/u.test(text)) return JSON.stringify(text);
  if (URL_TEXT.test(text)) return text;
  const isBare =
    BARE.test(text) && !RESERVED.test(text) && !NUMERIC.test(text) && text.trim() === text;
  return isBare ? text : `'${text.replaceAll("'", "''")}'`;
}

/** A value in one line. */
export function flow(value: YamlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isList(value)) return `[${value.map(flow).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${quoted(key)}: ${flow(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}
