import { createHash } from 'node:crypto';
import { compiledForm, type Head, markOf } from './compiled.js';
import { digestOf } from './list-source.js';

/** A row of a table: what it says of a key, and its number from 1. */
export type LookupEntry = readonly [key: string, value: string, row: number];

/** A table that is looked up by one column, and says what stands in another. */
interface LookupSource {
  readonly file: string;
  /** All that decides what is taken of the file, as text: another one is compiled beside it. */
  readonly settings: string;
  /** The entries, batch by batch. */
  readonly entries: () => AsyncIterable<readonly LookupEntry[]>;
}

/** A compiled lookup that is open, for as long as somebody keeps it. */
export interface LookupTable {
  /** SHA-256 of the file. */
  readonly digest: string;
  /** What the table says of a key; `undefined` where it has none. */
  get(key: string): string | undefined;
}

/** Two rows have the same key and other values. */
export class ConflictError extends Error {
  /** @param row number of the second one, from 1, with the header counted */
  constructor(readonly row: number) {
    super('Two rows of a table say different things of the same key.');
  }
}

/** Answers that are kept: most columns say the same again and again. */
const KEPT = 4096;

/**
 * Opens the compiled form of a table, and compiles it where it was not, or where the file has changed since.
 * @throws ConflictError for the first row that says something else of a key than one further up, and what reading the
 * table throws
 */
export async function openLookup({ file, settings, entries }: LookupSource): Promise<LookupTable> {
  const { database, head } = await compiledForm<Head>({
    ...{ file, settings },
    suffix: `.${createHash('sha256').update(settings).digest('hex').slice(0, 8)}.lookup`,
    tables: 'CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
    fill: async (building, touch) => {
      const source = { ...markOf(file), digest: await digestOf(file) };
      const insert = building.prepare('INSERT INTO entry VALUES (?, ?) ON CONFLICT DO NOTHING');
      const find = building.prepare('SELECT value FROM entry WHERE key = ?').pluck();
      for await (const batch of entries()) {
        for (const [key, value, row] of batch)
          if (insert.run(key, value).changes === 0 && find.get(key) !== value)
            throw new ConflictError(row);
        touch();
      }
      return { settings, source };
    },
  });
  const find = database.prepare<[string], string>('SELECT value FROM entry WHERE key = ?').pluck();
  const kept = new Map<string, string | undefined>();
  return {
    digest: head.source.digest,
    get: (key) => {
      const known = kept.get(key);
      if (known !== undefined || kept.has(key)) return known;
      const found = find.get(key);
      if (kept.size === KEPT) kept.clear();
      kept.set(key, found);
      return found;
    },
  };
}
