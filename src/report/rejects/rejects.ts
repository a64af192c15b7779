import type { Cell, Row } from '../../core/row.js';
import { csvRejects } from './rejects-csv.js';
import { rejectsLayout } from './rejects-layout.js';
import type { RejectsFile, RejectsWriter } from './rejects-writer.js';
import { xlsxRejects } from './rejects-xlsx.js';

/**
 * Opens a rejects file in the format of its input.
 * @throws UsageError when the encoding cannot be written, or the added columns do not fit into a workbook.
 */
export function openRejectsWriter(options: RejectsFile): RejectsWriter {
  const layout = rejectsLayout(options.headers, options.format);
  const above = rowsAbove(options.preamble ?? [], options.headerRow ?? 1);
  return options.format === 'csv'
    ? csvRejects(options, layout, above)
    : xlsxRejects(options, layout, above);
}

/** The rows above the header, one for each row number. */
function rowsAbove(preamble: readonly Row[], headerRow: number): (readonly Cell[])[] {
  const cells = new Map(preamble.map((row) => [row.row, row.cells]));
  return Array.from({ length: headerRow - 1 }, (_, index) => cells.get(index + 1) ?? []);
}
