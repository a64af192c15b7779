import { printableLine } from '../../core/text/printable.js';

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in one line. Absent ones are empty. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return printableLine(value);
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  if (!isObject(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, inner]) => `${cellText(name)}=${cellText(inner)}`)
    .join(', ');
}

/** Rows as a table. Without `columns`, every one in which any row has something. */
export async function rowsTable(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[] = usedColumns(rows),
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    head: columns.map(cellText),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push(columns.map((name) => cellText(row[name])));
  return `${table.toString()}\n`;
}

function usedColumns(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].filter((name) => rows.some((row) => cellText(row[name]) !== ''));
}
