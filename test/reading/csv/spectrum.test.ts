import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../src/source/source.js';
import { rowsOf, testFolder } from '../files.js';

const folder = testFolder();
const CORPUS = fileURLToPath(new URL('../../../../shared/corpora/csv-spectrum/', import.meta.url));
const names = existsSync(CORPUS)
  ? readdirSync(CORPUS)
      .filter((name) => name.endsWith('.csv'))
      .map((name) => name.slice(0, -4))
  : [];

describe.skipIf(names.length === 0)('csv-spectrum (skipped where the corpus is missing)', () => {
  it('has its 12 files', () => expect(names).toHaveLength(12));

  it.each(names)('%s', async (name) => {
    const rows = await rowsOf(await openSource(await withItsLineEnds(name)));
    const [header, ...data] = rows.map(([, cells]) => cells.map((cell) => cell ?? ''));
    const found = data.map((cells) =>
      Object.fromEntries(cells.map((cell, index) => [header?.[index] ?? '', cell])),
    );
    const expected: unknown = JSON.parse(readFileSync(`${CORPUS}${name}.json`, 'utf8'));
    expect(found).toEqual(corrected(name, expected));
  });
});

/** The copies of the files with CRLF have lost it. */
async function withItsLineEnds(name: string): Promise<string> {
  const file = `${CORPUS}${name}.csv`;
  if (!name.endsWith('_crlf')) return file;
  return folder.write(readFileSync(file, 'utf8').replace(/\r?\n/g, '\r\n'));
}

/** This file of the corpus holds one object instead of a list, with another phone number than its CSV file. */
function corrected(name: string, expected: unknown): unknown {
  if (name !== 'location_coordinates') return expected;
  return [{ ...(expected as object), 'Contact Phone Number': '2095257564' }];
}
