import type { Cell, Row } from '../../core/table.js';
import { FORMAT_TRAITS } from './rejects-formats.js';
import { rejectsLayout } from './rejects-layout.js';
import type { RejectsFile, RejectsWriter } from './rejects-writer.js';

/**
 * Opens a rejects file in the format of its input.
 * @throws UsageError when the encoding cannot be written, or the added columns do not fit into a workbook.
 */
export async function openRejectsWriter(options: RejectsFile): Promise<RejectsWriter> {
  const { layout: rules, load } = FORMAT_TRAITS[options.format];
  const { headers, headerRow = 1, hasHeader = true, preamble = [] } = options;
  const layout = rejectsLayout(headers, rules);
  const above = hasHeader ? [...rowsAbove(preamble, headerRow), layout.headers] : [];
  const open = await load();
  return open(options, layout, above);
}

const EMPTY: readonly Cell[] = [];

/** The rows above the header, one for each row number. */
function rowsAbove(preamble: readonly Row[], headerRow: number): (readonly Cell[])[] {
  const cells = new Map(preamble.map((row) => [row.row, row.cells]));
  return Array.from({ length: headerRow - 1 }, (_, index) => cells.get(index + 1) ?? EMPTY);
}
