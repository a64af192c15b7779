import { isRecord, shortenedInMiddle, printableLine } from '../../core/text.js';

/** A value in one line. Absent ones are empty. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return printableLine(value);
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  if (!isRecord(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, inner]) => `${cellText(name)}=${cellText(inner)}`)
    .join(', ');
}

/** Rows as a table. Without `columns`, or where these do not fit, every one in which any row has something. */
export async function rowsTable(
  rows: readonly Readonly<Record<string, unknown>>[],
  wanted: readonly string[] = usedColumns(rows),
  width?: number,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const columns = fits(rows, wanted, width) ? wanted : usedColumns(rows, wanted);
  const lines = rows.map((row) => columns.map((name) => cellText(row[name])));
  const table = new Table({
    head: columns.map(cellText),
    style: { head: [], border: [], compact: true },
  });
  for (const line of width === undefined ? lines : fitted(columns, lines, width)) table.push(line);
  return `${table.toString()}\n`;
}

function fits(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
  width = Infinity,
): boolean {
  const widths = columns.map((name) =>
    Math.max(cellText(name).length, ...rows.map((row) => cellText(row[name]).length)),
  );
  return widths.reduce((sum, one) => sum + one + BESIDE, 1) <= width;
}

/** Signs beside a cell: its border and its padding. */
const BESIDE = 3;
/** Columns whose values somebody copies: they stay whole. */
const COPIED = /(?:^|[a-z])(?:Id|ID|id|uuid|UUID)$/;
const IS_COPIED = /^[\w+-]*$/;

/** A value that is an id wherever it stands. */
const IS_ID = /^(?:\d+|[\da-f]{8}-[\da-f-]{27})$/i;

/** The cells as they fit a terminal of this width: columns that can be are shortened in their middle. */
function fitted(
  columns: readonly string[],
  lines: readonly (readonly string[])[],
  width: number,
): string[][] {
  const natural = columns.map((name, at) => ({
    width: Math.max(cellText(name).length, ...lines.map((line) => line[at]?.length ?? 0)),
    canShrink: !(COPIED.test(name) && lines.every((line) => IS_COPIED.test(line[at] ?? ''))),
  }));
  const widths = columnWidths(natural, width - columns.length * BESIDE - 1);
  return lines.map((line) =>
    line.map((cell, at) => (IS_ID.test(cell) ? cell : shortenedInMiddle(cell, widths[at] ?? 0))),
  );
}

function usedColumns(
  rows: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[] = [...new Set(rows.flatMap((row) => Object.keys(row)))],
): string[] {
  return names.filter((name) => rows.some((row) => cellText(row[name]) !== ''));
}

/** Narrower than this, nobody reads what a column holds. */
const NARROWEST = 6;

interface ColumnWidth {
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
