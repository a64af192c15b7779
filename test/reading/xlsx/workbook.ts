import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row, Source, SourceOptions } from '../../../src/core/table.js';
import { openXlsx } from '../../../src/source/xlsx/open.js';
import { zip, type ZipPart } from '../../kit/zip.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

// Test files share this module, and none of them knows whether it is the last: test/kit/setup removes the folder. Elsewhere
// the process ends by itself.
const folder = mkdtempSync(join(tmpdir(), 'cardline-test-'));
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
let files = 0;

/** Writes bytes to a file that is removed after the tests. */
export function toFile(bytes: Buffer | string, name = 'book.xlsx'): string {
  const file = join(folder, `${files++}-${name}`);
  writeFileSync(file, bytes);
  return file;
}

/** Parts of a workbook with one sheet `Sheet1`, each replaceable by name; `null` leaves a part out. */
export function parts(
  sheetData: string,
  other: Readonly<Record<string, string | Buffer | null>> = {},
): ZipPart[] {
  const all: Record<string, string | Buffer | null> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbook('<sheet name="Sheet1" sheetId="1" r:id="rId1"/>'),
    'xl/_rels/workbook.xml.rels': relationships([
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'sharedStrings', 'sharedStrings.xml'],
      ...(other['xl/styles.xml'] ? [['rId3', 'styles', 'styles.xml'] as const] : []),
    ]),
    'xl/worksheets/sheet1.xml': worksheet(sheetData),
    ...other,
  };
  return Object.entries(all).flatMap(([name, data]) => (data === null ? [] : [{ name, data }]));
}

export function relationships(all: readonly (readonly [string, string, string])[]): string {
  const items = all.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}">${items.join('')}</Relationships>`;
}

export function workbook(sheets: string, before = ''): string {
  return `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${before}<sheets>${sheets}</sheets></workbook>`;
}

export function worksheet(sheetData: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}"><sheetData>${sheetData}</sheetData></worksheet>`;
}

/** Shared strings from the insides of their `si`. */
export function strings(...items: readonly string[]): string {
  const all = items.map((item) => `<si>${item}</si>`).join('');
  return `<?xml version="1.0"?><sst xmlns="${MAIN}">${all}</sst>`;
}

/** Styles with one cell style for each format code, from index 1 on. */
export function styles(...codes: readonly string[]): string {
  const formats = codes.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`);
  const cells = codes.map((_, at) => `<xf numFmtId="${200 + at}"/>`);
  return `<styleSheet xmlns="${MAIN}"><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${cells.join('')}</cellXfs><numFmts>${formats.join('')}</numFmts></styleSheet>`;
}

/** Opens a file with the reader of workbooks, whatever it is. */
export function openBook(file: string, options: SourceOptions = {}): Promise<Source> {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return openXlsx({ file, bytes, gzip: false, format: 'xlsx', formatName: 'workbook' }, options);
}

/** Every row of a file. */
export async function readFile(file: string, options: SourceOptions = {}): Promise<Row[]> {
  const source = await openBook(file, options);
  const rows: Row[] = [];
  for await (const batch of source.batches()) rows.push(...batch);
  return rows;
}

/** Every row of a workbook made of these parts. */
export function readParts(all: readonly ZipPart[], options: SourceOptions = {}): Promise<Row[]> {
  return readFile(toFile(zip(all)), options);
}

/** The cells of the rows of a sheet. */
export async function cellsOf(
  sheetData: string,
  other: Readonly<Record<string, string | Buffer | null>> = {},
): Promise<Row['cells'][]> {
  return (await readParts(parts(sheetData, other))).map(({ cells }) => cells);
}
