import { hash } from 'node:crypto';
import { KEY_WORDS } from '../core/prepared.js';
import {
  type DuplicateRule,
  kindOfKey,
  markedWord,
  keysText,
  pushIdentifiersKey,
  pushPhoneKey,
} from '../core/duplicates.js';

/** A client as far as duplicates are known by it. */
export interface ComparedClient {
  readonly uuid: string;
  readonly identifiers: readonly (string | number)[];
  /** Its phones: E.164 without the plus, or as they are sent where they are none. */
  readonly compared?: readonly (number | string)[] | undefined;
}

type PushKeys = (words: WordWriter, client: ComparedClient) => void;

/**
 * Appends the keys by which a client is found to be a duplicate, as words of 32 bits. Where rows are compared with those
 * of earlier runs, their keys are the same in every run, and the one of the identifiers is always among them: it shows
 * which rows are of the same client.
 * @param derivedUuid whether the clients' uuids are digests of their identifiers, so that nothing is to be digested again
 * @param identified false where clients have no identifiers, as in a check without an installation
 */
export function keysBy(
  { by, within }: DuplicateRule,
  derivedUuid: boolean,
  identified: boolean,
): PushKeys {
  if (by.length === 0) return () => undefined;
  const isLasting = within === 'runs';
  const pushSync = !(identified && (isLasting || by.includes('sync')))
    ? null
    : isLasting
      ? pushLastingIdentifiers
      : derivedUuid
        ? pushUuid
        : pushIdentifiers;
  if (!by.includes('phone')) return pushSync ?? (() => undefined);
  const pushPhone = isLasting ? pushPhoneKey : pushNumber;
  return (words, client) => {
    pushSync?.(words, client);
    for (const phone of client.compared ?? []) pushPhone(words, phone);
  };
}

/** The keys of phones among these as text, for the record of their row; empty where there are none. */
export function phonesText(keys: Uint32Array): string {
  const offsets: number[] = [];
  for (let at = 0; at < keys.length; at += KEY_WORDS)
    if (kindOfKey(keys, at) === 'phone') offsets.push(at);
  return offsets.length === 0 ? '' : keysText(keys, offsets);
}

const pushLastingIdentifiers: PushKeys = (words, { identifiers }) => {
  pushIdentifiersKey(words, identifiers);
};

const pushIdentifiers: PushKeys = (words, { identifiers }) => {
  const hex = hash('sha1', JSON.stringify(identifiers.map(String)), 'hex');
  words.push(wordAt(hex, 0, 8));
  words.push(wordAt(hex, 8, 16));
  words.push(markedWord(wordAt(hex, 16, 24), 'sync'));
};

/** The parts of a UUIDv5 that are digest: 91 of its 122 bits, without the version and the variant. */
const pushUuid: PushKeys = (words, { uuid }) => {
  words.push(wordAt(uuid, 0, 8));
  words.push(((wordAt(uuid, 9, 13) << 12) | wordAt(uuid, 15, 18)) >>> 0);
  words.push(markedWord(wordAt(uuid, 28, 36), 'sync'));
};

const WORD_VALUES = 2 ** 32;
/** Odd, and without a pattern in their bits. */
const [FIRST, SECOND, THIRD] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;

/** Within a file, numbers are mixed and not digested, in a tenth of the time. The first two words are of one number alone. */
function pushNumber(words: WordWriter, phone: number | string): void {
  if (typeof phone === 'string') {
    pushPhoneKey(words, phone);
    return;
  }
  const high = Math.floor(phone / WORD_VALUES);
  const spread = mixed(high + FIRST);
  const first = mixed(phone ^ spread);
  const second = mixed(first + Math.imul(high, SECOND) + THIRD);
  words.push(first);
  words.push(second);
  words.push(markedWord(mixed(first ^ Math.imul(second, FIRST)), 'phone'));
}

const LETTERS = 0x40;

function wordAt(hex: string, from: number, to: number): number {
  let word = 0;
  for (let at = from; at < to; at++) {
    const code = hex.charCodeAt(at);
    // Digits end on their value, letters on theirs less nine.
    word = (word << 4) | ((code & 0x0f) + (code > LETTERS ? 9 : 0));
  }
  return word >>> 0;
}

/** As many as the largest column of a usual chunk has: where the engine never sees it grow, nothing is compiled again. */
const FIRST_WORDS = 4096;

/** Words of 32 bits, one after the other. What has been taken makes room for others in the same memory. */
export class WordWriter {
  #words = new Uint32Array(FIRST_WORDS);
  length = 0;

  push(word: number): void {
    if (this.length === this.#words.length) this.#grow();
    this.#words[this.length++] = word;
  }

  has(word: number, start: number): boolean {
    for (let at = start; at < this.length; at++) if (this.#words[at] === word) return true;
    return false;
  }

  cut(length: number): void {
    this.length = length;
  }

  from(start: number): Uint32Array {
    return this.#words.subarray(start, this.length);
  }

  take(): Uint32Array {
    const words = this.#words.slice(0, this.length);
    this.length = 0;
    return words;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#words.length * 2);
    larger.set(this.#words);
    this.#words = larger;
  }
}

/** A word whose bits all depend on all bits of another one, and that no other one gives (the finalizer of MurmurHash3). */
export function mixed(word: number): number {
  let bits = word ^ (word >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
