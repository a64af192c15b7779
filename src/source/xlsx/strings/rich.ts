import { LIMITS } from '../limits.js';
import type { XmlScanner } from '../xml/scanner.js';
import { decodeEscapes } from '../xml/text.js';

/**
 * Collects the text of a string item: of its `t` and of the `t` of its runs `r`, one after the other. How it is to be
 * pronounced (`rPh`) is left out.
 */
export class RichText {
  private depth = 0;
  private text = '';
  private bytes = 0;
  constructor(
    private readonly scanner: XmlScanner,
    private readonly failLong: () => never,
  ) {}

  /** The item is the element at this depth. */
  begin(depth: number): void {
    this.depth = depth;
    this.text = '';
    this.bytes = 0;
  }

  /** Takes the text that the scanner has just come to, if it belongs to the item. */
  onText(): void {
    const { scanner, depth } = this;
    if (depth === 0 || scanner.ancestor(scanner.depth) !== 't') return;
    const direct = scanner.depth === depth + 1;
    const inRun = scanner.depth === depth + 2 && scanner.ancestor(depth + 1) === 'r';
    if (!direct && !inRun) return;
    this.bytes += scanner.textBytes();
    if (this.bytes > LIMITS.cellBytes) this.failLong();
    this.text += scanner.text();
  }

  /** The whole text. */
  end(): string {
    this.depth = 0;
    return decodeEscapes(this.text);
  }
}
