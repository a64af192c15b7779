import type { Export } from './exports.js';

const TITLES = ['Export of the sales department', '', 'made on 2026-11-20'];

/** Rows above the data, by the shape of an export. */
const HEADS: Readonly<Record<string, (headers: readonly string[]) => (readonly string[])[]>> = {
  headless: () => [],
  titles: (headers) => [...TITLES.map((title) => [title]), [], headers],
  'two-row': twoRows,
};

/** A name such as `Phones / Mobile` stands in two rows; a group only above its first column, as merged cells do. */
function twoRows(headers: readonly string[]): (readonly string[])[] {
  const parts = headers.map((header) => header.split(' / '));
  const upper = parts.map(([group = '', name], at) =>
    name !== undefined && parts[at - 1]?.[0] === group ? '' : group,
  );
  return [upper, parts.map(([, name = '']) => name)];
}

/** An export as the CSV file of its shape. */
export function fileOf({ name, shape, columns, rows, delimiter }: Export): string {
  const head = HEADS[shape ?? ''];
  if (!head) throw new Error(`${name}: there is no shape ${shape ?? ''}`);
  const quoted = (cell: string): string =>
    cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  return [...head(columns.map(({ header }) => header)), ...rows]
    .map((cells) => `${cells.map(quoted).join(delimiter)}\r\n`)
    .join('');
}
