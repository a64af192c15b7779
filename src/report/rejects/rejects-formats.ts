import type { Cell, RejectsFormat } from '../../core/table.js';
import type { LayoutRules, RejectsLayout } from './rejects-layout.js';
import type { RejectsFile, RejectsWriter } from './rejects-writer.js';

/** Opens the writer of one format. `above`: the rows above the data, the header last, one for each row number. */
export type OpenWriter = (
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
