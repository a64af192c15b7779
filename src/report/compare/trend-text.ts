import { printableLine } from '../../core/text/printable.js';
import { whole } from '../../core/text/whole.js';
import type { Trend, TrendPoint } from './trend.js';

/** Reasons that are listed for a run. */
const MAX_REASONS = 3;

/** Trends for a person: a line for each run, the change against the one before, and why rows were rejected. */
export function trendText(mapping: string, trends: readonly Trend[]): string {
  return `mapping ${printableLine(mapping)}\n${trends.map(sourceText).join('')}`;
}

function sourceText({ source, points }: Trend): string {
  const lines = points.map((point, at) => pointText(point, points[at - 1]));
  return `\n${printableLine(source)}\n${HEAD}${lines.join('')}`;
}

const line = (...cells: readonly [string, string, string, string, string, string]): string => {
  const [day, run, ...figures] = cells;
  const right = figures.map((cell, at) => cell.padStart(at === 0 ? 11 : 10)).join('');
  return `  ${day.padEnd(10)}  ${run.padEnd(20)}${right}\n`;
};

const HEAD = line('begun', 'run', 'rows', 'rejected', 'change', 'not well');

function pointText(point: TrendPoint, before: TrendPoint | undefined): string {
  const { createdAt, run, rows, rejectRate, badRate, rejects } = point;
  const change = before === undefined ? '' : signed(rejectRate - before.rejectRate);
  const day = new Date(createdAt).toISOString().slice(0, 10);
  const reasons = rejects.slice(0, MAX_REASONS).map((reason) => {
    const where = reason.column === null ? '' : `${reason.column}: `;
    return `      ${whole(reason.rows)}  ${printableLine(where + reason.message)}\n`;
  });
  return (
    line(day, run, whole(rows), percent(rejectRate), change, percent(badRate)) + reasons.join('')
  );
}

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;

/** In percentage points. */
const signed = (change: number): string =>
  `${change < 0 ? '-' : '+'}${(Math.abs(change) * 100).toFixed(1)}`;
