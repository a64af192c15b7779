import { cellFormat, type CellFormat, type FormatKind } from '../xlsx/cells/format.js';
import type { Formats } from './cell.js';

/** A style of numbers while it is read: its parts as the code of a format, and others that count under conditions. */
interface NumberStyle {
  code: string;
  readonly maps: { readonly condition: string; readonly style: string }[];
}

/** A style of cells: the style of its data, or the style that it inherits from. */
interface CellStyle {
  readonly data: string;
  readonly parent: string;
}

/** Styles that inherit from each other at most. */
const MAX_PARENTS = 10;
const CONDITION = /^value\(\)\s*(<=|>=|!=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$/;

/** Gathers the formats of numbers, dates and times from the styles that a document begins with. */
export class FormatsReader {
  private readonly dataStyles = new Map<string, FormatKind>();
  private readonly numberStyles = new Map<string, NumberStyle>();
  private readonly cellStyles = new Map<string, CellStyle>();
  private date1904 = false;
  private latest = '';
  /** The style of numbers that is being read. */
  private numbers: NumberStyle | null = null;
  /** Texts within the digits of its number, by how many digits stand behind them. */
  private position: number | null = null;
  private within: { digits: number; rest: string; texts: Map<number, string> } | null = null;
  /** Whether the text that comes next belongs to the format. */
  wantsText = false;

  /** Takes an element that was opened. */
  take(local: string, attributes: () => ReadonlyMap<string, string>): void {
    this.wantsText = false;
    if (local === 'date-style') this.add(attributes(), 'date');
    else if (local === 'time-style') {
      const found = attributes();
      this.add(found, found.get('truncate-on-overflow') === 'false' ? 'elapsed' : 'time');
    } else if (local === 'hours') {
      if (this.dataStyles.get(this.latest) === 'date') this.dataStyles.set(this.latest, 'datetime');
    } else if (local === 'number-style') this.begin(attributes());
    else if (local === 'style') {
      this.end();
      const found = attributes();
      this.cellStyles.set(found.get('name') ?? '', {
        data: found.get('data-style-name') ?? '',
        parent: found.get('parent-style-name') ?? '',
      });
    } else if (local === 'null-date')
      this.date1904 = attributes().get('date-value')?.startsWith('1904') === true;
    else if (local.endsWith('-style')) this.end();
    else if (this.numbers) this.takePart(local, attributes, this.numbers);
  }

  /** Takes the text that stands in the format. */
  takeText(text: string): void {
    const { numbers, within, position } = this;
    // Signs one by one, so that none has the meaning that it has in the code of a format.
    const code = Array.from(text, (sign) => `\\${sign}`).join('');
    if (within && position !== null)
      within.texts.set(position, (within.texts.get(position) ?? '') + code);
    else if (numbers) numbers.code += code;
  }

  formats(): Formats {
    this.end();
    const kinds = new Map<string, CellFormat>();
    for (const name of this.cellStyles.keys()) {
      const style = this.dataStyleOf(name);
      const kind = this.dataStyles.get(style) ?? this.numberFormat(style);
      if (kind !== undefined) kinds.set(name, kind);
    }
    return { kinds, date1904: this.date1904 };
  }

  private takePart(
    local: string,
    attributes: () => ReadonlyMap<string, string>,
    numbers: NumberStyle,
  ): void {
    if (local === 'embedded-text') {
      this.position = Number(attributes().get('position') ?? 0);
      this.wantsText = true;
      return;
    }
    this.endNumber();
    if (local === 'text') this.wantsText = true;
    else if (local === 'number') {
      const found = attributes();
      const decimals = Math.min(Number(found.get('decimal-places') ?? 0) || 0, MAX_DIGITS);
      const digits = Math.min(Number(found.get('min-integer-digits') ?? 1) || 0, MAX_DIGITS);
      const grouping = found.get('grouping') === 'true' ? ',' : '';
      const rest = grouping + (decimals > 0 ? `.${'0'.repeat(decimals)}` : '');
      this.within = { digits, rest, texts: new Map() };
    } else if (local === 'scientific-number' || local === 'fraction') numbers.code += '0E+0';
    else if (local === 'map') {
      const found = attributes();
      const condition = found.get('condition') ?? '';
      numbers.maps.push({ condition, style: found.get('apply-style-name') ?? '' });
    }
  }

  private begin(attributes: ReadonlyMap<string, string>): void {
    this.end();
    this.numbers = { code: '', maps: [] };
    this.numberStyles.set(attributes.get('name') ?? '', this.numbers);
  }

  private end(): void {
    this.endNumber();
    this.numbers = null;
  }

  /** Writes the places of the digits, with the texts among them, into the code. */
  private endNumber(): void {
    const { within, numbers } = this;
    this.within = null;
    this.position = null;
    if (!within || !numbers) return;
    const places = Math.max(within.digits, 1, ...[...within.texts.keys()].map((at) => at + 1));
    for (let left = Math.min(places, MAX_DIGITS); left > 0; left--)
      numbers.code += (within.texts.get(left) ?? '') + (left > within.digits ? '#' : '0');
    numbers.code += within.rest;
  }

  private dataStyleOf(name: string): string {
    let style = this.cellStyles.get(name);
    for (let level = 0; level < MAX_PARENTS && style?.data === ''; level++)
      style = this.cellStyles.get(style.parent);
    return style?.data ?? '';
  }

  private numberFormat(name: string): CellFormat | undefined {
    const style = this.numberStyles.get(name);
    if (!style) return undefined;
    const sections = style.maps.flatMap(({ condition, style: other }) => {
      const [, operator, bound] = CONDITION.exec(condition) ?? [];
      const code = this.numberStyles.get(other)?.code;
      if (operator === undefined || bound === undefined || code === undefined) return [];
      return [`[${operator === '!=' ? '<>' : operator}${bound}]${code}`];
    });
    return cellFormat([...sections, style.code].join(';'));
  }

  private add(attributes: ReadonlyMap<string, string>, kind: FormatKind): void {
    this.end();
    this.latest = attributes.get('name') ?? '';
    this.dataStyles.set(this.latest, kind);
  }
}

/** More places of digits than any number has. */
const MAX_DIGITS = 40;
