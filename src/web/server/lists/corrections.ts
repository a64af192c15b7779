import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import { appendCorrection, loadCorrections } from '../../../run/corrections.js';
import { codeOf } from '../../../core/errors.js';
import type { Correction } from '../../../core/table.js';
import type { StoredList } from './lists.js';

/** A cell of a list, by the header of its column. */
export type CellPlace = Pick<Correction, 'sheet' | 'row' | 'column'>;

/**
 * Path of the cells that were corrected, as checks and imports take it in `corrections`; `undefined` while there are
 * none. The file itself is never touched.
 */
export async function correctionsPath(
  list: Pick<StoredList, 'corrections'>,
): Promise<string | undefined> {
  const { corrections: path } = list;
  try {
    await access(path);
    return path;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The cells that are corrected, in the order of the rows. Personal data. @throws ConfigurationError */
export async function readCorrections(list: StoredList): Promise<Correction[]> {
  const path = await correctionsPath(list);
  const found = await loadCorrections(path, [{ path: list.file, name: list.file }]);
  return [...(found?.cells ?? [])].sort((a, b) => a.row - b.row);
}

/** Puts a correction on record. One that gives the cell what the file holds takes an earlier one back. */
export function correct(
  list: StoredList,
  cell: CellPlace & Pick<Correction, 'was' | 'becomes'>,
): void {
  const { sheet, row, column, was, becomes } = cell;
  appendCorrection({
    corrections: list.corrections,
    correction: { file: basename(list.file), sheet, row, column, was, becomes },
  });
}
