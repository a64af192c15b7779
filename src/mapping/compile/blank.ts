import type { Scalar } from '../../config/scalar.js';
import { comparedWord, lowerCase } from '../../core/cell-text.js';
import type { Cell } from '../../core/table.js';

type Cells = readonly Cell[];

/** The row with some cells empty; the same row where none of them is to be. */
export type Clear = (cells: Cells) => Cells;

/**
 * Makes cells empty that hold one of these words, in any case of letters. `positions`: the cells that are looked at;
 * without it, all.
 */
export function clearBlanks(words: readonly Scalar[], positions?: readonly number[]): Clear {
  const blank = new Set(words.map((word) => lowerCase(comparedWord(word))));
  const longest = Math.max(...[...blank].map((word) => word.length));
  const isBlank = (cell: Cell | undefined): boolean => {
    if (cell === null || cell === undefined) return false;
    const text = cell.trim();
    return text.length <= longest && blank.has(lowerCase(text));
  };
  return (cells) => {
    let cleared: Cell[] | undefined;
    for (const at of positions ?? cells.keys())
      if (isBlank(cells[at])) (cleared ??= [...cells])[at] = null;
    return cleared ?? cells;
  };
}
