import { xmlText } from './xlsx-text.js';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Default width of a column. */
const WIDTH = 9.140625;
/** Number of the text format, `@`: a corrected phone number stays as it is typed. */
const TEXT_FORMAT = 49;

/** Number of the style of texts. */
export const TEXT_STYLE = 1;

/** Name of the part of a sheet, from 1. */
export const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** A sheet up to its first row; its columns hold texts. `frozen`: whether its first row stays visible. */
export const sheetStart = (columns: number, width = WIDTH, frozen = false): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}">${frozen ? FROZEN : ''}<cols><col min="1" max="${columns}" width="${width}" style="${TEXT_STYLE}"/></cols><sheetData>`;

const FROZEN =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** A sheet after its last row. `filtered`: the cells that can be filtered, such as `A1:F20`. */
export const sheetEnd = (filtered?: string): string =>
  `</sheetData>${filtered === undefined ? '' : `<autoFilter ref="${filtered}"/>`}</worksheet>`;

/** A sheet of a workbook: its name, and the number of its part. */
export interface SheetEntry {
  readonly name: string;
  readonly part: number;
}

/** The parts of a workbook other than its sheets, by name. The sheets are in the order in which they are shown. */
export function bookParts(sheets: readonly SheetEntry[]): readonly (readonly [string, string])[] {
  return [
    ['xl/styles.xml', STYLES],
    ['xl/workbook.xml', book(sheets)],
    ['xl/_rels/workbook.xml.rels', bookRelationships(sheets.length)],
    ['_rels/.rels', relationships([['rId1', 'officeDocument', 'xl/workbook.xml']])],
    ['[Content_Types].xml', contentTypes(sheets.length)],
  ];
}

const STYLES =
  `${DECLARATION}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  `<xf numFmtId="${TEXT_FORMAT}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

function book(entries: readonly SheetEntry[]): string {
  const sheets = entries.map(
    ({ name, part }) =>
      `<sheet name="${xmlText(name).replaceAll('"', '&quot;')}" sheetId="${part}" r:id="rId${part}"/>`,
  );
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`;
}

function bookRelationships(sheets: number): string {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  return relationships([
    ...numbers.map(
      (number) => [`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`] as const,
    ),
    [`rId${sheets + 1}`, 'styles', 'styles.xml'],
  ]);
}

function relationships(
  all: readonly (readonly [id: string, type: string, target: string])[],
): string {
  const items = all.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

function contentTypes(sheets: number): string {
  const types = [
    ['xl/workbook.xml', `${TYPE}.sheet.main+xml`],
    ['xl/styles.xml', `${TYPE}.styles+xml`],
    ...Array.from({ length: sheets }, (_, index) => [
      sheetPart(index + 1),
      `${TYPE}.worksheet+xml`,
    ]),
  ];
  const items = types.map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`,
  );
  return (
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${items.join('')}</Types>`
  );
}
