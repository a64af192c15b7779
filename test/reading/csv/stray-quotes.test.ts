import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../src/core/table.js';
import { openSource } from '../../../src/source/source.js';
import { encode, testFolder } from '../files.js';
import { rowsInPieces } from './oracle.js';
import { tablesIn } from '../../kit/tables.js';

const folder = testFolder();

/** Random lists; a long run sets the variable, such as `STRAY_FUZZ=5000 npx vitest run test/reading/csv`. */
const RUNS = Number(process.env['STRAY_FUZZ'] ?? 50);

async function read(text: string, label = 'utf-8'): Promise<Row[]> {
  const mark = label.startsWith('utf-16') ? '\ufeff' : '';
  const source = await openSource(await folder.write(encode(mark + text, label)));
  const rows: Row[] = [];
  for await (const batch of source.batches()) rows.push(...batch);
  return rows;
}

const cellsOf = (rows: readonly Row[]): string[][] =>
  rows.map(({ cells }) => cells.map((cell) => cell ?? ''));

const remarked = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ row, remarks = [] }) => (remarks.length > 0 ? [row] : []));

interface List {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** What stands in each line: its cells, joined by the delimiter. */
  readonly line: (number: number) => readonly string[];
  readonly rows: number;
}

const GERMAN = (n: number): string[] => [
  String(n),
  `Person ${n}`,
  `0151 ${20_000_000 + n}`,
  'Köln',
];
const RUSSIAN = (n: number): string[] => [`+7 916 ${1_000_000 + n}`, 'Иванов Пётр', 'Омск'];
const AMERICAN = (n: number): string[] => [
  `Ada Lee`,
  `ada${n}@example.com`,
  `03/${10 + (n % 18)}/2024`,
];
const WORDS = (n: number): string[] => ['Ada', n % 2 ? 'Oslo' : 'Bergen', 'friend'];
const INDIAN = (n: number): string[] => [`A-${n}`, 'Asha Rao', `${9_000_000_000 + n}`];
const ONE_TEXT = (n: number): string[] => ['Zoé', `C${n}`];

const LISTS: readonly [string, List][] = [
  ['Germany, ;', { delimiter: ';', lineEnd: '\n', line: GERMAN, rows: 60 }],
  ['Germany, ; and CRLF', { delimiter: ';', lineEnd: '\r\n', line: GERMAN, rows: 60 }],
  ['Russia, tabs', { delimiter: '\t', lineEnd: '\r\n', line: RUSSIAN, rows: 60 }],
  ['United States, commas', { delimiter: ',', lineEnd: '\n', line: AMERICAN, rows: 60 }],
  ['words alone, bars', { delimiter: '|', lineEnd: '\n', line: WORDS, rows: 60 }],
  ['India, two bars', { delimiter: '||', lineEnd: '\r\n', line: INDIAN, rows: 60 }],
  ['France, CR', { delimiter: ';', lineEnd: '\r', line: ONE_TEXT, rows: 60 }],
  ['past 1 MiB', { delimiter: ';', lineEnd: '\n', line: GERMAN, rows: 30_000 }],
];

function written({ delimiter, lineEnd, line, rows }: List, quotes: Record<string, string>) {
  const header = line(0).map((_, at) => `Col ${'abcdefgh'.charAt(at)}`);
  const body = Array.from({ length: rows }, (_, at) =>
    line(at + 1).map((cell, column) => (quotes[`${at + 1}.${column}`] ?? '?').replace('?', cell)),
  );
  return [header, ...body].map((cells) => cells.join(delimiter) + lineEnd).join('');
}

describe.each(LISTS)('a quote that opens nothing swallows no row: %s', (_name, list) => {
  const last = list.rows;
  const middle = Math.floor(last / 2);
  const far = last - 3;
  const end = list.line(1).length - 1;
  // How a cell is written, by its place.
  const cases: [string, Record<string, string>][] = [
    ['one in the first row, never closed', { '1.1': '"?' }],
    ['one in the middle, never closed', { [`${middle}.0`]: '"?' }],
    ['one in the last row', { [`${last}.1`]: '"?' }],
    ['two, far apart', { '3.1': '"?', [`${far}.1`]: '"?' }],
    ['two in rows one after the other', { '30.0': '"?', '31.0': '"?' }],
    ['one, and inches far below', { '4.1': '"?', [`${middle + 7}.1`]: '?"' }],
    ['one, and inches a few rows below', { '30.1': '"?', '36.1': '?"' }],
    ['one, and a quoted cell below', { '2.0': '"?', '9.1': '"?"' }],
    ['one, and a quoted cell beside it', { '7.0': '"?', '7.1': '"?"' }],
    ['one in the last cell, inches in the first', { [`5.${end}`]: '"?', '20.0': '?"' }],
  ];
  // What is read piece by piece takes long, and differs where the quote or what closes it is far away.
  const shown = cases.filter(([what]) => last < 1000 || /never closed|last row|far/.test(what));
  it.each(shown)('%s', async (_what, quotes) => {
    const text = written(list, quotes);
    const rows = await read(text);
    if (last < 1000) expect(await rowsInPieces(text, 50)).toEqual(rows);
    const places = Object.entries(quotes).map(([place, as]) => [...place.split('.'), as] as const);
    const marked = places.flatMap(([row, , as]) => (as === '"?' ? [Number(row) + 1] : []));
    expect(remarked(rows)).toEqual(marked);
    const plain = Array.from({ length: last }, (_row, at) => [...list.line(at + 1)]);
    for (const [row, column, as] of places)
      if (as === '?"')
        plain[Number(row) - 1]![Number(column)] = `${list.line(Number(row))[Number(column)]}"`;
    expect(cellsOf(rows).slice(1)).toEqual(plain);
  });
});

it.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])('in %s', async (label) => {
  const list: List = { delimiter: ';', lineEnd: '\r\n', line: GERMAN, rows: 500 };
  const rows = await read(written(list, { '40.1': '"?', '400.1': '"?' }), label);
  expect(remarked(rows)).toEqual([41, 401]);
  expect(rows).toHaveLength(501);
});

const { whole: WHOLE } = tablesIn(import.meta.dirname, 'stray-quotes.yaml') as {
  whole: readonly { case: string; text: string; rows: readonly (readonly string[])[] }[];
};

describe('cells of several lines stay whole', () => {
  it.each(WHOLE)('$case', async ({ text, rows: expected }) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const rows = await read(text.replaceAll('\n', lineEnd));
      const withEnds = expected.map((cells) => cells.map((cell) => cell.replaceAll('\n', lineEnd)));
      expect(cellsOf(rows).slice(1)).toEqual(withEnds);
      expect(remarked(rows)).toEqual([]);
    }
  });
});

/** Cells that hold what makes reading hard, quoted as they should be. */
const note = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', 'call later', 'VIP') },
  fc.constantFrom(
    'two\nlines',
    'a, b; c\td',
    'said "no"',
    'one\n\nthree; and, more\n"four"',
    '"',
    '\n',
  ),
  fc
    .array(fc.constantFrom('asked', 'left, then back', 'x; y', 'he said "hi"', '', '5"'), {
      minLength: 2,
      maxLength: 6,
    })
    .map((lines) => lines.join('\n')),
);
const kind = fc.constantFrom<'opening' | 'unclosed' | 'inches'>('opening', 'unclosed', 'inches');

describe('random lists with cells of several lines and stray quotes', () => {
  it('give every row that a stray quote does not stand in', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: 30, maxLength: 120 }),
        fc.array(fc.tuple(fc.nat(119), fc.integer({ min: 0, max: 2 }), kind), { maxLength: 4 }),
        fc.constantFrom(',', ';', '\t', '|', '||'),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (notes, strays, delimiter, lineEnd, isQuoted) => {
          const quotesAt = new Map(strays.map(([row, column, as]) => [row, { column, as }]));
          const table = notes.map((text, at) => [
            String(1000 + at),
            `Person ${'abcdefghij'.charAt(at % 10)}`,
            `+49 151 ${2_000_000 + at}`,
            // A row with a stray quote has no other lines of its own.
            (quotesAt.has(at) ? 'plain' : text).replaceAll('\n', lineEnd),
          ]);
          const field = (cell: string): string =>
            isQuoted || /["\n\r,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
          const lines = table.map((cells, at) => {
            const fields = cells.map(field);
            const stray = quotesAt.get(at);
            if (!stray) return fields;
            const cell = cells[stray.column] ?? '';
            const plain = { opening: `"${cell}`, unclosed: `"${cell}`, inches: `${cell}"` };
            return fields.with(stray.column, plain[stray.as]);
          });
          const text = [['Id', 'Name', 'Phone', 'Note'], ...lines]
            .map((cells) => cells.join(delimiter) + lineEnd)
            .join('');
          const rows = cellsOf(await read(text)).slice(1);
          const ids = new Set(rows.map(([id]) => id?.replaceAll('"', '')));
          for (const [at, cells] of table.entries())
            if (quotesAt.has(at)) expect(ids).toContain(cells[0]);
            else expect(rows[at]).toEqual(cells);
          expect(rows).toHaveLength(table.length);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
