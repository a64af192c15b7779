import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../src/core/errors.js';
import type { Cell, Row, Source } from '../../src/core/table.js';
import { testFolder as newFolder } from '../kit/folder.js';

/** A folder for the tests of one file; `write` puts a file into it and gives its path. */
export function testFolder() {
  const folder = newFolder();
  let count = 0;
  return {
    path: () => folder,
    async write(content: string | Uint8Array, name = `file-${count++}.csv`): Promise<string> {
      const file = join(folder, name);
      await writeFile(file, content);
      return file;
    },
  };
}

/** The bytes of a text in an encoding of one byte a character, or in UTF-8 or UTF-16. */
export function encode(text: string, label: string): Buffer {
  if (label === 'utf-8') return Buffer.from(text);
  if (label === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (label === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const decoder = new TextDecoder(label);
  const table = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++)
    table.set(decoder.decode(Uint8Array.of(byte), { stream: true }), byte);
  return Buffer.from(
    Array.from(text, (char) => {
      const byte = table.get(char);
      if (byte === undefined) throw new Error(`${label} has no ${char}`);
      return byte;
    }),
  );
}

export type Pair = [row: number, cells: readonly Cell[]];

/** All rows, and the error that ended them. */
export async function collect(
  batches: AsyncIterable<readonly Row[]>,
): Promise<{ rows: Pair[]; error?: InputError }> {
  const rows: Pair[] = [];
  try {
    for await (const batch of batches) for (const { row, cells } of batch) rows.push([row, cells]);
    return { rows };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { rows, error };
  }
}

/** All rows of a source that must be readable to its end. */
export async function rowsOf(source: Source): Promise<Pair[]> {
  const { rows, error } = await collect(source.batches());
  if (error) throw error;
  return rows;
}

/** How often the file is open in this process. */
export async function timesOpen(file: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  );
  return targets.filter((target) => target === file).length;
}
