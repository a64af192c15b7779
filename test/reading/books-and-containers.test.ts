import * as SheetJs from '@e965/xlsx';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerName, type SourceOptions } from '../../src/core/table.js';
import { isErrorWord } from '../../src/core/errors.js';
import { suggestion } from '../../src/core/text.js';
import { openSource } from '../../src/source/source.js';
import { cellFormat } from '../../src/source/xlsx/cells/value.js';
import { testFolder } from './files.js';
import { tablesIn } from '../kit/tables.js';

const folder = testFolder();
const TABLES = tablesIn(import.meta.dirname, 'formats.yaml') as {
  shown: readonly (readonly [code: string, value: number])[];
  quantities: readonly string[];
  names: readonly (readonly [written: string, name: string])[];
  errors: readonly string[];
  'no errors': readonly string[];
};

const ROWS = [
  ['ID', 'Name', 'Phone'],
  ['1', 'Ada', '0151 23450001'],
  ['2', 'Bo', '0151 23450002'],
];

async function read(content: string | Uint8Array, options: SourceOptions = {}) {
  const source = await openSource(await folder.write(content), options);
  const rows = [];
  for await (const batch of source.batches()) rows.push(...batch);
  return { info: source.info, rows, cells: rows.map(({ cells }) => cells) };
}

describe('names of columns', () => {
  it.each(TABLES.names)('%j is %s', (written, name) => {
    expect(headerName(written)).toBe(name);
  });

  it('that look the same are told apart by their signs', () => {
    expect(suggestion('Name', ['ID', 'Nаme'])).toContain('sign 2 is U+0430 and not U+0061');
    expect(suggestion('Nane', ['ID', 'Name'])).toBe('Did you mean "Name"?');
  });
});

describe('errors of formulas', () => {
  it.each(TABLES.errors)('%j is one', (text) => {
    expect(isErrorWord(text)).toBe(true);
  });
  it.each(TABLES['no errors'])('%j is none', (text) => {
    expect(isErrorWord(text)).toBe(false);
  });
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

describe('formats of numbers', () => {
  it.each(TABLES.shown)('%s of %d', (code, value) => {
    expect(shown(code, value)).toBe(theirs(code, value));
    expect(shown(code, value)).not.toBe(String(value));
  });

  it.each(TABLES.quantities)('quantities stay numbers: %s', (code) => {
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
