import type { PastRun } from '../../../shared/history.js';
import { historyText, modeText, stateText } from '../../messages/history.js';
import { mendedRows } from '../../parts/rejects-note.js';
import { dateTime, t } from '../../state/language.js';

/** What a run is called: the name of its file, and what it does with an earlier run of that. */
export function nameOf({ files: [first, ...others], rejectsOf, worksOn, mode }: PastRun): string {
  const file = (rejectsOf ? mendedRows(rejectsOf) : first) ?? worksOn ?? t(historyText.noFile);
  const name = others.length === 0 ? file : t(historyText.files, file, others.length);
  const what = modeWord(mode);
  return worksOn === null ? name : `${what.slice(0, 1).toUpperCase()}${what.slice(1)}: ${name}`;
}

/** Name and time: what distinguishes the controls of one run from those of another. */
export const namesOf = (run: PastRun): [name: string, when: string] => [
  nameOf(run),
  dateTime(run.startedAt),
];

const isMode = (mode: string): mode is keyof typeof modeText => mode in modeText;

export const modeWord = (mode: string): string => (isMode(mode) ? t(modeText[mode]) : mode);

export const stateWord = (state: PastRun['state']): string => t(stateText[state]);
