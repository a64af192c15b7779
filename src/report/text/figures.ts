import { wrapped } from '../../core/text.js';

/** A part of all in percent. Rounding never shows 0.0 % for some, nor 100.0 % for less than all. */
export function share(part: number, all: number): string {
  if (part === all) return '100.0 %';
  const percent = (part / all) * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return percent > 99.9 ? '> 99.9 %' : `${percent.toFixed(1)} %`;
}

export type Line = readonly [label: string, value: string, note: string];

/**
 * Lines of a label, a right-aligned figure and a note, as plain text, each ended by `\n`.
 * @param width of the terminal in characters; without it, nothing is wrapped
 */
export function aligned(lines: readonly Line[], width?: number): string {
  const label = Math.max(...lines.map((line) => line[0].length));
  const value = Math.max(...lines.map((line) => line[1].length));
  return lines
    .map(([a, b, c]) => wrapped(`${a.padEnd(label)}  ${b.padStart(value)}  `, c, width).trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
