import type { InputPlace } from '../../core/errors.js';
import { readAll, type Reader } from '../xlsx/xml/document.js';
import { fail, SAVE_AGAIN } from '../xlsx/errors.js';
import { LIMITS } from '../xlsx/limits.js';
import type { Sheet } from '../xlsx/workbook.js';
import type { Formats } from './cell.js';
import { FormatsReader } from './formats.js';
import { TOKEN, XmlScanner } from '../xlsx/xml/scanner.js';
import type { Archive } from '../xlsx/zip/archive.js';

/** The part that holds all sheets. */
export const CONTENT = 'content.xml';
/** Formats of numbers that are not of this document alone stand here; LibreOffice puts all of them here. */
const STYLES = 'styles.xml';

/** What a document says of itself before and between its rows. */
export interface SpreadsheetDocument {
  readonly sheets: readonly Sheet[];
  readonly formats: Formats;
}

/** The sheets and formats of a spreadsheet. @throws InputError `not_a_workbook` when the document is none, such as a text */
export async function readSpreadsheet(archive: Archive): Promise<SpreadsheetDocument> {
  const { place } = archive;
  const formats = new FormatsReader();
  if (archive.names().has(STYLES))
    await readAll({ archive, name: STYLES, kind: 'structure', place }, new StylesReader(formats));
  const reader = new SheetsReader(formats, place);
  await readAll({ archive, name: CONTENT, kind: 'sheet', place }, reader);
  if (!reader.isSpreadsheet)
    fail(
      'not_a_workbook',
      `the file is an OpenDocument file, but no spreadsheet. ${SAVE_AGAIN}`,
      place,
    );
  return { sheets: reader.sheets(), formats: formats.formats() };
}

/** Calls `opened` at each tag that opens, and gives the texts within formats to their reader. */
function withFormats(scanner: XmlScanner, formats: FormatsReader, opened: () => void): void {
  for (let token = scanner.next(); token !== TOKEN.more; token = scanner.next()) {
    if (token === TOKEN.end) return;
    if (token === TOKEN.open) opened();
    else if (token === TOKEN.close) formats.wantsText = false;
    else if (formats.wantsText) formats.takeText(scanner.text());
  }
}

class StylesReader implements Reader {
  readonly scanner = new XmlScanner();
  constructor(private readonly formats: FormatsReader) {}

  run(): void {
    const { scanner, formats } = this;
    withFormats(scanner, formats, () => formats.take(scanner.local, () => scanner.attributes()));
  }
}

class SheetsReader implements Reader {
  readonly scanner = new XmlScanner();
  isSpreadsheet = false;
  private readonly tables: { name: string; style: string }[] = [];
  private readonly hiddenStyles = new Set<string>();
  private style = '';
  constructor(
    private readonly formats: FormatsReader,
    private readonly place: InputPlace,
  ) {}

  sheets(): Sheet[] {
    return this.tables.map(({ name, style }) => ({
      name,
      hidden: this.hiddenStyles.has(style),
      part: name,
    }));
  }

  run(): void {
    withFormats(this.scanner, this.formats, () => this.opened());
  }

  private opened(): void {
    const { scanner } = this;
    const { local } = scanner;
    this.formats.take(local, () => scanner.attributes());
    if (local === 'spreadsheet') this.isSpreadsheet = true;
    else if (local === 'style') this.style = scanner.attributes().get('name') ?? '';
    else if (local === 'table-properties') {
      if (scanner.attributes().get('display') === 'false') this.hiddenStyles.add(this.style);
    } else if (local === 'table' && scanner.ancestor(scanner.depth - 1) === 'spreadsheet')
      this.addTable(scanner.attributes());
  }

  private addTable(attributes: Map<string, string>): void {
    if (this.tables.length >= LIMITS.entries)
      fail('too_large', 'the workbook has too many sheets.', this.place);
    const name = attributes.get('name') ?? '';
    this.tables.push({ name, style: attributes.get('style-name') ?? '' });
  }
}
