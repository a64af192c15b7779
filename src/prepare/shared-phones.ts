import { type ClientNumbers, type PreparedChunk, joinedBytes } from '../core/prepared.js';
import { MAY_SHARE, SHARED_PHONE } from '../core/quality.js';
import { NumberWriter } from './client-columns.js';
import { mixed } from './keys.js';
import { zeroWords } from '../lists/key-table.js';

/*
 * Phones that many rows of a list have. Whoever prepares rows notes their phones in the chunk. They are counted where the
 * chunks come in order, so that the same rows are remarked however many threads there are.
 */

/** More digits than any phone has. */
const TOO_LARGE = 10 ** 15;

/** Gathers the phones of a chunk, client by client. */
export class PhoneWriter {
  readonly #numbers = new NumberWriter();
  /** Where those of the client at hand begin. */
  #own = 0;

  /** What is no number is not counted, and what a client has twice is counted once. */
  push(phone: number): void {
    if (phone > 0 && phone < TOO_LARGE && !this.#numbers.has(phone, this.#own))
      this.#numbers.push(phone);
  }

  /** To be called behind the phones of each client. */
  end(): void {
    this.#own = this.#numbers.length;
    this.#numbers.end();
  }

  /** What was added since this was last called. */
  take(): ClientNumbers {
    this.#own = 0;
    return this.#numbers.take();
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

/** The chunk with a remark on these clients. */
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

/** Phones that are counted in little memory, and kept so that they can be counted again in more. */
const FEW = 2 ** 13;
/** Words of a filter for these, 64 KB, and for any number of them, 8 MB. */
const [FEW_WORDS, WORDS] = [2 ** 14, 2 ** 21];
/** All bits of a phone lie in one line of the processor's cache. */
const LINE_WORDS = 16;

/**
 * Counts rows by their phones, up to `MAY_SHARE`: a Bloom filter that holds a phone once for each row that has it. No phone
 * is counted too low. Of a million different phones, one in thirty thousand is counted too high, so that a remark on it
 * would come a row too early; of five million, one in five hundred.
 */
class PhoneCounts {
  #lines = zeroWords(FEW_WORDS);
  #few: number[] | null = [];

  /** Indexes of the clients with a phone that many rows had before. */
  sharedOf({ numbers, ends }: ClientNumbers): number[] {
    const shared: number[] = [];
    let from = 0;
    for (let client = 0; client < ends.length; client++) {
      const to = ends[client] ?? 0;
      let isShared = false;
      for (; from < to; from++) if (this.#add(numbers[from] ?? 0)) isShared = true;
      if (isShared) shared.push(client);
    }
    return shared;
  }

  /** Whether `MAY_SHARE` rows had the phone before this one. */
  #add(phone: number): boolean {
    if (this.#few?.length === FEW) {
      this.#lines = zeroWords(WORDS);
      for (const one of this.#few) this.#count(one);
      this.#few = null;
    }
    this.#few?.push(phone);
    return this.#count(phone);
  }

  #count(phone: number): boolean {
    const spread = mixed(Math.floor(phone / WORD_VALUES) + ODD);
    const place = mixed(phone ^ spread);
    const line = (place & (this.#lines.length / LINE_WORDS - 1)) * LINE_WORDS;
    let bits = mixed(place + spread);
    for (let row = 0; row < MAY_SHARE; row++) {
      if (this.#set(line, bits)) return false;
      bits = mixed(bits + ODD);
    }
    return true;
  }

  /** Sets bits of a line; whether one of them was not set before. */
  #set(line: number, bits: number): boolean {
    let isNew = false;
    for (let from = 0; from < 27; from += 9) {
      const word = line + ((bits >>> from) & 15);
      const bit = 1 << ((bits >>> (from + 4)) & 31);
      const old = this.#lines[word] ?? 0;
      if ((old & bit) !== 0) continue;
      this.#lines[word] = old | bit;
      isNew = true;
    }
    return isNew;
  }
}

const WORD_VALUES = 2 ** 32;
/** Without a pattern in its bits. */
const ODD = 0x9e3779b1;
