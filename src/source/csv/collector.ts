import type { Cell, Row } from '../../core/row.js';
import { Batch } from '../batch.js';
import { Emptiness } from './emptiness.js';
import { tooManyEmptyCells } from './errors.js';

/** The rows of a CSV text on their way out: numbers its records and gathers those that hold something. */
export class RowCollector {
  readonly #batch = new Batch();
  readonly #emptiness = new Emptiness();
  /** Number of the next record, from 1, blank lines counted. */
  #row = 1;
  #line = 1;

  /** @param file path, for errors */
  constructor(readonly file: string) {}

  /** Physical line on which the next record begins, from 1. */
  get line(): number {
    return this.#line;
  }

  get isFull(): boolean {
    return this.#batch.isFull;
  }

  get isEmpty(): boolean {
    return this.#batch.isEmpty;
  }

  take(): Row[] {
    return this.#batch.take();
  }

  /**
   * Adds the next record.
   * @param characters its length in the file
   * @param lines how many physical lines it takes
   * @throws InputError when the file is next to empty up to here
   */
  add(cells: readonly Cell[], characters: number, lines: number): void {
    if (!this.#emptiness.add(cells, characters)) throw tooManyEmptyCells(this.file, this.#line);
    // A record of one empty cell is a blank line.
    if (cells.length > 1 || cells[0] !== null)
      this.#batch.add({ sheet: null, row: this.#row, cells }, characters);
    this.#row++;
    this.#line += lines;
  }
}
