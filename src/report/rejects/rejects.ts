import type { Cell, Row, RejectsFormat } from '../../core/table.js';
import {
  type LayoutRules,
  type RejectsLayout,
  rejectsLayout,
  type RejectsFile,
  type RejectsWriter,
} from './rejects-layout.js';

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

/** Opens the writer of one format. `above`: the rows above the data, the header last, one for each row number. */
type OpenWriter = (
  options: RejectsFile,
  layout: RejectsLayout,
  above: readonly (readonly Cell[])[],
) => RejectsWriter | Promise<RejectsWriter>;

interface FormatTraits {
  readonly layout: LayoutRules;
  readonly load: () => Promise<OpenWriter>;
}

/** How rejects are laid out and written, by format. A writer is loaded when there are rejects. */
export const FORMAT_TRAITS: Readonly<Record<RejectsFormat, FormatTraits>> = {
  csv: {
    layout: { cellCountMatters: true, maxColumns: Infinity },
    load: async () => (await import('./rejects-csv.js')).csvRejects,
  },
  xlsx: {
    layout: { cellCountMatters: false, maxColumns: 16_384 },
    load: async () => (await import('./rejects-xlsx.js')).xlsxRejects,
  },
};
