import type { Row } from '../core/table/row.js';
import { BATCH_CHARACTERS, BATCH_ROWS, CELL_CHARACTERS } from './limits.js';

/** Gathers rows that are handed on together: few enough that their memory is bounded, whatever they hold. */
export class Batch {
  #rows: Row[] = [];
  #weight = 0;

  /** @param characters length of its cells, or of the text that they were cut from */
  add(row: Row, characters: number): void {
    this.#rows.push(row);
    this.#weight += characters + CELL_CHARACTERS * row.cells.length;
  }

  /** Whether no row should be added before these are taken. */
  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS || this.#weight >= BATCH_CHARACTERS;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  take(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#weight = 0;
    return rows;
  }
}
