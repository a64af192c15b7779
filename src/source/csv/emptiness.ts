import type { Cell } from '../../core/table.js';

/** Empty cells that a file may have, and beyond that how many for each cell that holds something. */
const CELLS = { free: 2 ** 24, ratio: 1000 } as const;
/**
 * Rows of nothing but delimiters, likewise for each row that holds something. A sheet that was formatted to its last
 * row is saved with a million of them.
 */
const ROWS = { free: 2 ** 18, ratio: 5000 } as const;
/** What a line without even a delimiter counts, as a row: it goes no further than the reader. */
const BLANK_LINE = 1 / 8;
/** Characters for each cell from which on a row surely holds more than delimiters and quotes. */
const DENSE = 4;

/**
 * Recognises a file of next to nothing but delimiters and line ends. An empty cell is one byte of the file and takes a
 * hundred times as long to account for as to read: a few hundred megabytes of commas would keep a computer busy for
 * minutes.
 */
export class Emptiness {
  #emptyCells = 0;
  #filledCells = 0;
  #emptyRows = 0;
  #filledRows = 0;

  /**
   * Counts a row; false when the file is too empty now.
   * @param cells a single empty one is a blank line
   * @param characters length of the row in the file, or of its cells
   */
  add(cells: readonly Cell[], characters: number): boolean {
    const filled = characters > DENSE * cells.length ? cells.length : filledOf(cells);
    if (filled > 0) this.#filledRows++;
    else this.#emptyRows += cells.length > 1 ? 1 : BLANK_LINE;
    this.#filledCells += filled;
    this.#emptyCells += cells.length - filled;
    return (
      isAllowed(CELLS, this.#emptyCells, this.#filledCells) &&
      isAllowed(ROWS, this.#emptyRows, this.#filledRows)
    );
  }
}

/** The product comes last: it soon leaves the range of small whole numbers, for which the code was compiled. */
function isAllowed(limit: typeof CELLS | typeof ROWS, empty: number, filled: number): boolean {
  return empty <= limit.free || empty <= limit.ratio * filled;
}

function filledOf(cells: readonly Cell[]): number {
  let filled = 0;
  for (const cell of cells) if (cell !== null) filled++;
  return filled;
}
