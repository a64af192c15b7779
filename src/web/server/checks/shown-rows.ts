import type { RunningCheck } from '../../../app/check/watch/start-check.js';
import { OUTCOME_COLUMN, PROBLEMS_COLUMN } from '../../../core/report.js';
import type { CheckedCell, CheckedRow, CheckedRows } from '../../shared/check.js';
import { masked } from '../mask.js';
import { type Group, groupOf } from './group-key.js';
import type { Correction } from '../../../core/table.js';
import type { CellPlace } from '../lists/corrections.js';
import { correctionOf, sealedCell } from './cell-seal.js';
import type { KeptCheck } from './kept-check.js';
import { mendingColumns } from './mending-columns.js';

/** Columns that are shown beside those with a problem. */
const COLUMNS = 40;

type Row = Awaited<ReturnType<RunningCheck['page']>>['rows'][number];
type Cell = Row['cells'][number];

export interface WantedRows {
  /** Key of a group. */
  readonly group: string;
  readonly offset: number;
  readonly limit: number;
}

/** A page of the rows of a group. None where no row has the problem (yet). */
export async function shownRows(
  check: KeptCheck,
  { group: key, offset, limit }: WantedRows,
  mask: boolean,
): Promise<CheckedRows> {
  const { revision, running } = check;
  const group = groupOf(running, key);
  const none = { columns: [], moreColumns: 0, total: 0, rows: [] };
  if (!group) return { revision, offset, ...none };
  const { total, rows } = await running.page({ group: group.id, offset, limit });
  // Why an earlier run rejected the row is no news here, where all that is wrong now is named.
  const all = (rows[0]?.cells ?? [])
    .map(({ column }) => column)
    .filter((column) => column !== OUTCOME_COLUMN && column !== PROBLEMS_COLUMN);
  const columns = shownColumns(all, rows, group, check);
  return {
    ...{ revision, total, offset, columns, moreColumns: all.length - columns.length },
    rows: rows.map((row) => shownRow(row, columns, check, mask)),
  };
}

/** The columns of the group come first, so that they are seen on a narrow screen too. */
function shownColumns(
  all: readonly string[],
  rows: readonly Row[],
  { column: label, code }: Group,
  { columnsOf }: KeptCheck,
): string[] {
  const bad = new Set(
    rows.flatMap(({ cells }) => cells.filter(hasProblem)).map(({ column }) => column),
  );
  const own =
    label === null ? mendingColumns(columnsOf, [code]) : new Set([label, ...label.split(', ')]);
  const first = all.filter((column) => own.has(column));
  const others = all.filter((column) => !own.has(column));
  return [...first, ...others.filter((column, at) => at < COLUMNS || bad.has(column))];
}

const hasProblem = ({ problems }: Cell): boolean => problems.length > 0;

function shownRow(
  { sheet, row, cells, problems }: Row,
  columns: readonly string[],
  { corrections, columnsOf }: KeptCheck,
  mask: boolean,
): CheckedRow {
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  const mending = mendingColumns(
    columnsOf,
    problems.map(({ code }) => code),
  );
  return {
    ...{ sheet, row, problems: [...problems] },
    cells: columns.map((column) => {
      const place = { sheet, row, column };
      const correction = correctionOf(corrections, place);
      return shownCell(byColumn.get(column), { place, correction, mask }, mending.has(column));
    }),
  };
}

interface ShownAs {
  readonly place: CellPlace;
  readonly correction: Correction | undefined;
  readonly mask: boolean;
}

/** `isMending`: a value in it mends the row. */
function shownCell(
  cell: Cell | undefined,
  { place, correction, mask }: ShownAs,
  isMending: boolean,
): CheckedCell {
  const { value = null, isCut = false, problems = [] } = cell ?? {};
  const isBad = problems.length > 0 || isMending;
  const was = correction ? correction.was : value;
  return {
    value: shownValue(value, mask),
    problems: [...problems],
    ...{ isCut, isCorrected: correction !== undefined },
    cell: isBad && (correction || !isCut) ? sealedCell({ ...place, was }) : null,
  };
}

export const shownValue = (value: string | null, mask: boolean): string | null =>
  value !== null && mask ? masked(value) : value;
