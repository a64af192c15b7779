import type { CallSummary } from '../../core/hours.js';
import type { ObservationScore, ListQuality } from '../../core/quality.js';
import { QUALITY_PART_NAMES, QUALITY_PARTS } from '../../core/quality-parts.js';
import { whole } from '../../core/text.js';

/** One part of the score, as cells of a table. */
export type QualityLine = readonly [label: string, points: string, rows: string];

/** The parts of a score that were looked at. */
export const qualityLines = ({ parts, whole: found }: ListQuality): QualityLine[] => [
  ...QUALITY_PART_NAMES.flatMap((part): QualityLine[] => {
    const its = parts[part];
    if (!its) return [];
    const lost = its.lost === 0 ? '' : `, ${whole(its.lost)} of them left out`;
    const rows = its.rows === 0 ? '' : `${rowsText(its.rows)}${lost}`;
    const points = `${its.points.toFixed(1)} of ${its.of.toFixed(1)}`;
    return [[QUALITY_PARTS[part].label, points, rows]];
  }),
  ...(found
    ? [['the list as a whole', `-${found.points.toFixed(1)}`, observationsText(found)] as const]
    : []),
];

/** How much was found out about the list as a whole. */
export function observationsText({ doubts, notes }: ObservationScore): string {
  const found = [
    ...(doubts > 0 ? [doubts === 1 ? '1 doubt' : `${whole(doubts)} doubts`] : []),
    ...(notes > 0 ? [notes === 1 ? '1 note' : `${whole(notes)} notes`] : []),
  ];
  return found.join(', ');
}

/** The score as one line. */
export const scoreText = ({ score, rows, lost, outside = 0 }: ListQuality): string => {
  const others = outside === 0 ? '' : `; the mapping does not take ${whole(outside)} more`;
  return `Quality of the list: ${score} of 100; ${whole(lost)} of ${rowsText(rows)} left out (rejected or skipped)${others}.`;
};

/** What the rows cost that are left out; empty text where nobody gives a price. */
export const costText = ({ lost, price, cost }: ListQuality): string =>
  price === undefined || cost === undefined
    ? ''
    : `At ${price.toFixed(2)} for each, ${rowsText(lost)} cost ${money(cost)}.`;

/** The score and its parts, as plain text; lines ended by `\n`. */
export function qualityText(quality: ListQuality): string {
  const lines = qualityLines(quality);
  const width = Math.max(...lines.map(([label]) => label.length));
  const points = Math.max(...lines.map(([, text]) => text.length));
  const parts = lines.map(([label, text, rows]) =>
    `  ${label.padEnd(width)}  ${text.padStart(points)}  ${rows}`.trimEnd(),
  );
  const cost = costText(quality);
  return `${[scoreText(quality), ...parts, ...(cost === '' ? [] : [cost])].join('\n')}\n`;
}

/** When clients may be called, as one line. */
export function callsText({ asOf, now, today, later, never }: CallSummary): string {
  const at = `${asOf.slice(0, 16).replace('T', ' ')} UTC`;
  return `May be called, as of ${at}: ${whole(now)} now, ${whole(today)} later today, ${whole(later)} later, ${whole(never)} never.`;
}

const rowsText = (rows: number): string => (rows === 1 ? '1 row' : `${whole(rows)} rows`);

/** An amount with two decimals and commas between thousands. */
function money(amount: number): string {
  const [units = '0', cents = '00'] = amount.toFixed(2).split('.');
  return `${whole(Number(units))}.${cents}`;
}
