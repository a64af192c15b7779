import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { INPUT_FORMATS, traitsOf, openSource } from '../../../src/source/source.js';
import { collect, rowsOf, testFolder, timesOpen, type Pair } from '../../reading/files.js';
import { WRITERS, type Table } from './writers.js';

const folder = testFolder();

const TABLE: Table = {
  header: ['Offer ID', 'Имя', 'Note'],
  rows: [
    ['79161234567', 'Анна "Аня" Иванова', 'a, b; c'],
    ['007', 'Łukasz 😀', null],
    ['1.10', null, 'true'],
    ['x', 'two\nlines', ' with blanks '],
  ],
};

const LONG: Table = {
  header: ['Id', 'Name'],
  rows: Array.from({ length: 1_200 }, (_, at) => [`id ${at}`, `name ${at % 700}`]),
};

/** Cells without the empty ones at their end, of which workbooks store none. */
const trimmed = (rows: readonly Pair[]) =>
  rows.map(([row, cells]) => [
    row,
    cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1),
  ]);

describe.each(INPUT_FORMATS)('a table as %s', (format) => {
  const { namesColumns, words, isPacked } = traitsOf(format);
  const files = new Map<Table, string>();
  const open = async (table: Table) => {
    const file = files.get(table) ?? (await folder.write(await WRITERS[format](table)));
    files.set(table, file);
    return { file, source: await openSource(file) };
  };

  it('is recognized by its content, whatever its name', async () => {
    const { source } = await open(TABLE);
    expect(source.info).toMatchObject({ format, formatName: words, gzip: false });
  });

  it('has its texts as they are, and the numbers of its rows', async () => {
    const { source } = await open(TABLE);
    const first = namesColumns ? 0 : 1;
    const expected = [TABLE.header, ...TABLE.rows].map((cells, at): Pair => [at + first, cells]);
    expect(trimmed(await rowsOf(source))).toEqual(trimmed(expected));
  });

  it('gives the same rows each time, in batches of bounded size, and its progress', async () => {
    const { source } = await open(LONG);
    const sizes: number[] = [];
    const rows: Pair[] = [];
    for await (const batch of source.batches()) {
      sizes.push(batch.length);
      rows.push(...batch.map(({ row, cells }): Pair => [row, cells]));
    }
    expect(rows).toHaveLength(LONG.rows.length + 1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
    expect(source.bytesRead()).toBe(source.info.bytes);
    expect(rows.at(-1)?.[1]).toEqual(['id 1199', 'name 499']);
    expect(await rowsOf(source)).toEqual(rows);
    await source.verify();
  });

  it('closes its file when the reading ends early', async () => {
    const { file, source } = await open(LONG);
    for await (const batch of source.batches()) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    expect(await timesOpen(file)).toBe(0);
  });

  it.skipIf(!isPacked)('is refused with the name of the file when it is cut off', async () => {
    const bytes = await readFile((await open(LONG)).file);
    for (const part of [0.4, 0.9]) {
      const cut = await folder.write(bytes.subarray(0, Math.floor(bytes.length * part)));
      const error = await openSource(cut)
        .then(async (source) => (await collect(source.batches())).error)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ exitCode: 64, place: { file: cut } });
    }
  });
});
