import type { Erased, ErasedIn } from '../../app/erase/erase-person.js';
import { whole } from '../../core/text/whole.js';

/** Where a person was, for the person who erased it. */
export function erasedText({ runs, unreadable }: Erased): string {
  const left = unreadable.map((file) => `It cannot be read, and may have the person: ${file}`);
  if (runs.length === 0) return `${[...left, 'No run has the person.'].join('\n')}\n`;
  return `${[...runs.flatMap(runLines), ...left, OTHERS].join('\n')}\n`;
}

const OTHERS =
  'What you saved elsewhere, the spreadsheets themselves and the contact center have the person still.';

function runLines({ run, count, rows, files }: ErasedIn): string[] {
  const places = rows.map(
    ({ file, sheet, row }) => `  ${file}${sheet ? `, ${sheet}` : ''}, row ${row}`,
  );
  const more = count > rows.length ? [`  and ${whole(count - rows.length)} more`] : [];
  return [
    `Run ${run}: ${whole(count)} ${count === 1 ? 'row' : 'rows'} erased.`,
    ...places,
    ...more,
    ...files.map((file) => `  written anew or removed: ${file}`),
  ];
}
