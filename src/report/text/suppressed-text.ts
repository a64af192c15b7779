import type { SuppressedCount } from '../../core/suppressed.js';
import { printableLine, whole } from '../../core/text.js';

/** What lists did, in a line: `not to be called: "national" 312 rows and 20 phones, "own" 5 rows`. Empty where nothing. */
export function suppressedText(counts: readonly SuppressedCount[] = []): string {
  if (counts.length === 0) return '';
  const lists = counts.map(({ list, rows, phones }) => `"${list}" ${amounts(rows, phones)}`);
  return printableLine(`not to be called: ${lists.join(', ')}`);
}

function amounts(rows: number, phones: number): string {
  const parts = [rows > 0 ? counted(rows, 'row') : '', phones > 0 ? counted(phones, 'phone') : ''];
  return parts.filter((part) => part !== '').join(' and ');
}

const counted = (count: number, noun: string): string =>
  `${whole(count)} ${count === 1 ? noun : `${noun}s`}`;
