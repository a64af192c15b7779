import { type ClientNumbers, type PreparedChunk, joinedBytes } from '../core/prepared.js';
import { MAY_SHARE, SHARED_PHONE } from '../core/quality.js';
import { NumberWriter } from './client-columns.js';
import { mixed } from './keys.js';

/*
 * Phones that many rows of a list have. They are counted where the chunks come in order, so that the same rows are
 * remarked however many threads there are: in the thread that prepares all of them, or behind several, which hand on the
 * phones of each chunk.
 */

/** The chunks of several threads, in the order of the list, with a remark on rows whose phone is that of many before them. */
export async function* withSharedPhones(
  chunks: AsyncIterable<PreparedChunk>,
): AsyncGenerator<PreparedChunk, void, undefined> {
  const counted = new CountedPhones();
  for await (const { phones, ...chunk } of chunks) {
    if (phones) counted.addAll(phones);
    yield counted.finish(chunk);
  }
}

/** Takes the phones of a chunk, client by client. */
export interface ChunkPhones {
  push(phone: number): void;
  /** To be called behind the phones of each client. */
  end(): void;
  /** Gives the chunk what was found out about them. What is added then is of the next one. */
  finish(chunk: PreparedChunk): PreparedChunk;
}

/** Where all chunks of the list come by. */
export class CountedPhones implements ChunkPhones {
  readonly #counts = new PhoneCounts();
  /** Phones of the client at hand: a row may have its phone twice. */
  readonly #own: number[] = [];
  #isShared = false;
  #client = 0;
  /** Indexes of the clients with a phone that many rows had before. */
  #found: number[] = [];

  push(phone: number): void {
    if (this.#own.includes(phone)) return;
    this.#own.push(phone);
    if (this.#counts.add(phone) >= MAY_SHARE) this.#isShared = true;
  }

  end(): void {
    if (this.#isShared) this.#found.push(this.#client);
    this.#isShared = false;
    this.#own.length = 0;
    this.#client++;
  }

  addAll({ numbers, ends }: ClientNumbers): void {
    let from = 0;
    for (const to of ends) {
      for (let at = from; at < to; at++) this.push(numbers[at] ?? 0);
      this.end();
      from = to;
    }
  }

  finish(chunk: PreparedChunk): PreparedChunk {
    const finished = this.#found.length === 0 ? chunk : withRemarks(chunk, this.#found);
    [this.#client, this.#found] = [0, []];
    return finished;
  }
}

/** In one of several threads. */
export class HandedOnPhones implements ChunkPhones {
  readonly #numbers = new NumberWriter();

  push(phone: number): void {
    this.#numbers.push(phone);
  }

  end(): void {
    this.#numbers.end();
  }

  finish(chunk: PreparedChunk): PreparedChunk {
    return { ...chunk, phones: this.#numbers.take() };
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

/** So many different phones are counted each for itself. */
const MAX_EXACT = 1_000_000;
const [FIRST_PLACES, SKETCH_ROWS, SKETCH_WIDTH] = [2 ** 12, 4, 2 ** 22] as const;
/** A phone and the number of its rows are one number: so they are in one place of the memory. */
const COUNTS = 8;
/** More digits than any phone has. */
const TOO_LARGE = 10 ** 15;

/**
 * Counts rows by their phones, up to `MAY_SHARE`. The first million of different phones have counters of their own, in
 * 16 MB; all others share 16 MB of counters (a count-min sketch with conservative update). A phone among these is never
 * counted too low, and with 20 million different phones none was counted too high.
 */
class PhoneCounts {
  /** `phone * COUNTS + rows`. A place with 0 is free. */
  #places = zeroNumbers(FIRST_PLACES);
  #known = 0;
  #sketch: Uint8Array | undefined;

  /** How many rows had the phone before this one, at most `MAY_SHARE`; 0 for what is no number. */
  add(phone: number): number {
    if (!(phone > 0 && phone < TOO_LARGE)) return 0;
    const places = this.#places;
    const own = phone * COUNTS;
    const hash = hashOf(phone);
    let place = hash & (places.length - 1);
    for (let there = places[place] ?? 0; there !== 0; there = places[place] ?? 0) {
      const rows = there - own;
      if (rows > 0 && rows < COUNTS) {
        if (rows < MAY_SHARE) places[place] = there + 1;
        return rows;
      }
      place = (place + 1) & (places.length - 1);
    }
    if (this.#known === MAX_EXACT) return this.#addToSketch(hash);
    places[place] = own + 1;
    if (++this.#known * 2 > places.length) this.#grow();
    return 0;
  }

  #grow(): void {
    const before = this.#places;
    const places = zeroNumbers(before.length * 2);
    for (const there of before) {
      if (there === 0) continue;
      let place = hashOf(Math.floor(there / COUNTS)) & (places.length - 1);
      while (places[place] !== 0) place = (place + 1) & (places.length - 1);
      places[place] = there;
    }
    this.#places = places;
  }

  /** The lowest counter of a phone is the nearest to the truth: it alone is raised. */
  #addToSketch(hash: number): number {
    const step = mixed(hash + ODD) | 1;
    const sketch = (this.#sketch ??= new Uint8Array(SKETCH_ROWS * SKETCH_WIDTH));
    let lowest = MAY_SHARE;
    for (let row = 0; row < SKETCH_ROWS; row++)
      lowest = Math.min(lowest, sketch[placeInSketch(hash, step, row)] ?? 0);
    if (lowest === MAY_SHARE) return lowest;
    for (let row = 0; row < SKETCH_ROWS; row++) {
      const place = placeInSketch(hash, step, row);
      if (sketch[place] === lowest) sketch[place] = lowest + 1;
    }
    return lowest;
  }
}

/** Zeros that lie in memory already, which takes half the time of pages that are read before they are written. */
const zeroNumbers = (length: number): Float64Array => new Float64Array(length).fill(0);

const WORD_VALUES = 2 ** 32;
/** Without a pattern in its bits. */
const ODD = 0x9e3779b1;

const hashOf = (phone: number): number =>
  mixed(phone ^ Math.imul(Math.floor(phone / WORD_VALUES), ODD));

const placeInSketch = (hash: number, step: number, row: number): number =>
  row * SKETCH_WIDTH + ((hash + Math.imul(step, row)) & (SKETCH_WIDTH - 1));
