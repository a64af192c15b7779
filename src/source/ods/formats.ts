import type { FormatKind } from '../xlsx/cells/format.js';
import type { Formats } from './cell.js';

/** Gathers the formats of dates and times from the styles that a document begins with. */
export class FormatsReader {
  private readonly dataStyles = new Map<string, FormatKind>();
  /** Data styles by the cell styles that name them. */
  private readonly cellStyles = new Map<string, string>();
  private date1904 = false;
  private latest = '';

  /** Takes an element that was opened. */
  take(local: string, attributes: () => ReadonlyMap<string, string>): void {
    if (local === 'date-style') this.add(attributes(), 'date');
    else if (local === 'time-style') {
      const found = attributes();
      this.add(found, found.get('truncate-on-overflow') === 'false' ? 'elapsed' : 'time');
    } else if (local === 'hours') {
      if (this.dataStyles.get(this.latest) === 'date') this.dataStyles.set(this.latest, 'datetime');
    } else if (local === 'style') {
      const found = attributes();
      this.cellStyles.set(found.get('name') ?? '', found.get('data-style-name') ?? '');
    } else if (local === 'null-date')
      this.date1904 = attributes().get('date-value')?.startsWith('1904') === true;
  }

  formats(): Formats {
    const kinds = new Map<string, FormatKind>();
    for (const [name, style] of this.cellStyles) {
      const kind = this.dataStyles.get(style);
      if (kind !== undefined) kinds.set(name, kind);
    }
    return { kinds, date1904: this.date1904 };
  }

  private add(attributes: ReadonlyMap<string, string>, kind: FormatKind): void {
    this.latest = attributes.get('name') ?? '';
    this.dataStyles.set(this.latest, kind);
  }
}
