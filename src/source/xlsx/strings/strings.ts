import type { InputPlace } from '../../../core/errors.js';
import { feed, type Document, type Reader } from '../xml/document.js';
import { fail, SAVE_AGAIN } from '../errors.js';
import { LIMITS } from '../limits.js';
import { RichText } from './rich.js';
import { TOKEN, XmlScanner } from '../xml/scanner.js';
import type { StringTable } from '../table.js';

/** The shared strings on their way into a table. */
export interface LazyStrings {
  /**
   * Reads on until the string of that number is in the table, or all are.
   * @throws InputError when they are broken or too many.
   */
  until(number: number): Promise<void>;
  /** Reads no more. */
  close(): Promise<void>;
}

/**
 * Begins to read the shared strings into a table; the caller closes both. Programs write them in the order in which
 * cells first refer to them, so that the first rows need not wait for all.
 */
export function readStrings(document: Document, table: StringTable): LazyStrings {
  const pieces = feed(document, new StringsReader(table, document.place));
  return {
    until: async (number) => {
      while (number >= table.count && !table.isWhole)
        if ((await pieces.next()).done) table.isWhole = true;
    },
    close: async () => {
      await pieces.return(undefined);
    },
  };
}

/** Where there are none. */
export const NO_STRINGS: LazyStrings = {
  until: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const LESS = 0x3c;
const AMPERSAND = 0x26;
const CARRIAGE_RETURN = 0x0d;
const UNDERSCORE = 0x5f;
const PLAIN_OPEN = Buffer.from('<si><t>');
const SPACED_OPEN = Buffer.from('<si><t xml:space="preserve">');
const PLAIN_CLOSE = Buffer.from('</t></si>');
/** What a string counts among the marks of the part, as many as it has tags in that form. */
const MARKS = 4;

class StringsReader implements Reader {
  readonly scanner = new XmlScanner();
  private readonly rich: RichText;
  constructor(
    private readonly table: StringTable,
    private readonly place: InputPlace,
  ) {
    this.rich = new RichText(this.scanner, () => this.failLong());
  }

  run(): void {
    const { scanner } = this;
    while (true) {
      if (scanner.depth === 1 && this.plain()) continue;
      const token = scanner.next();
      if (token === TOKEN.more || token === TOKEN.end) return;
      if (token === TOKEN.text) this.rich.onText();
      else if (scanner.local === 'si') this.item(token === TOKEN.open);
    }
  }

  private item(opens: boolean): void {
    if (this.scanner.depth !== (opens ? 2 : 1)) return;
    if (opens) {
      this.scanner.marks += MARKS;
      this.rich.begin(2);
    } else {
      const bytes = Buffer.from(this.rich.end());
      this.add(bytes, 0, bytes.length);
    }
  }

  /** Takes a whole `<si><t>…</t></si>` at once: nine of ten strings look so. Anything else goes token by token. */
  private plain(): boolean {
    const { scanner } = this;
    const { buffer, position } = scanner;
    const from = position + this.openLength(buffer, position);
    if (from === position) return false;
    let to = from;
    const { length } = buffer;
    for (; to < length; to++) {
      const byte = buffer[to];
      if (byte === LESS) break;
      if (byte === AMPERSAND || byte === CARRIAGE_RETURN || byte === UNDERSCORE) return false;
    }
    if (!startsWith(buffer, to, PLAIN_CLOSE) || scanner.closing) return false;
    this.add(buffer, from, to);
    scanner.position = to + PLAIN_CLOSE.length;
    scanner.marks += MARKS;
    return true;
  }

  private openLength(buffer: Buffer, position: number): number {
    if (startsWith(buffer, position, PLAIN_OPEN)) return PLAIN_OPEN.length;
    return startsWith(buffer, position, SPACED_OPEN) ? SPACED_OPEN.length : 0;
  }

  private add(buffer: Buffer, from: number, to: number): void {
    if (to - from > LIMITS.cellBytes) this.failLong();
    if (this.table.count >= LIMITS.sharedStrings)
      fail('too_large', `the workbook has more than ${LIMITS.sharedStrings} texts.`, this.place);
    this.table.add(buffer, from, to);
  }

  private failLong(): never {
    fail(
      'cell_too_long',
      `the text of a cell is longer than ${LIMITS.cellBytes} bytes. ${SAVE_AGAIN}`,
      this.place,
    );
  }
}

function startsWith(buffer: Buffer, at: number, start: Buffer): boolean {
  const { length } = start;
  if (at + length > buffer.length) return false;
  for (let i = 0; i < length; i++) if (buffer[at + i] !== start[i]) return false;
  return true;
}
