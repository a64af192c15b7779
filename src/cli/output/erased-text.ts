import type { Erased, ErasedIn } from '../../app/erase/erase-person.js';
import { whole } from '../../core/text.js';

/** Where a person was, for the person who erased it. */
export function erasedText({ runs, unreadable }: Erased): string {
  const left = unreadable.map((file) => `It cannot be read, and may have the person: ${file}`);
  if (runs.length === 0) return `${[...left, 'No run has the person.'].join('\n')}\n`;
  return `${[...runs.flatMap(runLines), ...left, OTHERS].join('\n')}\n`;
}

const OTHERS =
  'What you saved elsewhere, the spreadsheets themselves and the contact center have the person still.';

/** What becomes of rows of the person that a run has not done with. */
function waitingLines({ waiting, goesOn }: ErasedIn): string[] {
  if (waiting === 0) return [];
  const [rows, have] = waiting === 1 ? ['row', 'has'] : ['rows', 'have'];
  const what = goesOn
    ? 'when the run goes on, it does so with what its files have of the person.'
    : 'nobody knows any more whose they were, so that the run leaves them: look whether the person is in the campaign still.';
  return [`  ${whole(waiting)} ${rows} ${have} not come to the end: ${what}`];
}

function runLines(erased: ErasedIn): string[] {
  const { run, count, rows, files } = erased;
  const places = rows.map(
    ({ file, sheet, row }) => `  ${file}${sheet ? `, ${sheet}` : ''}, row ${row}`,
  );
  const more = count > rows.length ? [`  and ${whole(count - rows.length)} more`] : [];
  return [
    `Run ${run}: ${whole(count)} ${count === 1 ? 'row' : 'rows'} erased.`,
    ...places,
    ...more,
    ...waitingLines(erased),
    ...files.map((file) => `  written anew or removed: ${file}`),
  ];
}
