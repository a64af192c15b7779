import { flow, quoted, type YamlValue } from '../yaml-text.js';

/** Longest line before a value is written over several. */
const WIDE = 110;

/** A value in one line. */
export const inFlow = (value: unknown): string => flow(asYaml(value));

/** `key: value` in one line. */
export const pairInFlow = (key: string, value: unknown): string =>
  `${quoted(key)}: ${inFlow(value)}`;

const INDENT = 2;

/** `key: value` whose first line begins at a column: over several lines where one would be long. */
export function pairLines(key: string, value: unknown, column: number): string[] {
  const short = pairInFlow(key, value);
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0 || !isWide(column + short.length)) return [short];
  const inner = entries.flatMap(([name, one]) => pairLines(name, one, column + INDENT));
  return [`${quoted(key)}:`, ...inner.map((line) => ' '.repeat(INDENT) + line)];
}

/** Whether a line of this length is too long to be read. */
export const isWide = (length: number): boolean => length > WIDE;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What YAML can hold; nothing else comes out of a document. */
function asYaml(value: unknown): YamlValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (Array.isArray(value)) return value.map(asYaml);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asYaml(one)]))
    : null;
}
