import { basename } from 'node:path';
import { platform } from 'node:process';
import type { SiteSettings } from '../settings.js';
import type { StoredList } from './lists.js';

/** Words that no shell changes. */
const PLAIN = /^[\w@%+=:,./-]+$/;

function shellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  return platform === 'win32'
    ? `"${word.replaceAll('"', '""')}"`
    : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What does the same as the page on the command line. */
export function commandOf(list: StoredList, { center, ledger }: SiteSettings): string {
  const { sheet, encoding, delimiter } = list.source;
  const source = Object.entries({ sheet, encoding, delimiter }).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, value === '\t' ? 'tab' : value],
  );
  const file = list.path ?? list.name;
  if (list.step === 'file') return commandLine(['rows', file, ...source]);
  // The mapping holds how the file is read.
  const words = [file, '-m', list.mappingPath];
  if (center) words.push('-i', center.installation);
  if (list.step === 'check') return commandLine(['check', ...words]);
  if (center?.kind === 'sandbox') words.push('--sandbox');
  words.push(...ledgerWords({ ledger }));
  return commandLine(['import', ...words]);
}

/** A command as a person pastes it. */
export const commandLine = (words: readonly string[]): string =>
  ['cardline', ...words].map(shellWord).join(' ');

/** What says which ledger is meant, where it is not the one that is taken without a word. */
export const ledgerWords = ({ ledger }: Pick<SiteSettings, 'ledger'>): string[] =>
  basename(ledger) === 'cardline.db' ? [] : ['--ledger', ledger];
