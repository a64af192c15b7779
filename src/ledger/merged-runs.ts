import { type KeyFile, PAGE_WORDS, type Run } from './key-file.js';
import { ENTRY_WORDS } from './key-table.js';

/** Entries of a block: what is written to the disk at a time, 80 KiB. */
const BLOCK_WORDS = 4096 * ENTRY_WORDS;

/** All entries of a file's runs in ascending order of their first word, in blocks that are used again for the next. */
export function* mergedRuns(file: KeyFile): Generator<Uint32Array, void, undefined> {
  const open = file.runs.map((run) => new RunReader(file, run)).filter((run) => !run.isAtEnd);
  const block = new Uint32Array(BLOCK_WORDS);
  let end = 0;
  for (let least = leastOf(open); least; least = leastOf(open)) {
    end = least.moveTo(block, end);
    if (least.isAtEnd) open.splice(open.indexOf(least), 1);
    if (end < BLOCK_WORDS) continue;
    yield block;
    end = 0;
  }
  if (end > 0) yield block.subarray(0, end);
}

function leastOf(open: readonly RunReader[]): RunReader | undefined {
  let least = open[0];
  for (const run of open) if (least && run.first < least.first) least = run;
  return least;
}

/** Reads a run from its beginning, entry by entry. */
class RunReader {
  /** First word of the entry that comes next. */
  first = 0;
  isAtEnd = false;
  readonly #file: KeyFile;
  readonly #run: Run;
  readonly #page = new Uint32Array(PAGE_WORDS);
  #pages = 0;
  #at = 0;
  #end = 0;

  constructor(file: KeyFile, run: Run) {
    this.#file = file;
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
      this.isAtEnd = this.#pages === this.#run.pages.length;
      if (this.isAtEnd) return;
      this.#end = this.#file.readPage(this.#run, this.#pages++, this.#page);
      this.#at = 0;
    }
    this.first = this.#page[this.#at] ?? 0;
  }
}
