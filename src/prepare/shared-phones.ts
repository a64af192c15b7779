import { type PreparedChunk, joinedBytes } from '../core/prepared.js';
import { MAY_SHARE, SHARED_PHONE } from '../core/quality.js';
import { zeroWords } from '../lists/seen.js';
import { mixed, WordWriter } from './client-columns.js';

/*
 * Phones that many rows of a list have. Whoever prepares rows notes their phones in the chunk, as words. They are counted
 * where the chunks come in order, so that the same rows are remarked however many threads there are.
 */

type PhoneWords = NonNullable<PreparedChunk['phones']>;

/** More digits than any phone has. */
const TOO_LONG = 16;
const ZERO = 0x30;

export class PhoneWriter {
  readonly #words = new WordWriter();
  readonly #ends = new WordWriter();
  #own = 0;

  /** Adds a phone by its digits, with whatever signs it is sent. What is no number is not counted. */
  push(phone: string): void {
    let [digits, word] = [0, 0];
    for (let at = 0; at < phone.length; at++) {
      const digit = phone.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) continue;
      word = Math.imul(word, 31) + digit;
      // Zeros in front say nothing.
      if (digits > 0 || digit > 0) digits++;
    }
    if (digits === 0 || digits >= TOO_LONG) return;
    word = mixed(word);
    // What a client has twice is counted once.
    if (!this.#words.has(word, this.#own)) this.#words.push(word);
  }

  /** To be called behind the phones of each client. */
  end(): void {
    this.#own = this.#words.length;
    this.#ends.push(this.#own);
  }

  take(): PhoneWords {
    this.#own = 0;
    return { words: this.#words.take(), ends: this.#ends.take() };
  }
}

/** The chunks of a list, in its order, with a remark on rows whose phone is that of many before them. */
export async function* withSharedPhones(
  chunks: AsyncIterable<PreparedChunk>,
): AsyncGenerator<PreparedChunk, void, undefined> {
  const counts = new PhoneCounts();
  for await (const { phones, ...chunk } of chunks) {
    const shared = phones ? counts.sharedOf(phones) : [];
    yield shared.length === 0 ? chunk : withRemarks(chunk, shared);
  }
}

function withRemarks(chunk: PreparedChunk, indexes: readonly number[]): PreparedChunk {
  const { clients, read, remarks } = chunk;
  const shared = indexes.map((index) => clients.at[index] ?? 0);
  const { column, code, message } = SHARED_PHONE;
  const firstRow = clients.rows[indexes[0] ?? 0] ?? 0;
  const noted = {
    ...{ ...chunk, shared },
    remarks: [...remarks, { column, code, message, count: shared.length, firstRow }],
  };
  if (read.length === 0) return noted;
  // Behind all else: identifiers are found in the text by their places.
  const texts = joinedBytes([
    read.subarray(0, -1),
    Buffer.from(`,"shared":${JSON.stringify(shared)}}`),
  ]);
  return {
    ...noted,
    read: texts,
    clients: { ...clients, identities: { ...clients.identities, texts } },
  };
}

/** Words of counters, 4 MB. */
const WORDS = 2 ** 20;
/** All counters of a phone lie in one line of the processor's cache: 16 words of eight counters of four bits. */
const [LINE_WORDS, LINE_COUNTERS] = [16, 128];
const COUNTER = 0b1111;
/** Without a pattern in its bits. */
const ODD = 0x9e3779b1;

/**
 * Counts rows by their phones, up to `MAY_SHARE`: many phones by three counters each, of which the smallest one counts, as
 * others may share them. No phone is counted too low. Of a million, some twenty are counted too high, so that a remark on
 * them comes a row too early, where a fifth of them stand in many rows.
 */
class PhoneCounts {
  readonly #words = zeroWords(WORDS);

  sharedOf({ words, ends }: PhoneWords): number[] {
    const shared: number[] = [];
    let from = 0;
    for (let client = 0; client < ends.length; client++) {
      const to = ends[client] ?? 0;
      let isShared = false;
      for (; from < to; from++) if (this.#count(words[from] ?? 0)) isShared = true;
      if (isShared) shared.push(client);
    }
    return shared;
  }

  /** Whether `MAY_SHARE` rows had the phone before this one. */
  #count(phone: number): boolean {
    const line = (phone & (WORDS / LINE_WORDS - 1)) * LINE_COUNTERS;
    const places = mixed(phone + ODD);
    const first = line + (places & (LINE_COUNTERS - 1));
    const second = line + ((places >>> 7) & (LINE_COUNTERS - 1));
    const third = line + ((places >>> 14) & (LINE_COUNTERS - 1));
    const [one, two, three] = [this.#at(first), this.#at(second), this.#at(third)];
    const count = Math.min(one, two, three);
    if (count >= MAY_SHARE) return true;
    if (one === count) this.#increment(first);
    if (two === count && second !== first) this.#increment(second);
    if (three === count && third !== first && third !== second) this.#increment(third);
    return false;
  }

  #at(counter: number): number {
    return ((this.#words[counter >>> 3] ?? 0) >>> ((counter & 7) * 4)) & COUNTER;
  }

  #increment(counter: number): void {
    const word = counter >>> 3;
    this.#words[word] = (this.#words[word] ?? 0) + (1 << ((counter & 7) * 4));
  }
}
