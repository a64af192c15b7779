import { describe, expect, it } from 'vitest';
import { chooseHeader } from '../../../src/source/header.js';
import { openSource } from '../../../src/source/source.js';
import { encode, rowsOf, testFolder } from '../files.js';
import { rowsInPieces } from './oracle.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'polluted.yaml') as {
  readonly header: string[];
  readonly written: {
    quote?: string;
    always?: boolean;
    delimiter?: string;
    escape?: string;
    lineEnd?: string;
    pad?: string;
  }[];
  readonly cells: [string, string, string][];
};

const folder = testFolder();

/** A table with all that makes reading hard within its cells: delimiters, quotes, line ends. */
const HEADER = CASES.header;
const ROWS = Array.from({ length: 24 }, (_, index) => [
  `${String((index % 28) + 1).padStart(2, '0')}/07/2023`,
  `${10 + (index % 9)}:30`,
  String(index + 1),
  `DMGQ${900 + index}`,
  `${index * 3}.${index % 10}5`,
  index % 2 === 0 ? 'Binoculars' : 'Night vision',
  index % 5 === 0 ? 'He said "wow", twice; then left' : 'Sturdy case',
  `https://example.com/p?id=${index}`,
  index % 4 === 0 ? 'two\nlines' : index % 7 === 0 ? "it's fine" : '',
]);
const TABLE = [HEADER, ...ROWS];

interface Writing {
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
  readonly lineEnd?: string;
  readonly always?: boolean;
  readonly pad?: string;
}

function field(
  text: string,
  { delimiter = ',', quote = '"', escape = quote, always = false }: Writing,
): string {
  const isPlain = ![delimiter.trim() || ' ', quote, '\n', '\r'].some((part) => text.includes(part));
  if (isPlain && !always) return text;
  return quote + text.replaceAll(quote, escape + quote) + quote;
}

function csvText(table: readonly (readonly string[])[], writing: Writing = {}): string {
  const { delimiter = ',', lineEnd = '\r\n', pad = '' } = writing;
  return table
    .map((cells) => cells.map((cell) => field(cell, writing)).join(pad + delimiter + pad) + lineEnd)
    .join('');
}

/** The rows that are read, without numbers and blank ones; empty cells as empty text. */
async function readAll(text: string): Promise<string[][]> {
  const source = await openSource(await folder.write(text, 'polluted.csv'));
  const rows = await rowsOf(source);
  if (text.length < 10_000)
    for (const size of [1, 50])
      expect((await rowsInPieces(text, size)).map(({ row, cells }) => [row, cells])).toEqual(rows);
  return rows.map(([, cells]) => cells.map((cell) => cell ?? ''));
}

async function headerOf(text: string) {
  const source = await openSource(await folder.write(text, 'polluted.csv'));
  const rows = (await rowsOf(source)).map(([row, cells]) => ({ sheet: null, row, cells }));
  const { rows: chosen, names } = chooseHeader(rows);
  return { rows: chosen.map(({ row }) => row), names };
}

describe('polluted files: how the whole file is written', () => {
  it.each([',', ';', '\t', '|', '#', '~', '^', ' ', ', ', '||', ';;', '::'])(
    'delimiter "%s"',
    async (delimiter) => {
      expect(await readAll(csvText(TABLE, { delimiter }))).toEqual(TABLE);
      expect(await readAll(csvText(TABLE, { delimiter, always: true }))).toEqual(TABLE);
      const short = TABLE.slice(0, 4);
      expect(await readAll(csvText(short, { delimiter }))).toEqual(short);
    },
  );

  it.each<Writing>(CASES.written)('written with %j', async (writing) => {
    expect(await readAll(csvText(TABLE, writing))).toEqual(TABLE);
  });

  it.each(["'", '"'])('quotes %j around cells that the sample cuts in two', async (quote) => {
    const long = `long, ${'text '.repeat(60)}`;
    const rows = Array.from({ length: 900 }, (_, index) => [String(index), `${long}${index}`]);
    const text = [['Id', 'Note'], ...rows]
      .map((cells) => `${cells.map((cell) => quote + cell + quote).join(',')}\n`)
      .join('');
    const source = await openSource(await folder.write(text, 'cut.csv'));
    expect((await rowsOf(source)).slice(1).map(([, cells]) => cells)).toEqual(rows);
  });

  it('quotes with a blank behind them alone', async () => {
    const text = csvText(TABLE, { always: true }).replaceAll('","', '" ,"');
    expect(await readAll(text)).toEqual(TABLE);
  });

  it.each(['', '\r\n', '\r\n\r\n\r\n'])('ended by %j', async (end) => {
    expect(await readAll(csvText(TABLE).trimEnd() + end)).toEqual(
      TABLE.with(-1, [...(TABLE.at(-1) ?? [])]),
    );
  });
});

interface Delimited {
  readonly case: string;
  readonly text: string;
  readonly delimiter: string;
  /** Cells of the last row, where that says more. */
  readonly width?: number;
}
const { delimiter: DELIMITED } = tablesIn(import.meta.dirname, 'dialect.yaml') as {
  delimiter: readonly Delimited[];
};

describe('polluted files: the delimiter is the one by which cells look like cells', () => {
  it.each(DELIMITED)('$case', async ({ text, delimiter, width }) => {
    for (const [lineEnd, label] of [
      ['\n', 'utf-8'],
      ['\r\n', 'utf-16le'],
    ] as const) {
      const mark = label === 'utf-8' ? '' : '\ufeff';
      const bytes = encode(mark + text.replaceAll('\n', lineEnd), label);
      const source = await openSource(await folder.write(bytes));
      expect(source.info.delimiter).toBe(delimiter);
      const last = (await rowsOf(source)).at(-1)?.[1];
      expect(last).toHaveLength(width ?? last?.length ?? 0);
    }
  });
});

describe('polluted files: single rows', () => {
  it.each([1, 5, 24])('row %i with a delimiter too few, too many, or another one', async (at) => {
    const lines = csvText(
      ROWS.map((cells) => cells.map((cell) => cell.replaceAll(/["\n,;]/g, ''))),
    ).split('\r\n');
    const line = lines[at - 1] ?? '';
    for (const changed of [line.replace(',', ''), `${line},`, line.replaceAll(',', ';')]) {
      const text = [HEADER.join(','), ...lines.with(at - 1, changed)].join('\r\n');
      const rows = await readAll(text);
      expect(rows).toHaveLength(25);
      expect(rows[at]).toEqual(changed.split(','));
      expect(rows.filter((_, index) => index !== at).every(({ length }) => length === 9)).toBe(
        true,
      );
    }
  });

  it.each([1, 8])('a quote too many inside of a cell of row %i', async (at) => {
    const lines = csvText(
      TABLE.map((cells) => cells.map((cell) => cell.replaceAll(/["\n,;]/g, ''))),
    ).split('\r\n');
    const text = lines.with(at, (lines[at] ?? '').replace('DMG', 'DM"G')).join('\r\n');
    expect((await readAll(text))[at]?.[3]).toMatch(/^DM"GQ9/);
  });
});

describe('polluted files: what stands around the table', () => {
  it.each([
    ['nothing', '', HEADER],
    ['a title', 'Sales report\r\n', HEADER],
    ['a title and a blank line', 'Sales report\r\n\r\n', HEADER],
    ['lines with some cells', 'Report,Sales\r\nBy,Ann\r\n\r\n', HEADER],
    ['a line of delimiters', `${','.repeat(8)}\r\n`, HEADER],
  ])('header below %s', async (_, above, names) => {
    const text = above + csvText(TABLE);
    expect((await headerOf(text)).names).toEqual(names);
  });

  it('a header of two rows', async () => {
    const groups = ['When', '', 'Goods', '', '', '', '', 'More', ''];
    const { rows, names } = await headerOf(csvText([groups, ...TABLE]));
    expect(rows).toEqual([1, 2]);
    expect(names[1]).toBe('When Time');
    expect(names[8]).toBe('More Comments');
  });

  it('no header', async () => {
    expect((await headerOf(csvText(ROWS))).rows).toEqual([]);
  });

  it('a header alone', async () => {
    expect(await readAll(csvText([HEADER]))).toEqual([HEADER]);
  });

  it.each([5, 9, 12])('a second table of %i columns below', async (width) => {
    const second = Array.from({ length: 5 }, (_, row) =>
      Array.from({ length: width }, (__, column) => `${row}.${column}`),
    );
    expect(await readAll(`${csvText(TABLE)}\r\n${csvText(second)}`)).toEqual([...TABLE, ...second]);
  });
});

describe('an apostrophe that begins a word, far down a file with cells in apostrophes', () => {
  const good = Array.from({ length: 6000 }, (_, id) => `${id},'Ann, ${id}','a note'`);
  const rows = async (...tail: string[]) =>
    (await readAll([`id,name,note`, ...good, ...tail, ''].join('\n'))).slice(good.length + 1);

  it('merges no rows', async () => {
    expect(
      await rows("7000,'tis,x", "7001,'Bob, Lee','y'", "7002,'twas,z", "7003,'Eve',-"),
    ).toEqual(CASES.cells);
  });

  it('is text where none follows for long, and a cell of several lines is one all the same', async () => {
    const plain = Array.from({ length: 150 }, (_, at) => [`${8000 + at}`, 'Eve', '-']);
    const read = await rows(
      "7000,'tis,x",
      ...plain.map((cells) => cells.join()),
      "9000,'a\nb','c'",
    );
    expect(read).toEqual([['7000', "'tis", 'x'], ...plain, ['9000', 'a\nb', 'c']]);
  });

  it('is told where it may be a cell that is cut off', async () => {
    await expect(rows("7000,'tis,x", '7001,Eve,-')).rejects.toMatchObject({
      code: 'unclosed_quote',
      place: { line: 6002 },
    });
  });
});
