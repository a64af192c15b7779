import { hash } from 'node:crypto';
import type { Client } from '../../core/card.js';
import { KEY_WORDS } from '../../core/prepared.js';
import type { DuplicateRule } from '../../pipeline/screen.js';

/** The texts by which a client is told to be a duplicate. */
export function duplicateTexts(
  rule: DuplicateRule,
  client: Client,
  identity: readonly (string | number)[],
): readonly string[] {
  if (rule === 'phone') return client.phones.map((phone) => phone.phoneNumber);
  if (rule === 'sync' && identity.length > 0) return [JSON.stringify(identity.map(String))];
  return [];
}

/** Appends the digest of a text, as words of 32 bits. */
export function pushKey(words: number[], text: string): void {
  const digest = hash('sha1', text, 'buffer');
  for (let word = 0; word < KEY_WORDS; word++) words.push(digest.readUInt32LE(word * 4));
}
