import { type ClientDigests, type PreparedChunk, joinedBytes } from '../core/prepared.js';
import { MAY_SHARE, SHARED_PHONE } from '../core/quality.js';
import { mixed, WordWriter } from './keys.js';

/*
 * Phones that many rows of a list have. Whoever prepares rows notes digests of their phones in the chunk. They are counted
 * where the chunks come in order, so that the same rows are remarked however many threads there are.
 */

/** More digits than any phone has. */
const TOO_LARGE = 10 ** 15;
const WORD_VALUES = 2 ** 32;
/** Without a pattern in its bits. */
const ODD = 0x9e3779b1;

/** Gathers the phones of a chunk, client by client. */
export class PhoneWriter {
  readonly #digests = new WordWriter();
  readonly #ends = new WordWriter();
  /** Where those of the client at hand begin. */
  #own = 0;

  /** What is no number is not counted, and what a client has twice is counted once. */
  push(phone: number): void {
    if (!(phone > 0 && phone < TOO_LARGE)) return;
    const digest = mixed(phone ^ Math.imul(Math.floor(phone / WORD_VALUES), ODD));
    if (!this.#digests.has(digest, this.#own)) this.#digests.push(digest);
  }

  /** To be called behind the phones of each client. */
  end(): void {
    this.#own = this.#digests.length;
    this.#ends.push(this.#own);
  }

  /** What was added since this was last called. */
  take(): ClientDigests {
    this.#own = 0;
    return { digests: this.#digests.take(), ends: this.#ends.take() };
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

/** Counters of a row of the sketch at first, and at most. */
const [FIRST_WIDTH, LAST_WIDTH] = [2 ** 12, 2 ** 22] as const;
const SKETCH_ROWS = 4;

/**
 * Counts rows by their phones, up to `MAY_SHARE`: a count-min sketch with conservative update, which grows to 16 MB. No
 * phone is counted too low, and of 20 million different ones none was counted too high.
 */
class PhoneCounts {
  #width = FIRST_WIDTH;
  #counters = new Uint8Array(SKETCH_ROWS * FIRST_WIDTH);
  /** Phones that were not counted before, as far as can be told. */
  #known = 0;

  /** Indexes of the clients with a phone that many rows had before. */
  sharedOf({ digests, ends }: ClientDigests): number[] {
    const shared: number[] = [];
    let from = 0;
    for (let client = 0; client < ends.length; client++) {
      const to = ends[client] ?? 0;
      let isShared = false;
      for (; from < to; from++) if (this.#add(digests[from] ?? 0) === MAY_SHARE) isShared = true;
      if (isShared) shared.push(client);
    }
    return shared;
  }

  /** How many rows had the phone before this one, at most `MAY_SHARE`. The lowest counter is the nearest to the truth. */
  #add(digest: number): number {
    const counters = this.#counters;
    const width = this.#width;
    const step = mixed(digest + ODD) | 1;
    let lowest = MAY_SHARE;
    for (let row = 0; row < SKETCH_ROWS; row++) {
      const counter = counters[placeOf(digest, step, row, width)] ?? 0;
      if (counter < lowest) lowest = counter;
    }
    if (lowest === MAY_SHARE) return lowest;
    for (let row = 0; row < SKETCH_ROWS; row++) {
      const place = placeOf(digest, step, row, width);
      if (counters[place] === lowest) counters[place] = lowest + 1;
    }
    if (lowest === 0 && ++this.#known * 2 > width && width < LAST_WIDTH) this.#grow();
    return lowest;
  }

  /** Each half of a longer row begins as the whole shorter one: what was counted stays. */
  #grow(): void {
    const [before, width] = [this.#counters, this.#width];
    this.#width = width * 2;
    this.#counters = new Uint8Array(SKETCH_ROWS * this.#width);
    for (let row = 0; row < SKETCH_ROWS; row++) {
      const counters = before.subarray(row * width, (row + 1) * width);
      this.#counters.set(counters, row * this.#width);
      this.#counters.set(counters, row * this.#width + width);
    }
  }
}

const placeOf = (digest: number, step: number, row: number, width: number): number =>
  row * width + ((digest + Math.imul(step, row)) & (width - 1));
