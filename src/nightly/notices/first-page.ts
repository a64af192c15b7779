import { OUTCOME_TRAITS, OUTCOMES } from '../../core/outcome.js';
import { whole } from '../../core/text.js';
import type { Notice } from './notice.js';

/** The first page of a report, as far as a notice may know it: counts and words, no values of cells. */
export interface FirstPage {
  readonly sentence: string;
  /** Label, value and what it means. */
  readonly facts: readonly (readonly [label: string, value: string, note: string])[];
  readonly reasons: readonly (readonly [rows: string, column: string, message: string])[];
  readonly next: string | null;
}

export function firstPage(notice: Notice): FirstPage {
  const { sentence, pickup, file, run, rows, quality, seconds, reasons, next } = notice;
  const facts: FirstPage['facts'] = [
    ['Pickup', pickup, ''],
    ...(file === null ? [] : [['File', file, ''] as const]),
    ...(run === null ? [] : [['Run', run, ''] as const]),
    ...(rows === null ? [] : [['Rows', whole(rows), ''] as const]),
    ...outcomeFacts(notice),
    // A notice that an earlier version left waiting has neither.
    ...(typeof quality !== 'number'
      ? []
      : [['List', `${Math.round(quality)} of 100`, 'how good the list is'] as const]),
    ...(typeof seconds !== 'number' ? [] : [['Time', `${seconds.toFixed(1)} s`, ''] as const]),
  ];
  return {
    ...{ sentence, facts, next },
    reasons: reasons.map(({ rows: count, column, message }) => [
      whole(count),
      column ?? '',
      message,
    ]),
  };
}

const outcomeFacts = ({ rows, outcomes }: Notice): FirstPage['facts'] =>
  OUTCOMES.flatMap((outcome) => {
    const count = outcomes[outcome] ?? 0;
    if (count === 0) return [];
    const share = rows ? `${Number(((count / rows) * 100).toPrecision(2))} %: ` : '';
    return [[outcome, whole(count), `${share}${OUTCOME_TRAITS[outcome].meaning}`]];
  });

/** The page as plain text. */
export function firstPageText({ sentence, facts, reasons, next }: FirstPage): string {
  const width = Math.max(...facts.map(([label]) => label.length));
  return [
    sentence,
    '',
    ...facts.map(
      ([label, value, note]) =>
        `${label.padEnd(width)}  ${value}${note === '' ? '' : `  (${note})`}`,
    ),
    ...(reasons.length === 0 ? [] : ['', 'Why rows did not end well:']),
    ...reasons.map(
      ([rows, column, message]) => `- ${rows} x ${column === '' ? '' : `${column}: `}${message}`,
    ),
    ...(next === null ? [] : ['', `Next: ${next}`]),
    '',
  ].join('\n');
}

/** The page as HTML, for programs that show mail: no script, no picture, nothing from elsewhere. */
export function firstPageHtml({ sentence, facts, reasons, next }: FirstPage): string {
  return [
    '<!doctype html><meta charset="utf-8">',
    `<body style="font-family:sans-serif;max-width:42em"><p style="font-size:1.2em">${escaped(sentence)}</p>`,
    table([], facts),
    table(['Rows', 'Column', 'Why'], reasons),
    next === null ? '' : `<p><b>Next:</b> <code>${escaped(next)}</code></p>`,
    '</body>',
  ].join('\n');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<table border="1" cellpadding="4" style="border-collapse:collapse;margin:1em 0">${[
        ...(head.length === 0 ? [] : [row(head, 'th')]),
        ...rows.map((cells) => row(cells, 'td')),
      ].join('')}</table>`;

const row = (cells: readonly string[], tag: 'td' | 'th'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
