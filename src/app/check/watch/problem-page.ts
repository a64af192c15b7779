import { headerName } from '../../../core/cell-text.js';
import type { Cell } from '../../../core/table.js';
import type { OpenedInput } from '../../../prepare/plan.js';
import type { ProblemIndex, ProblemRecord } from './problem-index.js';

/** Which rows to show. */
export interface PageRequest {
  /** Id of a group; `null`: rejected rows of all groups. @default null */
  readonly group?: number | null;
  /** How many rows of the group come before the page. @default 0 */
  readonly offset?: number;
  /** Rows of a page. @default 50 */
  readonly limit?: number;
  /** Columns to show beside those with a problem. @default all */
  readonly columns?: readonly string[];
}

export interface ProblemPage {
  /** Rows of the group that can be shown by now. */
  readonly total: number;
  readonly rows: readonly ProblemRow[];
}

/** A rejected row with the cells that were asked for. Personal data. */
export interface ProblemRow {
  /** Index and name of the input file. */
  readonly input: number;
  readonly file: string;
  readonly sheet: string | null;
  /** As a spreadsheet program shows it. */
  readonly row: number;
  readonly cells: readonly ProblemCell[];
  /** What is wrong with the row as a whole. */
  readonly problems: readonly CellProblem[];
}

export interface ProblemCell {
  readonly column: string;
  /** As it stands in the file, corrected where it was. */
  readonly value: Cell;
  /** Set where only the beginning of a long cell is shown. */
  readonly isCut?: true;
  /** What is wrong with it; empty for a good cell. */
  readonly problems: readonly CellProblem[];
}

export interface CellProblem {
  readonly code: string;
  readonly message: string;
}

const DEFAULT_LIMIT = 50;
/** Rows of a page at most: each is read by itself. */
const MAX_LIMIT = 1000;

/** A page of rejected rows, with the bad cells marked. */
export async function problemPage(
  index: ProblemIndex,
  inputs: readonly OpenedInput[],
  { group = null, offset = 0, limit = DEFAULT_LIMIT, columns }: PageRequest,
): Promise<ProblemPage> {
  const wanted = columns && new Set(columns.map((column) => column.trim()));
  const records = await index.rows(group, offset, Math.min(limit, MAX_LIMIT));
  const rows = records.map((record) => rowOf(record, inputs[record[0]], wanted));
  return { total: index.rowsOf(group), rows };
}

function rowOf(
  [input, sheet, row, cells, problems, cut]: ProblemRecord,
  opened: OpenedInput | undefined,
  wanted: ReadonlySet<string> | undefined,
): ProblemRow {
  const headers = opened?.headers.map(headerName) ?? [];
  const known = new Set(headers);
  const ofColumn = new Map<string, CellProblem[]>();
  const ofRow: CellProblem[] = [];
  for (const [label, code, message] of problems) {
    const names = columnsIn(label, known);
    if (names.length === 0) ofRow.push({ code, message });
    for (const name of names)
      ofColumn.set(name, [...(ofColumn.get(name) ?? []), { code, message }]);
  }
  return {
    ...{ input, sheet, row, problems: ofRow },
    file: opened?.name ?? '',
    cells: headers.flatMap((column, at): ProblemCell[] => {
      const wrong = ofColumn.get(column) ?? [];
      if (wanted && !wanted.has(column) && wrong.length === 0) return [];
      const cell = { column, value: cells[at] ?? null, problems: wrong };
      return [cut.includes(at) ? { ...cell, isCut: true } : cell];
    }),
  };
}

/** The columns that the label of a problem names: one, or several with commas. */
function columnsIn(label: string | null, known: ReadonlySet<string>): string[] {
  if (label === null) return [];
  if (known.has(label)) return [label];
  const names = label.split(', ').filter((name) => known.has(name));
  return [...new Set(names)];
}
