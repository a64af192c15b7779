import type { Cell, Row } from '../../core/table/row.js';
import { Batch } from '../batch.js';
import { Emptiness } from './emptiness.js';
import { tooManyEmptyCells } from './errors.js';

/** The rows of a CSV text on their way out: numbers its records and gathers those that hold something. */
export class RowCollector {
  readonly #batch = new Batch();
  readonly #emptiness = new Emptiness();
  /** Number of the next record, blank lines counted. */
  #row: number;
  #line = 1;

  /**
   * @param file path, for errors
   * @param first number of the first record; number 0 is no row
   */
  constructor(
    readonly file: string,
    first = 1,
  ) {
    this.#row = first;
  }

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
    if (this.#row > 0 && (cells.length > 1 || cells[0] !== null))
      this.#batch.add({ sheet: null, row: this.#row, cells }, characters);
    this.#row++;
    this.#line += lines;
  }
}
