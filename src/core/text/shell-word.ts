import { platform } from 'node:process';

/** Words that no shell changes. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word as a person pastes it into the shell of this system. */
export function shellWord(word: string, system: string = platform): string {
  if (PLAIN.test(word) || (system === 'win32' && /^[\w@+=:,./\\-]+$/.test(word))) return word;
  return system === 'win32'
    ? `"${word.replaceAll('"', '""')}"`
    : `'${word.replaceAll("'", `'\\''`)}'`;
}
