import type { Cell } from '../../core/row.js';
import type { RejectsLayout } from './rejects-layout.js';
import type { RejectsFile, RejectsWriter } from './rejects-writer.js';
import { WorkbookFile } from '../xlsx/workbook-file.js';

/** When a sheet is full. */
export interface SheetLimits {
  /** Rows, those above the data included. */
  readonly rows: number;
  /** Characters as they are stored. */
  readonly characters: number;
}

/** What Excel opens: no part of 4 GiB, which characters of up to three bytes could make. */
const EXCEL: SheetLimits = { rows: 1_048_576, characters: 1024 ** 3 };

/** Rejects as a workbook of texts. Rows that do not fit on one sheet go on on the next. */
export function xlsxRejects(
  { file, sheet = 'Rejects' }: RejectsFile,
  layout: RejectsLayout,
  above: readonly (readonly Cell[])[],
  limits = EXCEL,
): RejectsWriter {
  let workbook: WorkbookFile | undefined;
  let count = 0;

  const onNewSheet = async (row: readonly Cell[]): Promise<void> => {
    workbook ??= await WorkbookFile.open(file);
    await workbook.addSheet(sheet, layout.headers.length);
    for (const cells of [...above, layout.headers, row]) await workbook.addRow(cells);
  };
  return {
    write(cells, outcome, problems) {
      const row = layout.row(cells, outcome, problems);
      count += 1;
      return workbook === undefined || isFull(workbook, limits)
        ? onNewSheet(row)
        : workbook.addRow(row);
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

function isFull({ sheetRows, sheetCharacters }: WorkbookFile, limits: SheetLimits): boolean {
  return sheetRows >= limits.rows || sheetCharacters >= limits.characters;
}
