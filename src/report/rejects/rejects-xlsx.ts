import { PROBLEMS_COLUMN } from '../../core/report.js';
import { type Cell, escapedText, guardedText } from '../../core/table.js';
import type { RejectsLayout, RejectsFile, RejectsWriter } from './rejects-layout.js';
import { EXCEL_LIMITS, WorkbookFile } from '../xlsx/workbook-file.js';

/** Rejects as a workbook of texts. Rows that do not fit on one sheet continue on the next. */
export function xlsxRejects(
  { file, sheet = 'Rejects' }: RejectsFile,
  layout: RejectsLayout,
  /** Rows above the data, the header included. */
  above: readonly (readonly Cell[])[],
  limits = EXCEL_LIMITS,
): RejectsWriter {
  let workbook: WorkbookFile | undefined;
  let count = 0;
  const problemsColumn = layout.headers.indexOf(PROBLEMS_COLUMN);
  // Cells of a workbook are texts to every program: of those of the file, only what reading would take for a mark gets one.
  const escaped = (cells: readonly Cell[]): Cell[] =>
    cells.map((cell, column) => {
      if (cell === null) return null;
      return column === problemsColumn ? guardedText(cell) : escapedText(cell);
    });

  const onNewSheet = async (row: readonly Cell[]): Promise<void> => {
    workbook ??= await WorkbookFile.open(file);
    await workbook.addSheet(sheet, layout.headers.length);
    for (const cells of [...above, row]) await workbook.addRow(escaped(cells));
  };
  return {
    write(cells, outcome, problems) {
      const row = layout.row(cells, outcome, problems);
      count += 1;
      return workbook === undefined || workbook.isFull(limits)
        ? onNewSheet(row)
        : workbook.addRow(escaped(row));
    },
    async close() {
      await workbook?.commit();
      return count;
    },
    async discard() {
      await workbook?.discard();
    },
  };
}
