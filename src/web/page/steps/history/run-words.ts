import type { PastRun } from '../../../shared/history.js';
import { historyText, modeText, stateText } from '../../messages/history.js';
import { dateTime, t } from '../../state/language.js';

/** What a run is called: the name of its file. */
export function nameOf({ files: [first, ...others], worksOn }: PastRun): string {
  if (first === undefined) return worksOn ?? t(historyText.noFile);
  return others.length === 0 ? first : t(historyText.files, first, others.length);
}

/** Name and time: what distinguishes the controls of one run from those of another. */
export const namesOf = (run: PastRun): [name: string, when: string] => [
  nameOf(run),
  dateTime(run.startedAt),
];

const isMode = (mode: string): mode is keyof typeof modeText => mode in modeText;

export const modeWord = (mode: string): string => (isMode(mode) ? t(modeText[mode]) : mode);

export const stateWord = (state: PastRun['state']): string => t(stateText[state]);
