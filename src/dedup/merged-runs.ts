import { type KeyRun, PAGE_WORDS, createKeyRunWriter } from './key-run.js';
import { ENTRY_WORDS } from './key-table.js';

/** Entries of a block: what is written to the disk at a time, 80 KiB. */
export const BLOCK_ENTRIES = 4096;
const BLOCK_WORDS = BLOCK_ENTRIES * ENTRY_WORDS;
/** It is filled and written within one step, so that one is enough for all merges. */
const block = new Uint32Array(BLOCK_WORDS);

/**
 * Makes one run of several, a block at a step, so that nothing has to wait for all of it. The runs stay as they are;
 * what was written is freed if the merge is left before its end.
 */
export function* mergedRuns(
  runs: readonly KeyRun[],
): Generator<undefined, KeyRun | null, undefined> {
  const writer = createKeyRunWriter(runs.reduce((sum, { entries }) => sum + entries, 0));
  let merged: KeyRun | undefined;
  try {
    for (const block of inOrder(runs)) {
      writer.write(block);
      yield;
    }
    merged = writer.finish();
    return merged;
  } finally {
    if (!merged) writer.close();
  }
}

/** All entries in ascending order of their first word, in blocks that are used again for the next. */
function* inOrder(runs: readonly KeyRun[]): Generator<Uint32Array, void, undefined> {
  const open = runs.map((run) => new RunReader(run)).filter((run) => !run.isAtEnd);
  let end = 0;
  for (let smallest = smallestOf(open); smallest; smallest = smallestOf(open)) {
    end = smallest.moveTo(block, end);
    if (smallest.isAtEnd) open.splice(open.indexOf(smallest), 1);
    if (end < BLOCK_WORDS) continue;
    yield block;
    end = 0;
  }
  if (end > 0) yield block.subarray(0, end);
}

function smallestOf(open: readonly RunReader[]): RunReader | undefined {
  let smallest: RunReader | undefined;
  for (const run of open) if (!smallest || run.first < smallest.first) smallest = run;
  return smallest;
}

/** Reads a run from its beginning, entry by entry. */
class RunReader {
  /** First word of the entry that comes next. */
  first = 0;
  isAtEnd = false;
  readonly #run: KeyRun;
  readonly #page = new Uint32Array(PAGE_WORDS);
  #pages = 0;
  #at = 0;
  #end = 0;

  constructor(run: KeyRun) {
    this.#run = run;
    this.#advance();
  }

  /** Copies the entry that comes next to a place of `block`, and gives the place behind it. */
  moveTo(block: Uint32Array, place: number): number {
    for (let word = 0; word < ENTRY_WORDS; word++)
      block[place + word] = this.#page[this.#at + word] ?? 0;
    this.#at += ENTRY_WORDS;
    this.#advance();
    return place + ENTRY_WORDS;
  }

  #advance(): void {
    if (this.#at === this.#end) {
      this.#end = this.#run.readPage(this.#pages++, this.#page);
      this.#at = 0;
      this.isAtEnd = this.#end === 0;
    }
    this.first = this.#page[this.#at] ?? 0;
  }
}
