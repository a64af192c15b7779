import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { crc32 } from 'node:zlib';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPromise } from 'yauzl';
import { UsageError } from '../../../src/core/errors.js';
import type { Cell, SourceInfo } from '../../../src/core/table.js';
import { meantText } from '../../../src/prepare/inputs/seen.js';
import { openRejectsWriter, type RejectsFile } from '../../../src/report/rejects.js';
import { openSource } from '../../../src/source/source.js';
import { tableDecoder } from '../../../src/source/csv/encoding/table-decoder.js';
import { testFolder } from '../../kit/folder.js';

const folder = testFolder();
const OWN = ['cardline:outcome', 'cardline:problems'];
const PROBLEMS = 'Phone: is no phone number (12)';
let files = 0;

const newFile = (extension: string): string => join(folder, `rejects-${++files}.${extension}`);

async function writeAll(
  options: Omit<RejectsFile, 'file'>,
  rows: readonly (readonly Cell[])[],
  problems = PROBLEMS,
): Promise<string> {
  const file = newFile(options.format);
  const writer = await openRejectsWriter({ ...options, file });
  for (const row of rows) await writer.write(row, 'rejected', problems);
  expect(await writer.close()).toBe(rows.length);
  return file;
}

async function decoded(file: string, encoding: string): Promise<string> {
  return new TextDecoder(encoding).decode(await readFile(file), { stream: true });
}

const HEADERS = ['Имя', 'Phone', 'Note'];
const ROWS: Cell[][] = [
  ['Анна "Аня" Ёлкина', '+79161234567', '=1+1'],
  ['  Борис;,\t|', '0042', 'two\r\nlines\nhere'],
  [null, '', ' '],
];

/** Every byte, as a table in this encoding is read. */
async function everyByte(encoding: string): Promise<string> {
  const decoder = await tableDecoder(encoding);
  return decoder.decode(Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)));
}

async function readAgain(file: string): Promise<{ info: SourceInfo; cells: (readonly Cell[])[] }> {
  const source = await openSource(file);
  const cells: (readonly Cell[])[] = [];
  for await (const rows of source.batches()) cells.push(...rows.map((row) => row.cells));
  return { info: source.info, cells };
}

describe('a rejects file that is imported again', () => {
  const LEADS = [
    ['Анна Ёлкина', '+79990001001', 'просила скидку; думает'],
    ['Борис\nДубок', '0042', '=1+1'],
  ];
  const ADDED = ['rejected', 'Phone: is no phone number (12); Note: is too long'];

  it.each(['utf-8', 'windows-1251', 'koi8-r', 'utf-16le', 'utf-16be'])(
    'is found to be in %s with its delimiter, and has the same cells',
    async (encoding) => {
      for (const delimiter of [',', ';', '\t', '|']) {
        const options = { format: 'csv', encoding, delimiter, headers: HEADERS } as const;
        const { info, cells } = await readAgain(await writeAll(options, LEADS, ADDED[1]));
        expect([info.encoding, info.delimiter]).toEqual([encoding, delimiter]);
        expect(cells).toEqual([[...HEADERS, ...OWN], ...LEADS.map((lead) => [...lead, ...ADDED])]);
      }
    },
  );

  it('gives the same rejects file once more', async () => {
    const rows = [['1'], ['1', '2', '3', '4', '5'], ['1', '2', '3']];
    const once = await writeAll({ format: 'csv', headers: HEADERS }, rows);
    const { cells } = await readAgain(once);
    const twice = await writeAll({ format: 'csv', headers: cells[0]! }, cells.slice(1));
    expect(await readFile(twice, 'utf8')).toBe(await readFile(once, 'utf8'));
  });
});

describe('rejects', () => {
  const unit = fc.constantFrom(...Array.from(`'="+-@\t\r\n ,0aя\u0308`));
  const text = fc.oneof(
    fc.string({ unit, maxLength: 8 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );

  it.each(['csv', 'xlsx'] as const)(
    'of %s give the very cells when they are read again',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
          const rows = texts.map((one, at): Cell[] => [String(at), meantText(one) || null, 'x']);
          const file = await writeAll({ format, delimiter: ';', headers: HEADERS }, rows);
          const source = await openSource(
            file,
            format === 'csv' ? { delimiter: ';', encoding: 'utf-8' } : {},
          );
          const cells: (readonly Cell[])[] = [];
          for await (const batch of source.batches()) cells.push(...batch.map((row) => row.cells));
          expect(cells.slice(1).map((row) => row.slice(0, 3))).toEqual(rows);
        }),
        { numRuns: format === 'csv' ? 60 : 20 },
      );
    },
  );
});

describe('rejects of a CSV', () => {
  it.each(['windows-1251', 'windows-1252', 'koi8-r', 'ibm866', 'macintosh', 'x-mac-cyrillic'])(
    'writes every byte of %s as it was read',
    async (encoding) => {
      const every = await everyByte(encoding);
      const file = await writeAll({ format: 'csv', encoding, headers: ['a'] }, [[every]]);
      const written = await readFile(file);
      const plain = written.subarray(written.indexOf(0x0a) + 2);
      // The quote, byte 34, stands doubled.
      expect([...plain.subarray(0, 257)]).toEqual(
        [...Array(256).keys()].flatMap((byte) => (byte === 34 ? [34, 34] : [byte])),
      );
    },
  );

  it('keeps rows of any length in their order', { tags: 'depth' }, async () => {
    const length = fc.constantFrom(1_000, 60_000, 90_000, 200_000, 270_000, 600_000);
    await fc.assert(
      fc.asyncProperty(fc.array(length, { minLength: 2, maxLength: 24 }), async (lengths) => {
        const rows = lengths.map((size, at) => [String(at), 'x'.repeat(size), null]);
        const file = await writeAll({ format: 'csv', headers: HEADERS }, rows);
        const lines = parse(await readFile(file), { record_delimiter: '\r\n' }).slice(1);
        const found = lines.map(([at, text]: string[]) => [at, text?.length]);
        expect(found).toEqual(rows.map(([at, text]) => [at, text?.length]));
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['utf-8', true, 'efbbbf61'],
    ['utf-8', false, '612c6361'],
    ['utf-16le', false, 'fffe6100'],
    ['utf-16be', false, 'feff0061'],
  ])('begins %s with a byte order mark: %s', async (encoding, bom, beginning) => {
    const file = await writeAll({ format: 'csv', encoding, bom, headers: ['a'] }, [['b']]);
    expect((await readFile(file)).subarray(0, 4).toString('hex')).toBe(beginning);
  });

  it('has a question mark for what the encoding lacks, in the added columns alone', async () => {
    const options = { format: 'csv', encoding: 'windows-1252', headers: ['a'] } as const;
    const file = await writeAll(options, [['naïve €']], 'Имя: x');
    expect(await decoded(file, 'windows-1252')).toContain('naïve €,rejected,"???: x"');
  });

  it('makes cells and problems that a program might calculate inert', async () => {
    const file = await writeAll({ format: 'csv', headers: ['=a'] }, [['=1+1']], '=a: is wrong');
    expect(parse(await readFile(file))).toEqual([
      ["'=a", ...OWN],
      ["'=1+1", 'rejected', "'=a: is wrong"],
    ]);
  });

  it('keeps a wrong number of cells wrong, behind its own columns', async () => {
    const file = await writeAll({ format: 'csv', headers: ['a', 'b', 'c'] }, [
      ['1'],
      ['1', '2'],
      ['1', '2"'],
      ['1', '2', '3', '4', '5'],
    ]);
    const lines = parse(await readFile(file), { relax_column_count: true });
    expect(lines.slice(1)).toEqual([
      ['1', '', '', 'rejected', PROBLEMS, 'cardline:cells-missing'],
      // Last cells that are missing are empty, which is what they are here.
      ['1', '2', '', 'rejected', PROBLEMS],
      ['1', '2"', '', 'rejected', PROBLEMS, 'cardline:cells-missing'],
      ['1', '2', '3', 'rejected', PROBLEMS, '4', '5'],
    ]);
  });

  it.each(['csv', 'xlsx'] as const)('keeps a header of %s on its row', async (format) => {
    const preamble = [{ sheet: null, row: 2, cells: ['Leads of October', '2026'] }];
    const options = { format, headers: ['a', 'b'], headerRow: 4, preamble } as const;
    const file = await writeAll(options, [['1', '2']], 'p');
    const rows =
      format === 'csv' ? (await readFile(file, 'utf8')).split('\r\n') : await lines(file);
    expect(rows.slice(0, 5)).toEqual([
      '',
      'Leads of October,2026',
      '',
      `a,b,${OWN.join(',')}`,
      format === 'csv' ? '1,2,rejected,"p"' : '1,2,rejected,p',
    ]);
  });

  it.each([
    ['gbk', '张伟'],
    ['gb18030', '张伟 €'],
    ['big5', '陳大文'],
    ['shift_jis', '山田'],
    ['euc-jp', '山田'],
    ['euc-kr', '김철수'],
  ])('writes %s, with several bytes for a character', async (encoding, name) => {
    const file = await writeAll({ format: 'csv', encoding, headers: ['a'] }, [[name]], 'p');
    expect(await decoded(file, encoding)).toContain(`${name},rejected,"p"`);
  });

  it('refuses an encoding that it cannot write before anything is done', async () => {
    const open = (encoding: string) =>
      openRejectsWriter({ file: newFile('csv'), format: 'csv', encoding, headers: ['a'] });
    await expect(open('iso-2022-jp')).rejects.toThrow(UsageError);
    await expect(open('klingon')).rejects.toThrow(UsageError);
  });
});

/** The rows of a workbook's first sheet, as text with commas between. */
async function lines(file: string): Promise<string[]> {
  const sheet = (await workbookOf(file)).worksheets[0]!;
  return Array.from({ length: sheet.rowCount }, (_, index) => {
    const row = sheet.getRow(index + 1);
    return Array.from({ length: row.cellCount }, (_, c) => row.getCell(c + 1).text).join(',');
  });
}

async function workbookOf(file: string): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(file);
  return workbook;
}

describe('rejects of a workbook', () => {
  it('are texts on a sheet of the same name', async () => {
    const rows = [...ROWS, ['00042', '+7916', '<&>"\u0001 _x0041_ \rend\r\n ']];
    const file = await writeAll({ format: 'xlsx', sheet: 'Лиды', headers: HEADERS }, rows);
    const sheet = (await workbookOf(file)).getWorksheet('Лиды')!;
    const cells = rows.map((_, index) =>
      [1, 2, 3, 4, 5].map((column) => sheet.getRow(index + 2).getCell(column).text),
    );
    expect(cells).toEqual(
      rows.map((row) => [...row.map((cell) => cell ?? ''), 'rejected', PROBLEMS]),
    );
    expect(sheet.getRow(2).getCell(2).numFmt).toBe('@');
  });

  it('holds no formula and cuts what Excel cannot open', async () => {
    const options = { format: 'xlsx', headers: ['a'] } as const;
    const file = await writeAll(options, [['=1+1']], '=' + 'x'.repeat(40_000));
    const row = (await workbookOf(file)).getWorksheet('Rejects')!.getRow(2);
    expect(row.getCell(1).formula).toBeUndefined();
    expect(row.getCell(1).text).toBe('=1+1');
    expect(row.getCell(3).text).toMatch(/^'=x+…$/);
    expect(row.getCell(3).text).toHaveLength(32_767);
  });

  it.each([
    ['rows', { rows: 4, characters: Infinity }],
    ['length', { rows: Infinity, characters: 500 }],
  ])('goes on on a further sheet when one is full: %s', async (_what, limits) => {
    const file = newFile('xlsx');
    const above = { headerRow: 2, preamble: [{ sheet: null, row: 1, cells: ['above'] }] };
    const options = { file, format: 'xlsx', headers: ['a'], sheet: 'x'.repeat(31) } as const;
    const writer = await openRejectsWriter({ ...options, ...above }, limits);
    for (const cell of ['1', '2', '3', '4', '5']) await writer.write([cell], 'failed', 'p');
    expect(await writer.close()).toBe(5);
    const sheets = (await workbookOf(file)).worksheets;
    expect(sheets.map((sheet) => sheet.name)).toEqual([
      'x'.repeat(31),
      `${'x'.repeat(27)} (2)`,
      `${'x'.repeat(27)} (3)`,
    ]);
    const column = (sheet: ExcelJS.Worksheet): string[] =>
      Array.from({ length: sheet.rowCount }, (_, index) => sheet.getRow(index + 1).getCell(1).text);
    expect(sheets.map(column)).toEqual([
      ['above', 'a', '1', '2'],
      ['above', 'a', '3', '4'],
      ['above', 'a', '5'],
    ]);
  });

  it.each([
    ['a/b\\c*d?e:f[g]', 'a_b_c_d_e_f_g_'],
    ["'quoted'", '_quoted_'],
    ['History', 'History_'],
    [' ', 'Rejects'],
    ['\u0000\ud800', '__'],
    [`${'x'.repeat(30)}😀`, 'x'.repeat(30)],
    ['<&"\u001b[31m>', '<&"__31m>'],
  ])('are on a sheet whose name a spreadsheet program takes: %j', async (sheet, name) => {
    const file = await writeAll({ format: 'xlsx', sheet, headers: ['a'] }, [['1']], 'p');
    expect((await readAgain(file)).info.sheets).toEqual([name]);
    expect((await workbookOf(file)).worksheets.map((one) => one.name)).toEqual([name]);
  });

  it('are a container that other programs unpack', async () => {
    const file = await writeAll({ format: 'xlsx', headers: ['a'] }, [['ы'.repeat(100_000)]], 'p');
    const zip = await openPromise(file);
    const lengths: Record<string, number> = {};
    for await (const entry of zip.eachEntry()) {
      let [length, checksum] = [0, 0];
      for await (const piece of await zip.openReadStreamPromise(entry)) {
        checksum = crc32(piece as Buffer, checksum);
        length += (piece as Buffer).length;
      }
      expect([length, checksum]).toEqual([entry.uncompressedSize, entry.crc32]);
      lengths[entry.fileName] = length;
    }
    expect(lengths['xl/worksheets/sheet1.xml']).toBeGreaterThan(32_000 * 2);
  });

  it('keep cells beside the table, and leave out those far to the right, where they may not fit', async () => {
    const far = (at: number): Cell[] => ['1', ...Array<null>(at - 1).fill(null), 'stray'];
    const headers = ['a', 'b', null, ' '];
    const rows = [far(16_383), far(257), far(258), ['1', '2', 'x']];
    const { cells } = await readAgain(await writeAll({ format: 'xlsx', headers }, rows, 'p'));
    const head = (b: string | null): Cell[] => ['1', b, 'rejected', 'p'];
    expect(cells).toEqual([
      ['a', 'b', ...OWN],
      head(null),
      [...head(null), ...Array<null>(255).fill(null), 'stray'],
      head(null),
      [...head('2'), 'x'],
    ]);
  });

  it('have the widest header that leaves room, and refuse a wider one at once', async () => {
    const headers = Array.from({ length: 16_382 }, (_, index) => `c${index}`);
    const { cells } = await readAgain(await writeAll({ format: 'xlsx', headers }, [['1']], 'p'));
    expect(cells[0]).toEqual([...headers, ...OWN]);
    expect([cells[1]?.[0], ...cells[1]!.slice(-2)]).toEqual(['1', 'rejected', 'p']);
    const wider = [...headers, 'd'];
    const open = openRejectsWriter({ file: newFile('xlsx'), format: 'xlsx', headers: wider });
    await expect(open).rejects.toThrow(UsageError);
  });

  it('keeps the order of many rows', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => [
      String(index),
      'x'.repeat(index % 50),
    ]);
    const file = await writeAll({ format: 'xlsx', headers: ['a', 'b'] }, rows, 'p');
    expect(await lines(file)).toEqual([
      `a,b,${OWN.join(',')}`,
      ...rows.map((row) => `${row.join(',')},rejected,p`),
    ]);
  });
});

describe.each(['csv', 'xlsx'] as const)('rejects as %s', (format) => {
  it('replace the columns that an earlier rejects file has', async () => {
    const headers = ['a', ...OWN, 'b'];
    const file = await writeAll({ format, headers }, [['1', 'failed', 'old', '2']], 'new');
    const rows = format === 'csv' ? parse(await readFile(file)).map(String) : await lines(file);
    expect(rows).toEqual([`a,b,${OWN.join(',')}`, '1,2,rejected,new']);
  });

  it('are no file when there is no row', async () => {
    const file = join(folder, `none-${format}`, `rejects.${format}`);
    const writer = await openRejectsWriter({ file, format, headers: ['a'] });
    expect(await writer.close()).toBe(0);
    expect(existsSync(join(folder, `none-${format}`))).toBe(false);
  });

  it('belong to their owner alone and appear when they are complete', async () => {
    const file = join(folder, `own-${format}`, `rejects.${format}`);
    const writer = await openRejectsWriter({ file, format, headers: ['a'] });
    for (let row = 0; row < 5_000; row += 1) await writer.write([`cell ${row}`], 'failed', 'p');
    expect(existsSync(file)).toBe(false);
    await writer.close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, `own-${format}`))).mode & 0o777).toBe(0o700);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  it('leave nothing behind when they are discarded', async () => {
    const file = newFile(format);
    const writer = await openRejectsWriter({ file, format, headers: ['a'] });
    for (let row = 0; row < 5_000; row += 1) await writer.write([`cell ${row}`], 'failed', 'p');
    await writer.discard();
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });
});
