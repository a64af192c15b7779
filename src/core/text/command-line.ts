import { printableLine } from './printable.js';
import { shellWord } from './shell-word.js';

/** A command as a person pastes it, in one line that a terminal can show. */
export const commandLine = (words: readonly string[]): string =>
  ['cardline', ...words].map((word) => shellWord(printableLine(word))).join(' ');

/** The same for a command on what is in a ledger, which need not be the one that is taken without a word. */
export const ledgerCommand = (ledger: string, ...words: readonly string[]): string =>
  commandLine([...words, '--ledger', ledger]);
