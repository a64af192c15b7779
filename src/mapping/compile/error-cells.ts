import { ERROR_VALUE, type Row, type RowDefect } from '../../core/table.js';
import { isErrorWord } from '../../core/error-words.js';

/** What a row lacks in its file that the mapping cannot do without; `undefined` where that is nothing. */
export type FindErrors = (row: Pick<Row, 'cells' | 'defects'>) => readonly RowDefect[] | undefined;

/**
 * What rows lack in their file. The word of an error that the mapping itself names, as one that means nothing or in a map,
 * is none.
 * @param mapping as it is written
 */
export function errorsInCells(mapping: unknown): FindErrors {
  const named = new Set<string>();
  collectErrorWords(mapping, named);
  return ({ cells, defects }) => {
    if (defects === undefined || named.size === 0) return defects;
    const others = defects.filter(
      ({ code, column }) =>
        code !== ERROR_VALUE || column === null || !named.has(wordOf(cells[column] ?? '')),
    );
    return others.length > 0 ? others : undefined;
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
