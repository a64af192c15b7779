import { hash } from 'node:crypto';
import { KEY_WORDS } from '../client/prepared.js';
import type { DuplicateKind } from './duplicate-rule.js';
import { markedWord } from './key-kind.js';

/**
 * Keys that are the same in every run: by them the rows of a run are compared with those of later ones. Those of phones
 * are kept in the ledger in place of the numbers. They are digests without a secret: who has the ledger can try out
 * numbers, so that they are personal data all the same.
 */

/** Where the words of a key go. */
export interface KeyWords {
  push(word: number): void;
}

/** The key of a client's identifiers: numbers and texts of the same digits are one client, as for the contact center. */
export function pushIdentifiersKey(
  words: KeyWords,
  identifiers: readonly (string | number)[],
): void {
  pushDigest(words, `sync:${JSON.stringify(identifiers.map(String))}`, 'sync');
}

/** The key of a phone: E.164 without the plus, or the text as it is sent where it is no such number. */
export function pushPhoneKey(words: KeyWords, phone: number | string): void {
  const text = typeof phone === 'number' ? `+${phone}` : phone;
  pushDigest(words, `phone:${text}`, 'phone');
}

/** Bytes of a key. */
const KEY_BYTES = KEY_WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** The keys at these places as text for the ledger. */
export function keysText(keys: Uint32Array, offsets: readonly number[]): string {
  const bytes = Buffer.alloc(offsets.length * KEY_BYTES);
  let end = 0;
  for (const offset of offsets)
    for (let word = 0; word < KEY_WORDS; word++)
      end = bytes.writeUInt32LE(keys[offset + word] ?? 0, end);
  return bytes.toString('base64url');
}

/** The words of the keys that a text of the ledger holds. */
export function keysOf(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64url');
  const words = new Uint32Array(Math.floor(bytes.length / KEY_BYTES) * KEY_WORDS);
  for (let word = 0; word < words.length; word++)
    words[word] = bytes.readUInt32LE(word * Uint32Array.BYTES_PER_ELEMENT);
  return words;
}

/** The key of a phone as `keysText` writes it. */
export function phoneKeyText(phone: number): string {
  const words: number[] = [];
  pushPhoneKey(words, phone);
  return keysText(Uint32Array.from(words), [0]);
}

/** Whether a key, as `keysText` writes one, is among those of a text of the ledger. */
export function hasKey(text: string, key: string): boolean {
  for (let at = 0; at < text.length; at += key.length) if (text.startsWith(key, at)) return true;
  return false;
}

/** Of a text in bytes, one character a byte: no other form of a digest is made as fast. */
function pushDigest(words: KeyWords, text: string, kind: DuplicateKind): void {
  const bytes = hash('sha256', text, 'binary');
  words.push(wordAt(bytes, 0));
  words.push(wordAt(bytes, 4));
  words.push(markedWord(wordAt(bytes, 8), kind));
}

const wordAt = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0;
