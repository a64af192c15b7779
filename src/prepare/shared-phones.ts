import { type ClientNumbers, type PreparedChunk, joinedBytes } from '../core/prepared.js';
import { MAY_SHARE, SHARED_PHONE } from '../core/quality.js';
import { NumberWriter } from './client-columns.js';
import { mixed } from './keys.js';

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

/** Counters of a row of the sketch, while it has few phones, and more, and at last. */
const WIDTHS = [2 ** 12, 2 ** 17, 2 ** 22] as const;
const [FIRST_WIDTH, , LAST_WIDTH] = WIDTHS;
const SKETCH_ROWS = 4;
/** So many counters a phone that has been counted are in a row before the sketch grows. */
const ROOM = 4;

/**
 * Counts rows by their phones, up to `MAY_SHARE`: a count-min sketch with conservative update, which grows to 16 MB. No
 * phone is counted too low. A million different phones were counted exactly; of five million, two of a thousand remarks
 * came a row too early.
 */
class PhoneCounts {
  #width: number = FIRST_WIDTH;
  #counters = new Uint8Array(SKETCH_ROWS * FIRST_WIDTH);
  /** What was counted, as long as the sketch can grow: a larger one counts it again. */
  readonly #counted: number[] = [];

  /** Indexes of the clients with a phone that many rows had before. */
  sharedOf({ numbers, ends }: ClientNumbers): number[] {
    const shared: number[] = [];
    let from = 0;
    for (let client = 0; client < ends.length; client++) {
      const to = ends[client] ?? 0;
      let isShared = false;
      for (; from < to; from++) if (this.#add(numbers[from] ?? 0) === MAY_SHARE) isShared = true;
      if (isShared) shared.push(client);
    }
    return shared;
  }

  #add(phone: number): number {
    if (this.#width < LAST_WIDTH) {
      if (this.#counted.length * ROOM > this.#width) this.#grow();
      this.#counted.push(phone);
    }
    return this.#count(phone);
  }

  /** How many rows had the phone before this one, at most `MAY_SHARE`. The lowest counter is the nearest to the truth. */
  #count(phone: number): number {
    const counters = this.#counters;
    const width = this.#width;
    const spread = mixed(Math.floor(phone / WORD_VALUES) + ODD);
    const hash = mixed(phone ^ spread);
    const step = mixed(hash + spread) | 1;
    let lowest = MAY_SHARE;
    for (let row = 0; row < SKETCH_ROWS; row++) {
      const counter = counters[placeOf(hash, step, row, width)] ?? 0;
      if (counter < lowest) lowest = counter;
    }
    if (lowest === MAY_SHARE) return lowest;
    for (let row = 0; row < SKETCH_ROWS; row++) {
      const place = placeOf(hash, step, row, width);
      if (counters[place] === lowest) counters[place] = lowest + 1;
    }
    return lowest;
  }

  #grow(): void {
    this.#width = WIDTHS.find((width) => width > this.#width) ?? LAST_WIDTH;
    this.#counters = new Uint8Array(SKETCH_ROWS * this.#width);
    for (const phone of this.#counted) this.#count(phone);
    if (this.#width === LAST_WIDTH) this.#counted.length = 0;
  }
}

const WORD_VALUES = 2 ** 32;
/** Without a pattern in its bits. */
const ODD = 0x9e3779b1;

const placeOf = (hash: number, step: number, row: number, width: number): number =>
  row * width + ((hash + Math.imul(step, row)) & (width - 1));
