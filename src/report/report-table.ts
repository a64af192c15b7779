import type { RowReport } from '../core/report.js';
import { reportColumns } from './column-layout.js';
import type { ReportColumn, TableCell } from './columns.js';
import { reportedRun, type RunReport } from './run-report.js';

/** The columns of `report.csv`, with cells that keep their types and are not escaped. */
export interface ReportTable {
  readonly columns: readonly ReportColumn[];
  readonly cells: (row: RowReport) => TableCell[];
}

export function reportTable(report: RunReport): ReportTable {
  const run = reportedRun(report);
  const columns = reportColumns('table', run);
  return { columns, cells: (row) => columns.map(({ cell }) => cell(row, run)) };
}
