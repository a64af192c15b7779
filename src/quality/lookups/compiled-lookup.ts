import { createHash } from 'node:crypto';
import {
  type Compiled,
  compiledForm,
  isSameMark,
  markOf,
  noteHead,
} from '../compiled/compiled-form.js';
import { digestOf } from '../numbers/list-source.js';
import { headBytes, type LookupHead } from './layout.js';
import { type LookupTable, openLookupTable } from './lookup-table.js';
import { LookupWriter } from './write-lookup.js';

/** A row of a table: what it says of a key, and its number from 1. */
export type LookupEntry = readonly [key: string, value: string, row: number];

/** A table that is looked up by one column, and says what stands in another. */
export interface LookupSource {
  readonly file: string;
  /** All that decides what is taken of the file, as text: another one is compiled beside it. */
  readonly settings: string;
  /** The entries, batch by batch. */
  readonly entries: () => AsyncIterable<readonly LookupEntry[]>;
}

/**
 * Opens the compiled form of a table, and compiles it where it was not, or where the file has changed since.
 * @throws ConflictError, and what reading the table throws
 */
export async function compiledLookup(source: LookupSource): Promise<Compiled<LookupTable>> {
  const { file, settings } = source;
  return await compiledForm({
    file,
    suffix: `.${createHash('sha256').update(settings).digest('hex').slice(0, 8)}.lookup`,
    open: openLookupTable,
    isCurrent: ({ head }, path) => isOf(head, source, path),
    make: (path, touch) => compile(source, path, touch),
  });
}

/** What was copied or touched has another time and the same digest: then its new times are noted. */
async function isOf(
  head: LookupHead,
  { file, settings }: LookupSource,
  path: string,
): Promise<boolean> {
  const mark = markOf(file);
  if (head.settings !== settings || head.source.bytes !== mark.bytes) return false;
  if (isSameMark(head.source, mark)) return true;
  const digest = await digestOf(file);
  if (head.source.digest !== digest) return false;
  noteHead(path, headBytes({ ...head, source: { ...mark, digest } }));
  return true;
}

async function compile(
  { file, settings, entries }: LookupSource,
  path: string,
  touch: () => void,
): Promise<void> {
  const mark = markOf(file);
  const digest = await digestOf(file);
  const writer = new LookupWriter(path);
  try {
    for await (const batch of entries()) {
      for (const [key, value, row] of batch) writer.add(key, value, row);
      touch();
    }
    writer.finish({ settings, source: { ...mark, digest } });
  } finally {
    writer.close();
  }
}
