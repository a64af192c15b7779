import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/core/errors.js';
import type { Row } from '../../../src/core/table.js';
import { compoundFile } from '../../kit/compound-file.js';
import { zip } from '../../kit/zip.js';
import { openBook, parts, readParts, strings, toFile, workbook, worksheet } from './workbook.js';

const cell = '<row r="1"><c r="A1"><v>1</v></c></row>';
const MiB = 2 ** 20;

async function faultOf(reading: Promise<unknown>): Promise<InputError> {
  const error = await reading.catch((reason: unknown) => reason);
  if (error instanceof InputError) return error;
  throw new Error('no InputError was raised', { cause: error });
}

const codeOf = async (reading: Promise<unknown>) => (await faultOf(reading)).code;

describe('files that are no workbook', () => {
  const only = (...names: string[]) => zip(names.map((name) => ({ name, data: '<a/>' })));
  it.each([
    ['empty', 'empty_file', Buffer.alloc(0)],
    ['text', 'not_a_zip', Buffer.from('Name;Phone\n')],
    [
      'the beginning of a compound file',
      'not_a_workbook',
      compoundFile('Workbook').subarray(0, 600),
    ],
    ['.docx', 'not_a_workbook', only('word/document.xml')],
    ['any zip', 'not_a_workbook', only('a.txt')],
    ['an empty zip', 'not_a_workbook', zip([])],
    ['a zip that ends early', 'truncated_zip', only('a.txt').subarray(0, -30)],
    ['another XML', 'not_a_workbook', zip([{ name: 'xl/workbook.xml', data: '<a/>' }])],
  ])('%s: %s', async (_what, code, bytes) => {
    expect(await codeOf(openBook(toFile(bytes), {}))).toBe(code);
  });

  it('tells a file that does not exist', async () => {
    expect(await codeOf(openBook('/nowhere/leads.xlsx', {}))).toBe('cannot_open');
  });
});

describe('containers that are broken', () => {
  it('a sheet twice', async () => {
    const twice = { name: 'xl/worksheets/sheet1.xml', data: worksheet(cell) };
    expect(await codeOf(readParts([...parts(cell), twice]))).toBe('broken_zip');
  });

  for (const name of ['xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml', 'xl/workbook.xml'])
    it(
      `a bomb in ${name}, honest about its length or not`,
      { tags: name.includes('shared') ? [] : 'depth' },
      async () => {
        const bomb = Buffer.alloc(65 * MiB, ' ');
        const book = (length?: number) =>
          parts(cell, { [name]: bomb }).map((part) =>
            part.name === name && length !== undefined ? { ...part, length } : part,
          );
        expect(await codeOf(readParts(book()))).toMatch(/zip_bomb|too_large/);
        expect(await codeOf(readParts(book(1_000)))).toBe('broken_zip');
      },
    );

  it('reads what compresses well but is a sheet', { tags: 'depth' }, async () => {
    const row = `<row>${'<c><v>0</v></c>'.repeat(14)}</row>`;
    expect(await readParts(parts(row.repeat(50_000)))).toHaveLength(50_000);
  });
});

describe('XML that is broken', () => {
  it('gives the rows before the fault, and where it is', async () => {
    const data = `${Array.from({ length: 1_500 }, (_, at) => `<row><c><v>${at}</v></c></row>`).join('')}<row><c></row>`;
    const rows: Row[] = [];
    const read = async () => {
      const source = await openBook(toFile(zip(parts(data))), {});
      for await (const batch of source.batches()) rows.push(...batch);
    };
    expect(await faultOf(read())).toMatchObject({
      code: 'malformed_xml',
      place: { sheet: 'Sheet1', row: 1_501 },
    });
    expect(rows).toHaveLength(1_500);
  });
});

describe('references that cannot be', () => {
  it('too many cells', async () => {
    const data = `<row>${'<c><v>1</v></c>'.repeat(16_385)}</row>`;
    // Once with more after it, once at the end of the part: two ways through the reader.
    for (const behind of ['', ' '.repeat(500)])
      expect(await codeOf(readParts(parts(data + behind)))).toBe('bad_reference');
  });

  it('the last possible cell is read', async () => {
    const rows = await readParts(parts('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'));
    expect(rows[0]?.cells).toHaveLength(16_384);
    expect(rows[0]?.row).toBe(1_048_576);
  });
});

/** A row of cells that all refer to the shared string of this number. */
const repeated = (string: number, count: number) =>
  `<row>${`<c t="s"><v>${string}</v></c>`.repeat(count)}</row>`;

describe('rows that hold more than they should', () => {
  const mega = strings(`<t>${'x'.repeat(MiB)}</t>`, `<t>${'я'.repeat(MiB / 2)}</t>`);
  const other = { 'xl/sharedStrings.xml': mega };

  it.each([0, 1])('up to 4 MiB of text, in UTF-8: string %i', async (string) => {
    const [row] = await readParts(parts(repeated(string, 4), other));
    expect(row?.cells).toHaveLength(4);
    const data = `<row/>${repeated(string, 4).replace('</row>', '<c><v>1</v></c></row>')}`;
    expect(await faultOf(readParts(parts(data, other)))).toMatchObject({
      code: 'row_too_long',
      place: { sheet: 'Sheet1', row: 2 },
    });
  });

  it('a cell far to the right in row after row', { tags: 'depth' }, async () => {
    const far = (rows: number) =>
      Array.from({ length: rows }, (_, at) => `<row><c r="XFD${at + 1}"><v>1</v></c></row>`);
    const file = toFile(zip(parts(far(6_000).join(''))));
    const source = await openBook(file, {});
    const sizes: number[] = [];
    const read = async () => {
      for await (const batch of source.batches()) sizes.push(batch.length);
    };
    expect(await codeOf(read())).toBe('zip_bomb');
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(4_000);
    expect(Math.max(...sizes)).toBeLessThan(64);
  });

  it('cells to the right in more rows than the file has bytes for', { tags: 'depth' }, async () => {
    const noise = randomBytes(400_000).toString('hex');
    const far = Array.from(
      { length: 60_000 },
      (_, at) => `<row><c r="BZZ${at + 1}"><v>1</v></c></row>`,
    );
    expect(await faultOf(readParts(parts(`<!--${noise}-->${far.join('')}`)))).toMatchObject({
      code: 'zip_bomb',
      place: { sheet: 'Sheet1' },
    });
  });

  it('more rows than it has bytes, unless they are few', async () => {
    const row = '<row><c><v>1</v></c></row>';
    expect(await faultOf(readParts(parts(row.repeat(262_145))))).toMatchObject({
      code: 'zip_bomb',
      place: { sheet: 'Sheet1', row: 262_145 },
    });
    const numbered = Array.from(
      { length: 270_000 },
      (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>1</v></c></row>`,
    );
    expect(await readParts(parts(numbered.join('')))).toHaveLength(270_000);
  });

  it.each([
    ['tags', '<a/>'.repeat(8_400_000)],
    ['comments', '<!---->'.repeat(8_400_000)],
    ['attributes', `<row>${'<c a="" b="" d="" e="" f="" g=""/>'.repeat(15_000)}</row>`.repeat(81)],
    ['entities', `<row><c t="str"><v>${'&#65;'.repeat(100_000)}</v></c></row>`.repeat(90)],
  ])('far more %s than the file has bytes for', { tags: 'depth' }, async (_what, data) => {
    expect(await codeOf(readParts(parts(data)))).toBe('zip_bomb');
  });

  it('the sheets of a workbook together', async () => {
    const tabs = Array.from(
      { length: 22 },
      (_, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="rId1"/>`,
    );
    const book = { ...other, 'xl/workbook.xml': workbook(tabs.join('')) };
    const reading = readParts(parts(repeated(0, 3), book), { allSheets: true });
    expect(await faultOf(reading)).toMatchObject({ code: 'zip_bomb', place: { sheet: 'S21' } });
  });

  it('a long text filled down is none of that', async () => {
    const long = { 'xl/sharedStrings.xml': strings(`<t>${'x'.repeat(1_500)}</t>`) };
    const rows = Array.from(
      { length: 45_000 },
      (_, at) => `<row><c><v>${at * 7919}</v></c><c t="s"><v>0</v></c></row>`,
    );
    expect(await readParts(parts(rows.join(''), long))).toHaveLength(45_000);
  });
});
