/** An object of JSON in which a name stands twice, as all that stands in it. */
export class RepeatedNames {
  constructor(readonly entries: readonly (readonly [name: string, value: unknown])[]) {}

  /** The last value of a name wins, as in the objects of the language. */
  toJSON(): unknown {
    return Object.fromEntries(this.entries);
  }
}

/** Names with their colons, other texts, and all that is neither a text nor white space. */
const TOKENS = /("(?:[^"\\]|\\.)*")\s*(:?)|[[\]{},]|[^\s"[\]{},:]+/g;

/**
 * Whether a name stands twice in an object. Colons are counted first: most texts have none but those of their names, and
 * need not be looked at again.
 */
export function hasRepeatedNames(text: string, value: unknown): boolean {
  const names = countNames(value);
  if (countColons(text) === names) return false;
  let written = 0;
  for (const [, , colon] of text.matchAll(TOKENS)) if (colon === ':') written++;
  return written > names;
}

/** The value of a text that is known to be JSON, its objects with repeated names as `RepeatedNames`. */
export function withRepeatedNames(text: string): unknown {
  const tokens = [...text.matchAll(TOKENS)];
  let at = 0;
  const next = (): RegExpExecArray | undefined => tokens[at++];
  const value = (token = next()): unknown => {
    const [whole = '', string] = token ?? [];
    if (whole === '[') return list();
    return whole === '{' ? object() : JSON.parse(string ?? whole);
  };
  const list = (): unknown[] => {
    const items: unknown[] = [];
    for (let token = next(); token && token[0] !== ']'; token = next())
      if (token[0] !== ',') items.push(value(token));
    return items;
  };
  const object = (): unknown => {
    const entries: [string, unknown][] = [];
    for (let token = next(); token && token[0] !== '}'; token = next())
      if (token[0] !== ',') entries.push([String(JSON.parse(token[1] ?? '""')), value()]);
    const isRepeated = new Set(entries.map(([name]) => name)).size < entries.length;
    return isRepeated ? new RepeatedNames(entries) : Object.fromEntries(entries);
  };
  return value();
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count++;
  return count;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) count += countNames(one);
  return count;
}
