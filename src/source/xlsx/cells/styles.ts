import type { InputPlace } from '../../../core/errors.js';
import { atEachTag, readAll, type Reader } from '../xml/document.js';
import type { Archive } from '../zip/archive.js';
import { fail } from '../errors.js';
import { builtinFormat, cellFormat, type CellFormat } from './format.js';
import { LIMITS } from '../limits.js';
import { XmlScanner } from '../xml/scanner.js';
import { decodeEscapes } from '../xml/text.js';

/** What the number format of each cell style shows, by the index that cells refer to. */
export async function readStyles(
  archive: Archive,
  name: string,
  place: InputPlace,
): Promise<readonly CellFormat[]> {
  const reader = new StylesReader(place);
  await readAll({ archive, name, kind: 'structure', place }, reader);
  return reader.kinds();
}

class StylesReader implements Reader {
  readonly scanner = new XmlScanner();
  private readonly custom = new Map<number, CellFormat>();
  private readonly cellFormats: number[] = [];
  constructor(private readonly place: InputPlace) {}

  /** Formats may be declared after the styles that use them, so the two are joined last. */
  kinds(): readonly CellFormat[] {
    return this.cellFormats.map((id) => this.custom.get(id) ?? builtinFormat(id));
  }

  run(): void {
    atEachTag(this.scanner, () => this.opened());
  }

  private opened(): void {
    const { scanner } = this;
    if (scanner.local !== 'xf' && scanner.local !== 'numFmt') return;
    const parent = scanner.ancestor(scanner.depth - 1);
    if (this.custom.size + this.cellFormats.length > LIMITS.entries)
      fail('too_large', 'the workbook has too many styles.', this.place);
    if (scanner.local === 'xf' && parent === 'cellXfs')
      this.cellFormats.push(Number(scanner.attributes().get('numFmtId') ?? 0));
    if (scanner.local === 'numFmt' && parent === 'numFmts') this.addFormat(scanner.attributes());
  }

  private addFormat(attributes: Map<string, string>): void {
    const code = decodeEscapes(attributes.get('formatCode') ?? '');
    this.custom.set(Number(attributes.get('numFmtId')), cellFormat(code));
  }
}
