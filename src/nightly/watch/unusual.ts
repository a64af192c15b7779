import { counted, whole } from '../../core/text.js';
import type { TakenFile } from '../state/state.js';

/** Files of a pickup that a new one is held against. */
export const COMPARED_FILES = 10;
/** Of fewer, chance decides how many rows end badly, and a difference of some rows says nothing. */
const MIN_FILES = 3;
const MIN_DIFFERENCE = 10;
/** How much the number of rows may differ from the usual one, as a share of it. */
const USUAL_ROWS = 0.5;
/** How many more rows of a hundred may end badly than usual. */
const USUAL_BAD = 0.05;

type Figures = Pick<TakenFile, 'rows' | 'badRows'>;

/**
 * What is unusual about a file beside the last ones of its pickup, in words; `null` where nothing is. A file without rows
 * is unusual by itself.
 */
export function unusualIn(file: Figures, last: readonly Figures[]): string | null {
  const compared = last.filter(({ rows }) => rows > 0);
  if (compared.length === 0) return file.rows === 0 ? NO_ROWS : null;
  const areFew = compared.length < MIN_FILES;
  const rows = median(compared.map((other) => other.rows));
  const bad = median(compared.map(shareOf));
  const parts = [
    ...(isFar(file.rows, rows, areFew ? MIN_DIFFERENCE : 0)
      ? [`${rowsText(file.rows)}, where ${whole(Math.round(rows))} are usual`]
      : []),
    ...(!areFew && file.rows > 0 && shareOf(file) > bad + USUAL_BAD
      ? [`${percent(shareOf(file))} of its rows ended badly, where ${percent(bad)} are usual`]
      : []),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

const NO_ROWS = 'it has a header and no rows';

const rowsText = (rows: number): string =>
  rows === 0 ? NO_ROWS : `it has ${counted(rows, 'row')}`;

const isFar = (rows: number, usual: number, minDifference: number): boolean =>
  rows === 0 ||
  (Math.abs(rows - usual) >= minDifference && Math.abs(rows - usual) > usual * USUAL_ROWS);

/** What is wrong with the number of rows, where it is said how many there are; `null` where nothing is. */
export function unexpectedRows(
  rows: number,
  expected: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined,
): string | null {
  const { min = 0, max = Infinity } = expected ?? {};
  if (rows < min) return `${rowsText(rows)}, where at least ${whole(min)} are expected`;
  return rows > max ? `${rowsText(rows)}, where at most ${whole(max)} are expected` : null;
}

const shareOf = ({ rows, badRows }: Figures): number => badRows / rows;

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
