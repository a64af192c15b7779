import type { Site } from '../handler.js';
import type { StoredList } from './lists.js';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { cwd } from 'node:process';
import { DEFAULT_LEDGER, absoluteLedger } from '../../../options/places.js';
import { isPostgresAddress } from '../../../core/ledger.js';
import { commandLine } from '../../../core/text.js';
import type { SiteSettings } from '../settings.js';

/** A list as the page sees it. */
export function shownList(stored: StoredList, { settings }: Pick<Site, 'settings'>) {
  const { id, name, bytes, complete, createdAt, source, mapping, likeLast, run, step } = stored;
  return {
    ...{ id, name, bytes, complete, createdAt, source, mapping, likeLast, run, step },
    /** Whether no file outside of the list has its mapping as it is now. */
    isUnsaved: stored.mappingFile === null,
    /** What does the same on the command line. */
    command: commandOf(stored, settings),
  };
}

/**
 * What does the same as the page on the command line, in the folder where that was started. An upload is named by the
 * place of its copy: where the person's own file lies, no page knows.
 */
export function commandOf(
  list: StoredList,
  { center, ledger }: SiteSettings,
  options: readonly string[] = [],
): string {
  const { sheet, encoding, delimiter } = list.source;
  const source = Object.entries({ sheet, encoding, delimiter }).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, value === '\t' ? 'tab' : value],
  );
  const file = pathWord(list.file);
  if (list.step === 'file') return commandLine(['rows', file, ...source]);
  // The mapping holds how the file is read.
  const words = [file, '-m', pathWord(list.mappingPath)];
  if (center) words.push('-i', pathWord(center.installation));
  if (list.step === 'check') return commandLine(['check', ...words, ...options]);
  if (center?.kind === 'sandbox') words.push('--sandbox');
  words.push(...ledgerWords({ ledger }));
  return commandLine(['import', ...words, ...options]);
}

/** What says which ledger is meant, where it is not the one that is taken without a word. */
export const ledgerWords = ({ ledger }: Pick<SiteSettings, 'ledger'>): string[] =>
  absoluteLedger(ledger) === absoluteLedger(DEFAULT_LEDGER)
    ? []
    : ['--ledger', isPostgresAddress(ledger) ? ledger : pathWord(ledger)];

/** What names the cells that were corrected. */
export const correctionsWords = ({ corrections }: StoredList): string[] => [
  '--corrections',
  pathWord(corrections),
];

/** A path as short as it can be in the folder where the page was started. */
function pathWord(path: string): string {
  const short = relative(cwd(), path);
  if (short.startsWith(`..${sep}`) || isAbsolute(short)) return resolve(path);
  return short.startsWith('-') ? `.${sep}${short}` : short;
}
