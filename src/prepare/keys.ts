import { hash } from 'node:crypto';
import type { MappedPayload } from '../core/payload.js';
import type { DuplicateRule } from '../core/duplicates/duplicate-rule.js';
import type { WordWriter } from './word-writer.js';

/** Appends the keys by which a client is found to be a duplicate, as words of 32 bits. */
export type PushKeys = (
  words: WordWriter,
  mapped: {
    readonly uuid: string;
    readonly identifiers: readonly (string | number)[];
    readonly payload: MappedPayload;
  },
) => void;

/**
 * `derivedUuid`: whether the clients' uuids are digests of their identifiers, so that nothing is to be digested again.
 * Without identifiers, as in a check without an installation, there are no duplicates by them.
 */
export function keysBy(rule: DuplicateRule, derivedUuid: boolean, identified: boolean): PushKeys {
  if (rule === 'phone')
    return (words, { payload }) => {
      if (!('phones' in payload)) return;
      for (const { phoneNumber } of payload.phones) pushDigest(words, phoneNumber);
    };
  if (rule === 'none' || !identified) return () => undefined;
  if (derivedUuid)
    return (words, { uuid }) => {
      pushUuid(words, uuid);
    };
  return (words, { identifiers }) => {
    pushDigest(words, JSON.stringify(identifiers.map(String)));
  };
}

function pushDigest(words: WordWriter, text: string): void {
  const hex = hash('sha1', text, 'hex');
  words.push(wordAt(hex, 0, 8));
  words.push(wordAt(hex, 8, 16));
  words.push(wordAt(hex, 16, 24));
}

/** The parts of a UUIDv5 that are digest: 92 of its 122 bits, without the version and the variant. */
function pushUuid(words: WordWriter, uuid: string): void {
  words.push(wordAt(uuid, 0, 8));
  words.push(((wordAt(uuid, 9, 13) << 12) | wordAt(uuid, 15, 18)) >>> 0);
  words.push(wordAt(uuid, 28, 36));
}

const LETTERS = 0x40;

/** The digits of `hex` from one place to another as a number. */
function wordAt(hex: string, from: number, to: number): number {
  let word = 0;
  for (let at = from; at < to; at++) {
    const code = hex.charCodeAt(at);
    // Digits end on their value, letters on theirs less nine.
    word = (word << 4) | ((code & 0x0f) + (code > LETTERS ? 9 : 0));
  }
  return word >>> 0;
}
