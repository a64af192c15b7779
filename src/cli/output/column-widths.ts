/** Narrower than this, nobody reads what a column holds. */
const NARROWEST = 6;

export interface ColumnWidth {
  /** Characters of its widest cell. */
  readonly width: number;
  /** Whether it may be shortened: ids may not. */
  readonly canShrink: boolean;
}

/** The widths of columns that have so much room in all: the widest that can be shortened give way first. */
export function columnWidths(columns: readonly ColumnWidth[], room: number): number[] {
  const widths = columns.map(({ width }) => width);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const free = widths.map((width, at) =>
      columns[at]?.canShrink === true && width > NARROWEST ? width : 0,
    );
    const widest = Math.max(0, ...free);
    if (widest === 0) break;
    const at = free.indexOf(widest);
    const next = Math.max(NARROWEST, ...free.filter((width) => width < widest));
    const step = Math.min(excess, Math.max(1, widest - next));
    widths[at] = widest - step;
    excess -= step;
  }
  return widths;
}
