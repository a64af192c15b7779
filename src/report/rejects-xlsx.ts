import type { Cell } from '../core/row.js';
import type { RejectsLayout } from './rejects-layout.js';
import type { RejectsFile, RejectsWriter } from './rejects-writer.js';
import { WorkbookFile } from './workbook-file.js';

/** Rows that a sheet holds, those above the data included. */
const SHEET_ROWS = 1_048_576;

/** Rows after which the writing waits for the compressor. */
const TURN = 100;

/** Rejects as a workbook of texts. Rows that do not fit on one sheet go on on the next. */
export function xlsxRejects(
  { file, sheet = 'Rejects' }: RejectsFile,
  layout: RejectsLayout,
  above: readonly (readonly Cell[])[],
  sheetRows = SHEET_ROWS,
): RejectsWriter {
  const perSheet = sheetRows - above.length - 1;
  let workbook: WorkbookFile | undefined;
  let count = 0;

  const addTo = (target: WorkbookFile, row: readonly Cell[]): void | Promise<void> => {
    if (count % perSheet === 0) {
      target.addSheet(sheet, layout.headers.length);
      for (const cells of [...above, layout.headers]) target.addRow(cells);
    }
    count += 1;
    target.addRow(row);
    return count % TURN === 0 ? target.drain() : undefined;
  };
  const openWith = async (row: readonly Cell[]): Promise<void> => {
    workbook = await WorkbookFile.open(file);
    await addTo(workbook, row);
  };
  return {
    write(cells, outcome, problems) {
      const row = layout.row(cells, outcome, problems);
      return workbook === undefined ? openWith(row) : addTo(workbook, row);
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
