import * as SheetJs from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../src/source/source.js';
import { zip } from '../kit/zip.js';
import { rowsOf, testFolder } from './files.js';
import { tablesIn } from '../kit/tables.js';

const folder = testFolder();

type BookType = 'biff8' | 'biff5' | 'biff2' | 'xlsb' | 'ods' | 'xlsx';

interface Made {
  readonly date1904?: boolean;
  readonly hidden?: readonly string[];
}

function workbookOf(sheets: Readonly<Record<string, SheetJs.WorkSheet>>, made: Made = {}) {
  const workbook = SheetJs.utils.book_new();
  for (const [name, sheet] of Object.entries(sheets))
    SheetJs.utils.book_append_sheet(workbook, sheet, name);
  workbook.Workbook = {
    WBProps: { date1904: made.date1904 ?? false },
    Sheets: Object.keys(sheets).map((name) => ({
      name,
      Hidden: made.hidden?.includes(name) ? 1 : 0,
    })),
  };
  return workbook;
}

const write = (workbook: SheetJs.WorkBook, bookType: BookType): Uint8Array =>
  new Uint8Array(SheetJs.write(workbook, { type: 'buffer', bookType }) as Buffer);

const open = async (workbook: SheetJs.WorkBook, bookType: BookType, options = {}) =>
  openSource(await folder.write(write(workbook, bookType)), options);

/** Cells of each kind, and what they show. */
const CELLS = tablesIn(import.meta.dirname, 'sheetjs.yaml') as readonly (readonly [
  SheetJs.CellObject,
  string | null,
])[];
const ROW: SheetJs.WorkSheet = { '!ref': 'A1:Z1' };
for (const [at, [cell]] of CELLS.entries())
  ROW[SheetJs.utils.encode_cell({ r: 0, c: at })] = { ...cell };

describe.each(['biff8', 'xlsb', 'xlsx', 'ods'] as const)('cells of a %s', (bookType) => {
  it('have the same texts in all formats', async () => {
    const [row] = await rowsOf(await open(workbookOf({ S: ROW }), bookType));
    expect(row?.[1]).toEqual(CELLS.map(([, text]) => text));
  });
});

describe.each(['biff8', 'xlsb', 'ods'] as const)('a workbook as %s', (bookType) => {
  const sheet = (...rows: unknown[][]) => SheetJs.utils.aoa_to_sheet(rows);

  it('shows its errors by their names', async () => {
    const errors = { '!ref': 'A1:B1', A1: { t: 'e', v: 0x2a }, B1: { t: 'e', v: 0x07 } } as const;
    // The writer of .ods leaves errors out.
    const expected = bookType === 'ods' ? [] : [[1, ['#N/A', '#DIV/0!']]];
    expect(await rowsOf(await open(workbookOf({ S: errors }), bookType))).toEqual(expected);
  });

  it('has its dates in the system of 1904 where it says so', async () => {
    const dated = { '!ref': 'A1', A1: { t: 'n', v: 43830, z: 'yyyy/mm/dd' } } as const;
    const workbook = workbookOf({ S: dated }, { date1904: true });
    expect(await rowsOf(await open(workbook, bookType))).toEqual([[1, ['2024-01-01']]]);
  });

  it('leaves out blank rows, which count, and cells at the end', async () => {
    const workbook = workbookOf({ S: sheet([], [null, 'b'], [], [], ['a', null, 'c', null]) });
    expect(await rowsOf(await open(workbook, bookType))).toEqual([
      [2, [null, 'b']],
      [5, ['a', null, 'c']],
    ]);
  });

  it('has sheets, of which hidden ones are passed over', async () => {
    const sheets = { Hidden: sheet(['h']), Leads: sheet(['l']), Last: sheet(['z']) };
    // The writer of .ods makes no sheet hidden.
    const workbook = workbookOf(sheets, { hidden: ['Hidden'] });
    const first = bookType === 'ods' ? 'Hidden' : 'Leads';
    expect((await open(workbook, bookType)).info.sheets).toEqual([first]);
    expect((await open(workbook, bookType, { sheet: 'last' })).info.sheets).toEqual(['Last']);
    expect((await open(workbook, bookType, { allSheets: true })).info.sheets).toHaveLength(3);
    await expect(open(workbook, bookType, { sheet: 'Nowhere' })).rejects.toMatchObject({
      code: 'unknown_sheet',
      message: expect.stringContaining('"Leads", "Last"') as unknown,
    });
  });
});

it('reads a workbook of one sheet without a container, as older programs write it', async () => {
  const source = await open(workbookOf({ S: SheetJs.utils.aoa_to_sheet([['a', 1]]) }), 'biff2');
  expect(source.info.format).toBe('xls');
  expect(await rowsOf(source)).toEqual([[1, ['a', '1']]]);
});

it('reads the texts of Excel 95 in the code page of their country', async () => {
  const bytes = Buffer.from(
    write(workbookOf({ S: SheetJs.utils.aoa_to_sheet([['QQQQ']]) }), 'biff5'),
  );
  // The writer knows no letters but Latin ones: the text, and the record that names the code page.
  bytes.write('c0edede0', bytes.indexOf('QQQQ'), 'hex');
  const codePage = bytes.indexOf(Buffer.from('42000200', 'hex'));
  bytes.writeUInt16LE(1251, codePage + 4);
  expect(await rowsOf(await openSource(await folder.write(bytes)))).toEqual([[1, ['Анна']]]);
});

it(
  'refuses a binary workbook that holds more than is read, and says what to do',
  { tags: 'depth' },
  async () => {
    const bytes = write(workbookOf({ S: SheetJs.utils.aoa_to_sheet([['a']]) }), 'xlsb');
    const file = await folder.write(
      zip([
        { name: 'xl/workbook.bin', data: Buffer.from(bytes) },
        { name: 'xl/a.bin', data: Buffer.alloc(300 * 2 ** 20) },
      ]),
    );
    await expect(openSource(file)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(
        /holds 301 MiB, unpacked, and the limit is 128 MiB.*Save it as \.xlsx or CSV/,
      ) as unknown,
    });
  },
);
