/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Signs that would move the cursor or change the colors of the terminal. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** A value in one line. Absent ones are empty. */
export function printable(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.replace(CONTROL, ' ');
  if (Array.isArray(value)) return value.map(printable).join(', ');
  if (!isObject(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, inner]) => `${printable(name)}=${printable(inner)}`)
    .join(', ');
}

/** Rows as a table. Without `columns`, every one in which any row has something. */
export async function rowsTable(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[] = usedColumns(rows),
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    head: columns.map(printable),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push(columns.map((name) => printable(row[name])));
  return `${table.toString()}\n`;
}

function usedColumns(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].filter((name) => rows.some((row) => printable(row[name]) !== ''));
}
