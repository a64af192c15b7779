import {
  isSuspicious,
  seenText,
  unmarkedText,
  headerName,
  type Correction,
  type Corrections,
  type Cell,
  type Row,
} from '../../core/table.js';
import { ConfigurationError, type ConfigMistake, InputError } from '../../core/errors.js';
import { traitsOf } from '../../source/source.js';
import type { OpenedInput } from '../plan.js';

/** The corrections of one input, whose header is known. */
export interface InputCorrections {
  readonly file: string;
  readonly name: string;
  /** Whether a row keeps its empty cells at its end: then one that is missing there is missing in the file. */
  readonly isExact: boolean;
  readonly cells: readonly (Correction & { readonly at: number })[];
}

export function ofInput(
  corrections: Corrections | undefined,
  input: number,
): Corrections | undefined {
  const cells = corrections?.cells.filter((cell) => cell.input === input) ?? [];
  return corrections && cells.length > 0 ? { ...corrections, cells } : undefined;
}

/**
 * Finds the places of an input's corrections in its rows.
 * @throws ConfigurationError for each that names a column or a sheet that is not there
 */
export function placedCorrections(
  { file, cells: own }: Corrections,
  { name, info, headers }: Pick<OpenedInput, 'name' | 'info' | 'headers'>,
): InputCorrections {
  const places = new Map(headers.map((header, at) => [headerName(header), at]));
  const mistakes: ConfigMistake[] = [];
  const cells = own.flatMap((cell) => {
    const at = places.get(headerName(cell.column));
    const message =
      at === undefined
        ? `${name} has no column "${cell.column}".`
        : sheetMistake(cell.sheet, name, info.sheets);
    if (message !== undefined) mistakes.push({ file, line: cell.line, message });
    return at === undefined ? [] : [{ ...cell, at }];
  });
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { file, name, isExact: traitsOf(info.format).storesEmptyCells, cells };
}

function sheetMistake(sheet: string | null, name: string, sheets: readonly string[]) {
  if (sheet === null)
    return sheets.length > 1
      ? `${name} has several sheets; name the one that is meant with "sheet".`
      : undefined;
  return sheets.includes(sheet) ? undefined : `Sheet "${sheet}" of ${name} is not read.`;
}

/** Puts corrections in the place of cells, in the order of the rows, and keeps in mind which rows have not come yet. */
export class CellCorrections {
  readonly #rows = new Map<number, InputCorrections['cells']>();

  constructor(private readonly corrections: InputCorrections) {
    for (const cell of corrections.cells)
      this.#rows.set(cell.row, [...(this.#rows.get(cell.row) ?? []), cell]);
  }

  get isDone(): boolean {
    return this.#rows.size === 0;
  }

  /**
   * The row with its corrections, or the same one where it has none.
   * @throws InputError when a cell does not hold what was corrected
   */
  apply(row: Row): Row {
    const all = this.#rows.get(row.row);
    if (!all) return row;
    const own = all.filter(({ sheet }) => sheet === null || sheet === row.sheet);
    if (own.length === 0) return row;
    const others = all.filter((cell) => !own.includes(cell));
    if (others.length > 0) this.#rows.set(row.row, others);
    else this.#rows.delete(row.row);
    return this.#corrected(row, own);
  }

  /** @throws InputError when a row with corrections has not come by the end of its file */
  refuseLeft(): void {
    const [first] = [...this.#rows.values()].flat();
    if (first)
      throw this.#error(
        first,
        'correction_without_row',
        'the file has no such row of data. Remove this line.',
      );
  }

  #corrected(row: Row, own: InputCorrections['cells']): Row {
    const cells: Cell[] = [...row.cells];
    for (const cell of own) {
      const isThere = cell.at < cells.length;
      if (!holds(cells[cell.at], cell.was) || (!isThere && this.corrections.isExact))
        throw this.#error(
          cell,
          'correction_does_not_fit',
          'the cell does not hold what was corrected, so the file has changed since. Correct it anew, or remove this line.',
        );
      while (cells.length < cell.at) cells.push(null);
      cells[cell.at] = cell.becomes;
    }
    const corrected = own.map(({ at }) => at);
    const { defects, ...others } = row;
    const left = defects?.filter(({ column }) => column === null || !corrected.includes(column));
    return { ...others, cells, corrected, ...(left && left.length > 0 ? { defects: left } : {}) };
  }

  /** The place is that of the cell; the line is named, and what the cell holds is not. */
  #error({ sheet, row, column, line }: Correction, code: string, reason: string): InputError {
    const { file, name } = this.corrections;
    const place = { file: name, sheet: sheet ?? undefined, row, column };
    return new InputError(code, `line ${line} of ${file} corrects this cell, and ${reason}`, place);
  }
}

/**
 * The rows with their corrections.
 * @throws InputError as `apply` and `refuseLeft` do, after the rows before that place
 */
export async function* withCorrections(
  batches: AsyncIterable<readonly Row[]>,
  corrections: CellCorrections,
): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const batch of batches) {
    if (corrections.isDone) {
      yield batch;
      continue;
    }
    const rows: Row[] = [];
    try {
      for (const row of batch) rows.push(corrections.apply(row));
    } catch (error) {
      if (rows.length > 0) yield rows;
      throw error;
    }
    yield rows;
  }
  corrections.refuseLeft();
}

/** Whether a cell holds what was corrected, which may stand there as the file has it: with a mark of text, say. */
function holds(cell: Cell | undefined, was: Cell): boolean {
  const [text, wanted] = [cell ?? '', was ?? ''];
  return text === wanted || text === meantText(wanted);
}

export function meantText(text: string): string {
  return unmarkedText(isSuspicious(text) ? seenText(text) : text);
}
