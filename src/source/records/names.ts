import { InputError, type InputPlace } from '../../core/errors.js';
import { type Cell, type Row, type RowDefect, UNKNOWN_NAME } from '../../core/table.js';
import type { Batch } from '../batch.js';
import { ROW_CELLS } from '../limits.js';
import type { Take } from './flatten.js';

/** Records that the names of columns are taken from, and the bytes of them that are read for it. */
export const NAMED_BY = { records: 10_000, bytes: 16 * 1024 * 1024 } as const;

/** A record that can be gone through again. */
export type Entries = (take: Take) => void;

/** The columns of records: all names that occur in the first ones, in the order of their appearance. */
export class ColumnNames {
  private readonly columns = new Map<string, number>();

  /** @throws InputError `too_many_cells` */
  add(entries: Entries, place: InputPlace): void {
    entries((name) => {
      if (!this.columns.has(name)) this.columns.set(name, this.columns.size);
    });
    if (this.columns.size <= ROW_CELLS) return;
    const reason = `the records have more than ${ROW_CELLS} names. Is this a table?`;
    throw new InputError('too_many_cells', reason, place);
  }

  /** The names as row 0: they stand in every record, so that no row of the file is their own. */
  get header(): Row {
    return { sheet: null, row: 0, cells: [...this.columns.keys()] };
  }

  /** The record as a row, with a cell for each column. */
  row(entries: Entries, row: number): Row {
    const cells = Array<Cell>(this.columns.size).fill(null);
    const unknown: string[] = [];
    const doubled = new Map<number, RowDefect>();
    const numbers: [column: number, number: string][] = [];
    entries((name, text, isNumber) => {
      const column = this.columns.get(name);
      if (column === undefined) unknown.push(name);
      else if (cells[column] === null) {
        cells[column] = text;
        if (isNumber === true && text !== null) numbers.push([column, text]);
      } else if (cells[column] !== text) doubled.set(column, doubleName(column, name));
    });
    const defects = [...(unknown.length > 0 ? [unknownNames(unknown)] : []), ...doubled.values()];
    const plain = { sheet: null, row, cells };
    if (defects.length === 0 && numbers.length === 0) return plain;
    return {
      ...plain,
      ...(defects.length > 0 ? { defects } : {}),
      ...(numbers.length > 0 ? { numbers } : {}),
    };
  }
}

/** Adds a row to a batch, by the length of its cells. */
export function addTo(batch: Batch, row: Row): void {
  let characters = 0;
  for (const cell of row.cells) characters += cell?.length ?? 0;
  batch.add(row, characters);
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name);

/** What is not among the columns would be lost in silence. */
function unknownNames(names: readonly string[]): RowDefect {
  const [first = ''] = names;
  const others = names.length > 1 ? ` (and ${names.length - 1} more)` : '';
  const message =
    `The record has the name "${shown(first)}"${others}, which none of the first ${NAMED_BY.records} records has. Put a ` +
    'record with all names first.';
  return { column: null, names, code: UNKNOWN_NAME, message };
}

function doubleName(column: number, name: string): RowDefect {
  const message = `The record has two values of the name "${shown(name)}". Rename one of them.`;
  return { column, code: 'ambiguous_name', message };
}
