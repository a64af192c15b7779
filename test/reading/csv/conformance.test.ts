import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/core/errors.js';
import { readRows } from '../../../src/source/csv/rows.js';
import { openSource } from '../../../src/source/source.js';
import { collect, type Pair, rowsOf, testFolder } from '../files.js';
import { byCsvParse, plainDialect } from './oracle.js';
import { tablesIn } from '../../kit/tables.js';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly delimiter?: string;
  readonly rows: readonly Pair[];
  /** Code and line of the error at the end. */
  readonly error?: readonly [code: string, line: number];
}

const MIB = 1024 * 1024;

const CASES: readonly Case[] = [
  ...(tablesIn(import.meta.dirname, 'cases.yaml') as { cases: readonly Case[] }).cases,
  {
    name: 'a row with more cells than any spreadsheet has columns',
    text: `a\n${','.repeat(18_277)}\n1${','.repeat(18_278)}\n`,
    rows: [
      [1, ['a']],
      [2, Array.from({ length: 18_278 }, () => null)],
    ],
    error: ['too_many_cells', 3],
  },
  {
    name: 'a cell of 1 MiB',
    text: `a\n"${'ы'.repeat(MIB / 2)}",b\n`,
    rows: [
      [1, ['a']],
      [2, ['ы'.repeat(MIB / 2), 'b']],
    ],
  },
  {
    name: 'a cell over 1 MiB',
    text: `a\n"1\n2",${'ы'.repeat(MIB / 2)}x\nb\n`,
    rows: [[1, ['a']]],
    error: ['cell_too_long', 3],
  },
  {
    name: 'a quoted cell of far more than 1 MiB',
    text: `a\n"${'line\n'.repeat(MIB)}"\n`,
    rows: [[1, ['a']]],
    error: ['cell_too_long', 2],
  },
  {
    name: 'a row of many long cells',
    text: `${`${'x'.repeat(MIB / 2)},`.repeat(5)}\nb`,
    rows: [
      [1, [...Array.from({ length: 5 }, () => 'x'.repeat(MIB / 2)), null]],
      [2, ['b']],
    ],
  },
  {
    name: 'a row that is too long',
    text: `a\n${`${'x'.repeat(MIB / 2)},`.repeat(12)}\nb`,
    rows: [[1, ['a']]],
    error: ['row_too_long', 2],
  },
  {
    name: 'a row of nothing but delimiters, without an end',
    text: `a\n${','.repeat(9 * MIB)}`,
    rows: [[1, ['a']]],
    error: ['too_many_cells', 2],
  },
];

/** A text cut into pieces of about `size`, but never inside a character. */
async function* pieces(text: string, size: number): AsyncGenerator<string> {
  let start = 0;
  while (start < text.length) {
    let end = start + size;
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end++;
    yield await Promise.resolve(text.slice(start, end));
    start = end;
  }
}

const reader = (chunks: AsyncGenerator<string>, delimiter: string) =>
  readRows(chunks, 'x.csv', plainDialect(delimiter));

/** What has to do with limits is ours alone. */
const LIMITS = ['too_many_cells', 'cell_too_long', 'row_too_long'];

describe('CSV', () => {
  it.each(CASES.filter(({ error }) => !LIMITS.includes(error?.[0] ?? '')))(
    '$name, by csv-parse alone',
    { tags: 'depth' },
    ({ text, delimiter = ',', rows, error }) => {
      expect(byCsvParse(text, delimiter)).toEqual(error ? { rows, error } : { rows });
    },
  );

  it.each(CASES)('$name', async ({ text, delimiter = ',', rows, error }) => {
    // Cut everywhere where the text is short, else at some odd places.
    for (const size of text.length < 1000 ? [1, 2, 3, 7, 1000] : [262_143]) {
      const found = await collect(reader(pieces(text, size), delimiter));
      expect(found.rows).toEqual(rows);
      expect(found.error && [found.error.code, found.error.place.line]).toEqual(error);
    }
  });

  it('gives batches of bounded size, none of them empty', async () => {
    const sizes: number[] = [];
    const text = 'a,"b"\n\n'.repeat(20_000);
    for await (const batch of reader(pieces(text, 100_000), ',')) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(20_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });

  it.each([
    ['long', `a,"${'b'.repeat(200_000)}"\n`, 42],
    ['wide', `${','.repeat(18_000)}\n`, 28],
    ['too long for the fast way', `${'a'.repeat(300_000)},b\n`, 28],
  ])('gives small batches of rows that are %s', async (_what, row, most) => {
    const sizes: number[] = [];
    for await (const batch of reader(pieces(row.repeat(50), 60_000), ',')) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(50);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
  });

  const ended = async (text: string) => {
    let count = 0;
    try {
      for await (const batch of reader(pieces(text, 200_000), ',')) count += batch.length;
    } catch (error) {
      if (error instanceof InputError) return [count, error.code, error.place.line];
      throw error;
    }
    return [count];
  };

  const EMPTY: readonly (readonly [string, string, number])[] = [
    ['cells', ','.repeat(16_000), 1_048],
    ['rows', ',', 262_144],
    ['lines', '', 2_097_152],
  ];
  const countOf = (row: string, most: number): number => 1 + (row === '' ? 0 : most);

  it.each(EMPTY)(
    'refuses a file of nothing but empty %s at the first too many',
    async (_what, row, most) => {
      const text = `a,b\n${`${row}\n`.repeat(most + 1)}`;
      expect(await ended(text)).toEqual([countOf(row, most), 'too_many_empty_cells', most + 2]);
    },
  );

  it.each(EMPTY)(
    'takes a file that ends with the last empty %s that are allowed',
    { tags: 'depth' },
    async (_what, row, most) => {
      expect(await ended(`a,b\n${`${row}\n`.repeat(most)}`)).toEqual([countOf(row, most)]);
    },
  );

  it(
    'takes a table with a million empty rows below it, and one that is sparse',
    { tags: 'depth' },
    async () => {
      expect(await ended('1,2\n'.repeat(250) + ',\n'.repeat(1_048_000))).toEqual([1_048_250]);
      expect(await ended(`1${','.repeat(900)}\n`.repeat(20_000))).toEqual([20_000]);
    },
  );

  it('keeps the content out of its errors', async () => {
    const { error } = await collect(reader(pieces('Ivan,"Petrov', 4), ','));
    expect(error).toBeDefined();
    expect(JSON.stringify([error!.message, error!.stack, error!.cause])).not.toMatch(/Ivan|Petrov/);
  });
});

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
