import type { Cell } from '../../core/table.js';

/** Rows of totals at the end of a table, as `source.until` leaves them out. */
export interface Totals {
  readonly column: string;
  readonly startsWith: string;
  readonly rows: number;
}

const WORD =
  /^(?:grand total|subtotal|total|totals|итого|всего|разом|усього|барлығы|summe|gesamt|totale|toplam|razem|suma|合计|总计|合計|総計|tổng cộng|कुल|المجموع|סה"כ)(?=$|[\s:.(])/iu;
/** Share of the cells that such a row fills at most: it sums up a few columns. */
const MAX_FILLED = 0.6;

/** The totals that the last rows of a table are; `null` where they are none. */
export function totalsAt(
  headers: readonly string[],
  last: readonly (readonly Cell[])[],
): Totals | null {
  const rows = last.toReversed().map((cells) => totalOf(headers, cells));
  const [total] = rows;
  if (!total) return null;
  const other = rows.findIndex((row) => row?.column !== total.column);
  return { ...total, rows: other < 0 ? rows.length : other };
}

/** Whether `source.until` with these totals holds for a row. */
export function isTotal(
  headers: readonly string[],
  cells: readonly Cell[],
  { column, startsWith }: Totals,
): boolean {
  const text = cells[headers.indexOf(column)]?.trim().toLowerCase() ?? '';
  return text.startsWith(startsWith.toLowerCase());
}

function totalOf(
  headers: readonly string[],
  cells: readonly Cell[],
): Omit<Totals, 'rows'> | undefined {
  const texts = cells.map((cell) => cell?.trim() ?? '');
  const filled = texts.filter((text) => text !== '').length;
  const at = texts.findIndex((text) => text !== '');
  const column = headers[at];
  const [word] = WORD.exec(texts[at] ?? '') ?? [];
  return column === undefined || word === undefined || filled > MAX_FILLED * headers.length
    ? undefined
    : { column, startsWith: word };
}
