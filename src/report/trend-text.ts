import { printableLine, shortenedInMiddle, whole, wrapped } from '../core/text.js';
import type { Trend, TrendPoint } from './trend.js';

/** Reasons that are listed for a run. */
const MAX_REASONS = 3;

/**
 * Trends for a person: a line for each run, the change against the one before, and why rows were rejected.
 * @param width of the terminal in characters: where a line does not fit, a run has several
 */
export function trendText(
  mapping: string,
  trends: readonly Trend[],
  width = Number.POSITIVE_INFINITY,
): string {
  const named = shortenedInMiddle(`mapping ${printableLine(mapping)}`, width);
  return `${named}\n${trends.map((trend) => sourceText(trend, width)).join('')}`;
}

function sourceText({ source, points }: Trend, width: number): string {
  const hasScores = points.some(({ quality }) => quality !== undefined);
  const head = hasScores ? withScore(HEAD, 'quality') : HEAD;
  const isNarrow = head.trimEnd().length + (hasScores ? BAR + 2 : 0) > width;
  const lines = points.map((point, at) => {
    const cells = cellsOf(point, points[at - 1]);
    const score = hasScores ? scoreText(point) : null;
    const text = isNarrow ? narrow(cells, score, width) : line(...cells);
    const scored = score === null || isNarrow ? text : withScore(text, score);
    return scored + reasonsText(point, width);
  });
  const named = shortenedInMiddle(printableLine(source), width);
  return `\n${named}\n${isNarrow ? '' : head}${lines.join('')}`;
}

type Cells = readonly [
  day: string,
  run: string,
  rows: string,
  rejected: string,
  change: string,
  notWell: string,
];

const line = (...[day, run, ...figures]: Cells): string => {
  const right = figures.map((cell, at) => cell.padStart(at === 0 ? 11 : 10)).join('');
  return `  ${day.padEnd(10)}  ${run.padEnd(20)}${right}\n`;
};

/** Length of the bar of a score, in characters. */
const BAR = 20;
const POINTS = 100;

/** The score with a bar, so that a decline is seen; empty text of a run without one. */
function scoreText({ quality }: TrendPoint): string {
  if (!quality) return '';
  const filled = Math.round((quality.score / POINTS) * BAR);
  return `${String(quality.score).padStart(3)}  ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
}

const withScore = (text: string, score: string): string => `${text.trimEnd()}   ${score}\n`;

const narrow = (
  [day, run, rows, rejected, change, notWell]: Cells,
  score: string | null,
  width: number,
): string => {
  const changed = change === '' ? '' : ` (${change})`;
  const quality = score ? `, quality ${score.trim().split(' ')[0] ?? ''}` : '';
  const facts = `${rows} rows, ${rejected} rejected${changed}, ${notWell} not well${quality}`;
  return `${wrapped('  ', `${day}  ${run}`, width)}\n${wrapped('    ', facts, width)}\n`;
};

const HEAD = line('begun', 'run', 'rows', 'rejected', 'change', 'not well');

function cellsOf(point: TrendPoint, before: TrendPoint | undefined): Cells {
  const { createdAt, run, rows, rejectRate, badRate } = point;
  const change = before === undefined ? '' : signed(rejectRate - before.rejectRate);
  const day = new Date(createdAt).toISOString().slice(0, 10);
  return [day, run, whole(rows), percent(rejectRate), change, percent(badRate)];
}

const reasonsText = ({ rejects }: TrendPoint, width: number): string =>
  rejects
    .slice(0, MAX_REASONS)
    .map(({ rows, column, message }) => {
      const where = column === null ? '' : `${column}: `;
      return `${wrapped(`      ${whole(rows)}  `, printableLine(where + message), width)}\n`;
    })
    .join('');

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;

/** In percentage points. */
const signed = (change: number): string =>
  `${change < 0 ? '-' : '+'}${(Math.abs(change) * 100).toFixed(1)}`;
