import type { Cell, Row, RowDefect } from '../../core/table/row.js';
import { ERROR_VALUE, errorInCell } from '../../core/table/row.js';
import { isErrorWord } from '../../core/text/error-words.js';

/** Finds the errors of formulas in the cells that a mapping uses, whether the file says so or they are texts. */
export type FindErrors = (row: Pick<Row, 'cells' | 'defects'>) => readonly RowDefect[] | undefined;

/**
 * What a row lacks in its file, with the errors of formulas that stand in it as texts: in a CSV file, and where a sheet
 * was pasted as values. A word that the mapping itself names, as one that means nothing or in a map, is none.
 * @param mapping as it is written
 * @param positions of the columns that it uses
 */
export function errorsInCells(mapping: unknown, positions: readonly number[]): FindErrors {
  const named = new Set<string>();
  collectErrorWords(mapping, named);
  const isNamed = (cell: Cell | undefined): boolean =>
    named.size > 0 && typeof cell === 'string' && named.has(wordOf(cell));
  return ({ cells, defects }) => {
    let found: RowDefect[] | undefined;
    for (const at of positions) {
      const cell = cells[at];
      if (cell && isErrorWord(cell) && !isNamed(cell)) (found ??= []).push(errorInCell(at));
    }
    if (!defects) return found;
    // Those that the file tells of are found here once more, where their words are known.
    const others = defects.filter(
      ({ code, column }) =>
        code !== ERROR_VALUE ||
        column === null ||
        !(isNamed(cells[column]) || found?.some((one) => one.column === column)),
    );
    return others.length > 0 || found ? [...others, ...(found ?? [])] : undefined;
  };
}

const wordOf = (text: string): string => text.trim().toUpperCase();

function collectErrorWords(value: unknown, words: Set<string>): void {
  if (typeof value === 'string') {
    if (isErrorWord(value)) words.add(wordOf(value));
  } else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      collectErrorWords(key, words);
      collectErrorWords(inner, words);
    }
}
