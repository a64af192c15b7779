import type { RowReport } from '../core/report.js';
import { problemText } from './text/problem-text.js';
import { reportColumns } from './csv/report-csv.js';
import { isChanging, type RunReport, tellsOf } from './run-report.js';
import { verdictCells } from './verdict-columns.js';

export type TableCell = string | number | null;

/** The columns of a report, the same as those of `report.csv`, with cells that keep their types and are not changed. */
export interface ReportTable {
  readonly columns: readonly string[];
  /** Columns whose cells are whole numbers; those of the identifiers depend on the rows, all others are texts. */
  readonly integers: ReadonlySet<string>;
  /** Position of the first identifier. */
  readonly identifiersAt: number;
  readonly cells: (row: RowReport) => TableCell[];
}

const INTEGERS = ['row', 'createdClientId', 'clientId', 'callsMade', 'nextCall'];

export function reportTable(report: RunReport): ReportTable {
  const { run, identifierNames } = report;
  const more = {
    severalInputs: run.inputs.length > 1,
    changes: isChanging(report),
    tells: tellsOf(report),
  };
  const after = more.tells === 'verdicts' ? verdictCells : outcomeCells;
  return {
    columns: reportColumns(identifierNames, more),
    // An identifier of such a name has another one in the table.
    integers: new Set(INTEGERS),
    identifiersAt: 3,
    cells: (row) => {
      const cells = [row.row, row.sheet, row.uuid, ...row.identifiers, ...after(row)];
      if (more.changes) cells.push(row.changeResult);
      cells.push([row.inspection?.remark, problemText(row.problems)].filter(Boolean).join('; '));
      if (more.severalInputs) cells.push(run.inputs[row.input] ?? null);
      return cells;
    },
  };
}

const outcomeCells = (row: RowReport): TableCell[] => [
  row.outcome,
  row.createdClientId,
  row.createResult,
  row.enqueueResult,
];
