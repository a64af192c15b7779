import { parts, strings } from '../../reading/xlsx/workbook.js';
import { zip, type ZipPart } from '../../kit/zip.js';
import { LEADS, leadCells } from './leads.js';

/** Parts of a workbook by their names; `null` leaves one out. */
export type Parts = Readonly<Record<string, string | Buffer | null>>;

export const SHEET = 'xl/worksheets/sheet1.xml';
export const STRINGS = 'xl/sharedStrings.xml';
export const STYLES = 'xl/styles.xml';
export const BOOK = 'xl/workbook.xml';
export const BOOK_RELATIONSHIPS = 'xl/_rels/workbook.xml.rels';
export const RELATIONSHIPS = '_rels/.rels';
export const TYPES = '[Content_Types].xml';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const inline = (text: string): string =>
  `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;

/** A row of texts, as inline strings. */
export const textRow = (cells: readonly string[]): string =>
  `<row>${cells.map((cell) => (cell === '' ? '<c/>' : inline(cell))).join('')}</row>`;

/** The header of the leads. */
export const HEADER_ROW = textRow(LEADS);

/** So many rows of leads, the header before them. */
export const leadRows = (count: number): string =>
  HEADER_ROW + Array.from({ length: count }, (_, at) => textRow(leadCells(at + 1))).join('');

/** Bytes of a workbook with these rows. */
export const book = (sheetData: string, other: Parts = {}): Buffer => zip(parts(sheetData, other));

/** Parts of a workbook as programs write it: with shared strings, references and styles. */
export function usualParts(rows: number): ZipPart[] {
  const texts: string[] = [...LEADS];
  const cell = (text: string, column: number, row: number): string => {
    if (text === '') return '';
    const at = `r="${String.fromCharCode(65 + column)}${row}"`;
    if (/^\d{1,9}$/.test(text)) return `<c ${at}><v>${text}</v></c>`;
    return `<c ${at} t="s"><v>${texts.push(`<t>${escaped(text)}</t>`) - 1}</v></c>`;
  };
  const header = LEADS.map(
    (_, column) => `<c r="${String.fromCharCode(65 + column)}1" t="s"><v>${column}</v></c>`,
  );
  const data = Array.from({ length: rows }, (_, at) => {
    const cells = leadCells(at + 1).map((text, column) => cell(text, column, at + 2));
    return `<row r="${at + 2}">${cells.join('')}</row>`;
  });
  const all = texts.map((text) => (text.startsWith('<t>') ? text : `<t>${text}</t>`));
  return parts(`<row r="1">${header.join('')}</row>${data.join('')}`, {
    [STRINGS]: strings(...all),
  });
}
