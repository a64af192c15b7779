import { gzipSync } from 'node:zlib';
import * as SheetJs from '@e965/xlsx';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerName, type SourceOptions } from '../../src/core/table.js';
import { isErrorWord } from '../../src/core/errors.js';
import { suggestion } from '../../src/config/nearest.js';
import { openSource } from '../../src/source/source.js';
import { cellFormat } from '../../src/source/xlsx/cells/value.js';
import { tablesIn, testFolder } from './files.js';
import { zip } from '../kit/zip.js';

const folder = testFolder();
const ROWS = [
  ['ID', 'Name', 'Phone'],
  ['1', 'Ada', '0151 23450001'],
  ['2', 'Bo', '0151 23450002'],
];
const CSV = ROWS.map((cells) => `${cells.join(';')}\r\n`).join('');

async function read(content: string | Uint8Array, options: SourceOptions = {}) {
  const source = await openSource(await folder.write(content), options);
  const rows = [];
  for await (const batch of source.batches()) rows.push(...batch);
  return { info: source.info, rows, cells: rows.map(({ cells }) => cells) };
}

const part = (name: string, content: string) => ({ name, data: content });
const records = ROWS.slice(1).map(([ID, Name, Phone]) => ({ ID, Name, Phone }));

describe('what lies around a list is no part of it', () => {
  it.each<readonly [what: string, content: string | Uint8Array]>([
    ['zeros to the end of a block', Buffer.concat([Buffer.from(CSV), Buffer.alloc(4000)])],
    ['a megabyte of zeros', Buffer.concat([Buffer.from(CSV), Buffer.alloc(2 ** 20)])],
    [
      'zeros behind UTF-16',
      Buffer.concat([Buffer.from(`\ufeff${CSV}`, 'utf16le'), Buffer.alloc(1001)]),
    ],
    ['zeros behind gzip', gzipSync(Buffer.concat([Buffer.from(CSV), Buffer.alloc(512)]))],
    ['Ctrl-Z', `${CSV}\x1a`],
    ['Ctrl-Z up to the end of a block', CSV + '\x1a'.repeat(100)],
    ['Ctrl-Z behind the last cell', `${CSV.trimEnd()}\x1a\r\n`],
    ['quotes around lines', '"ID,Name,Phone"\n"1,""Ada"",0151 23450001"\n"2,Bo,0151 23450002"\n'],
    [
      'quotes around lines with empty cells behind them',
      '"ID;Name;Phone",,\r\n"1;Ada;0151 23450001",,\r\n"2;""Bo"";0151 23450002",,\r\n',
    ],
    ['a JSON array', JSON.stringify(records)],
    [
      'a JSON array over many lines, with a byte order mark',
      `\ufeff${JSON.stringify(records, null, 4)}\n`,
    ],
    ['a packed JSON array', gzipSync(JSON.stringify(records))],
    ['a zip file with a CSV', zip([part('export/list.csv', CSV)])],
    [
      'a zip file of a Mac, with a word for the reader',
      zip([part('list.csv', CSV), part('__MACOSX/._list.csv', 'x'), part('readme.txt', 'hello')]),
    ],
    [
      'a zip file with JSON Lines',
      zip([part('a.jsonl', records.map((r) => JSON.stringify(r)).join('\n'))]),
    ],
  ])('%s', async (_, content) => {
    expect((await read(content)).cells).toEqual(ROWS);
  });

  it.each([
    ['JSON Lines', (record: string) => `${record}\n${record}\n`],
    ['a JSON array', (record: string) => `[${record},\n${record}]`],
  ])('takes marks and invisible signs off the cells of %s', async (_, written) => {
    const record = JSON.stringify({ ID: '="007"', Name: "'00\u200b123" });
    const { cells } = await read(written(record));
    expect(cells[1]).toEqual(['007', '00123']);
  });

  it('reads JSON Lines with a block of zeros within', async () => {
    const zeros = '\0'.repeat(200_000);
    const found = read(`{"ID":"1","Name":"Ada"}\n${zeros}x\n`);
    await expect(found).rejects.toMatchObject({ code: expect.any(String) as string });
  });

  it.each<readonly [what: string, content: string | Uint8Array, code: string, words: RegExp]>([
    ['nothing but zeros', Buffer.alloc(5000), 'empty_file', /zero bytes/],
    ['an empty array', '[]', 'empty_file', /no records/],
    ['an array of arrays', '[["ID","Name"],["1","Ada"]]', 'broken_json', /array of objects/],
    ['an array that is cut off', JSON.stringify(records).slice(0, -10), 'broken_json', /cut off/],
    [
      'several lists',
      zip([part('a.csv', CSV), part('b.csv', CSV)]),
      'several_lists',
      /"a\.csv", "b\.csv"/,
    ],
    ['a zip file without files', zip([part('.hidden', 'x')]), 'empty_file', /no list/],
    [
      'a zip file with another',
      zip([{ name: 'in.zip', data: zip([part('a.csv', CSV)]) }]),
      'zip_holds_archive',
      /Unpack it/,
    ],
  ])('refuses %s', async (_, content, code, words) => {
    await expect(read(content)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words) as string,
    });
  });

  it.each([
    ['a column of texts in quotes', '"Name, Vorname"\n"Müller, Anna"\n"Schmidt, Bo"\n', 1],
    ['Ctrl-Z within the text', 'ID;Name\n1;A\x1ada\n2;Bo\n', 2],
  ])('%s stays as it is', async (_, content, width) => {
    const { cells } = await read(content);
    expect(cells.map(({ length }) => length)).toEqual([width, width, width]);
  });
});

describe('names of columns', () => {
  it.each([
    ['Te\u0301le\u0301phone', 'Téléphone'],
    ['Phone\r\nnumber', 'Phone number'],
    ['\ufeffID', 'ID'],
    ['Na\u00adme', 'Name'],
    ['\u202aPhone\u202c', 'Phone'],
    ['Phone\u00a0number', 'Phone number'],
    ['Имя\u200b', 'Имя'],
    ['が', 'が'],
    [' Name  of\tclient ', 'Name of client'],
  ])('%j is %s', (written, name) => {
    expect(headerName(written)).toBe(name);
  });

  it('that look the same are told apart by their signs', () => {
    expect(suggestion('Name', ['ID', 'Nаme'])).toContain('sign 2 is U+0430 and not U+0061');
    expect(suggestion('Nane', ['ID', 'Name'])).toBe('Did you mean "Name"?');
  });
});

describe('errors of formulas', () => {
  it.each(['#N/A', ' #REF! ', '#nv', '#ССЫЛКА!', '#¡DIV/0!', '#DZIEL/0!', 'Err:502', '#DEĞER!'])(
    '%j is one',
    (text) => {
      expect(isErrorWord(text)).toBe(true);
    },
  );
  it.each(['N/A', '#1', '#Hashtag GmbH', '#N/A oder so', 'Erin', 'Err', '', 'n.a.'])(
    '%j is none',
    (text) => {
      expect(isErrorWord(text)).toBe(false);
    },
  );
});

const FORMATS = ['xlsx', 'biff8', 'xlsb'] as const;

describe.each(FORMATS)('a workbook (%s)', (bookType) => {
  const book = (sheets: Readonly<Record<string, SheetJs.WorkSheet>>): Uint8Array => {
    const workbook = SheetJs.utils.book_new();
    for (const [name, sheet] of Object.entries(sheets))
      SheetJs.utils.book_append_sheet(workbook, sheet, name);
    return SheetJs.write(workbook, { type: 'buffer', bookType }) as Uint8Array;
  };
  const sheetOf = (rows: unknown[][]) => SheetJs.utils.aoa_to_sheet(rows);

  it('shows numbers as their formats do', async () => {
    const sheet = sheetOf([
      ['A', 'B', 'C', 'D', 'E', 'F'],
      [123, 15123450001, 1512345678, 1234, 12.5, 7],
    ]);
    for (const [at, format] of Object.entries({
      A2: '00000',
      B2: '"+49 "0',
      C2: '000\\-000\\-0000',
      D2: '#,##0',
      E2: '0.00',
      F2: '0.00%',
    }))
      (sheet[at] as SheetJs.CellObject).z = format;
    const { cells, rows } = await read(book({ List: sheet }));
    expect(cells[1]).toEqual(['00123', '+49 15123450001', '151-234-5678', '1234', '12.5', '7']);
    expect(rows[1]?.numbers).toEqual([
      [0, '123'],
      [1, '15123450001'],
      [2, '1512345678'],
      [4, '12.5'],
    ]);
  });

  it('notes errors, those that were pasted as texts as well', async () => {
    const sheet = sheetOf([
      ['A', 'B', 'C'],
      ['x', ' #n/a', '#N/A is what it shows'],
    ]);
    sheet['A2'] = { t: 'e', v: 0x2a };
    const { rows } = await read(book({ List: sheet }));
    expect(rows[1]?.defects?.map(({ column, code }) => [column, code])).toEqual([
      [0, 'error_value'],
      [1, 'error_value'],
    ]);
  });

  it('begins with the first sheet that is not empty', async () => {
    const { info, cells } = await read(book({ Cover: sheetOf([]), List: sheetOf(ROWS) }));
    expect(info.sheets).toEqual(['List']);
    expect(cells).toEqual(ROWS);
  });

  it.each([
    ['all', ['A', 'B', 'C']],
    ['A,C', ['A', 'C']],
    ['C; 1', ['A', 'C']],
  ])('reads the sheets %s', async (sheet, names) => {
    const workbook = book({ A: sheetOf(ROWS), B: sheetOf(ROWS), C: sheetOf(ROWS) });
    expect((await read(workbook, { sheet })).info.sheets).toEqual(names);
    expect((await read(workbook)).info.otherSheets).toEqual(['B', 'C']);
  });
});

/** What is used of the library's compound files. */
interface CompoundFiles {
  read(content: Uint8Array, options: { type: 'buffer' }): object;
  find(container: object, path: string): { readonly content: Uint8Array } | null;
  write(container: object, options: { type: 'buffer' }): Uint8Array;
  readonly utils: { cfb_add(container: object, path: string, content: Uint8Array): void };
}

describe('rows that a program does not show', () => {
  const hidden = async (content: Uint8Array): Promise<(boolean | undefined)[]> =>
    (await read(content)).rows.map(({ isHidden }) => isHidden);
  const sheet = SheetJs.utils.aoa_to_sheet(ROWS);
  sheet['!rows'] = [{}, { hidden: true }, {}];
  const book = (bookType: SheetJs.BookType): Uint8Array => {
    const workbook = SheetJs.utils.book_new();
    SheetJs.utils.book_append_sheet(workbook, sheet, 'List');
    return SheetJs.write(workbook, { type: 'buffer', bookType }) as Uint8Array;
  };

  it.each(['xlsx', 'xlsb'] as const)('%s', async (bookType) => {
    expect(await hidden(book(bookType))).toEqual([undefined, true, undefined]);
  });

  it('xls', async () => {
    // The library writes no records of rows: one stands in for the cell that is as long, and empty.
    const cfb = SheetJs.CFB as unknown as CompoundFiles;
    const container = cfb.read(book('biff8'), { type: 'buffer' });
    const stream = Buffer.from(cfb.find(container, '/Workbook')!.content);
    const dimensions = stream.lastIndexOf(Buffer.from([0x00, 0x02, 0x0e, 0x00]));
    expect(dimensions).toBeGreaterThan(0);
    const at = dimensions + 4 + 14;
    const row = Buffer.alloc(4 + 16);
    row.writeUInt16LE(0x0208, 0);
    row.writeUInt16LE(16, 2);
    row.writeUInt16LE(1, 4);
    row.writeUInt16LE(0x0120, 4 + 12);
    const content = Buffer.concat([stream.subarray(0, at), row, stream.subarray(at)]);
    cfb.utils.cfb_add(container, '/Workbook', content);
    const written = cfb.write(container, { type: 'buffer' });
    expect(await hidden(written)).toEqual([undefined, true, undefined]);
  });
});

/** What a number with this format shows, and the library of another maker says of it. */
function shown(code: string, value: number): string {
  const format = cellFormat(code);
  const content = typeof format === 'object' ? format.content(String(value)) : String(value);
  return (typeof content === 'object' ? content?.text : content) ?? '';
}
const ssf = SheetJs.SSF as { format: (code: string, value: number) => string };
const theirs = (code: string, value: number): string =>
  ssf.format(code, value).replaceAll(/\s+/g, ' ').trim();

const FORMATS_OF_NUMBERS = tablesIn(import.meta.dirname, 'formats.yaml') as {
  shown: readonly (readonly [code: string, value: number])[];
  quantities: readonly string[];
};

describe('formats of numbers', () => {
  it.each(FORMATS_OF_NUMBERS.shown)('%s of %d', (code, value) => {
    expect(shown(code, value)).toBe(theirs(code, value));
    expect(shown(code, value)).not.toBe(String(value));
  });

  it.each(FORMATS_OF_NUMBERS.quantities)('quantities stay numbers: %s', (code) => {
    for (const value of [0.5, 12, 1234.25, -7]) expect(shown(code, value)).toBe(String(value));
  });

  it('show what another library shows', () => {
    const [first, digits] = [fc.stringMatching(/^#{0,2}0{1,4}$/), fc.stringMatching(/^0{1,4}$/)];
    const text = fc.constantFrom('', '"+49 "', '\\-', '"ID "', ' ', '"x"');
    const code = fc.tuple(text, first, text, digits, text).map((parts) => parts.join(''));
    fc.assert(
      fc.property(code, fc.integer({ min: 1, max: 999_999_999_999 }), (format, value) => {
        expect(shown(format, value)).toBe(theirs(format, value));
      }),
    );
  });
});
