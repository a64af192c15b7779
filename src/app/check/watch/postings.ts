import type { ProblemFile } from './problem-file.js';

/** Places of records that are written as one record of their own. */
const BLOCK = 1024;
const WORD_BYTES = 8;

/**
 * Where the records of one group begin, in their order. In memory is a place for each block of them, and the last places:
 * ten million take 80 KB.
 */
export class Postings {
  readonly #blocks: number[] = [];
  #last: number[] = [];

  constructor(private readonly file: ProblemFile) {}

  get length(): number {
    return this.#blocks.length * BLOCK + this.#last.length;
  }

  add(at: number): void {
    this.#last.push(at);
    if (this.#last.length < BLOCK) return;
    const block = Float64Array.from(this.#last);
    this.#blocks.push(this.file.add(Buffer.from(block.buffer)));
    this.#last = [];
  }

  /** The places from one to another of the group's records. */
  async slice(from: number, to: number): Promise<number[]> {
    // What is added meanwhile moves none of these.
    const [blocks, last] = [[...this.#blocks], this.#last.slice()];
    const end = Math.min(to, blocks.length * BLOCK + last.length);
    // What a full disk did not take is left out.
    await this.file.flush().catch(() => undefined);
    const places: number[] = [];
    for (let at = from; at < end;) {
      const number = Math.floor(at / BLOCK);
      const begin = number * BLOCK;
      const until = Math.min(end, begin + BLOCK);
      const place = blocks[number];
      if (place !== undefined && !this.file.has(place)) break;
      const block = place === undefined ? last : placesIn(await this.file.read(place));
      for (; at < until; at++) places.push(block[at - begin] ?? 0);
    }
    return places.filter((at) => this.file.has(at));
  }
}

function placesIn(record: Buffer): number[] {
  const places: number[] = [];
  for (let at = 0; at < record.length; at += WORD_BYTES) places.push(record.readDoubleLE(at));
  return places;
}
