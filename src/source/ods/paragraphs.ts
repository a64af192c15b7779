import { LIMITS } from '../xlsx/limits.js';
import type { XmlScanner } from '../xlsx/xml/scanner.js';

/** White space in a paragraph is one blank, however long; more blanks have an element of their own. */
const WHITE_SPACE = /[\t\n\r ]+/g;

/** Collects the text of the paragraphs of a cell; notes and drawings in it do not count. */
export class Paragraphs {
  private text = '';
  private count = 0;

  constructor(
    private readonly scanner: XmlScanner,
    private readonly failLong: () => never,
  ) {}

  begin(): void {
    this.text = '';
    this.count = 0;
  }

  /** An element was opened in the cell that is at this depth. */
  onOpen(cellDepth: number): void {
    const { scanner } = this;
    if (scanner.depth === cellDepth + 1) {
      if (scanner.local === 'p' && this.count++ > 0) this.add('\n');
      return;
    }
    if (scanner.ancestor(cellDepth + 1) !== 'p') return;
    if (scanner.local === 'tab') this.add('\t');
    else if (scanner.local === 'line-break') this.add('\n');
    else if (scanner.local === 's') this.add(blanks(scanner.attributes().get('c')));
  }

  onText(cellDepth: number): void {
    const { scanner } = this;
    if (scanner.ancestor(cellDepth + 1) === 'p')
      this.add(scanner.text().replaceAll(WHITE_SPACE, ' '));
  }

  end(): string {
    return this.text;
  }

  private add(text: string): void {
    if (this.text.length + text.length > LIMITS.cellBytes) this.failLong();
    this.text += text;
  }
}

function blanks(count = '1'): string {
  return ' '.repeat(Math.min(Number.parseInt(count, 10) || 1, LIMITS.cellBytes));
}
