/**
 * Numbers that must not be called, and large tables that are looked up: each file is compiled once into a database beside
 * it, and asked there. Memory grows with neither. It does not know mappings, nor how a cell becomes a number.
 */
import { createHash } from 'node:crypto';
import { compiledForm, type Head, markOf, type CompiledForm } from './compiled.js';
import { digestOf, type ListSource, NumberTally, readNumbers } from './list-source.js';
import type Database from 'better-sqlite3';
import type { Listed, NumberCheck, Scope } from '../core/problem.js';
import { NumberStore } from './number-store.js';

export { isGzip, listAge, type ListSource, type NumberReader, tooOld } from './list-source.js';
export {
  type Added,
  type AddedFile,
  type Entry,
  NumberStore,
  type StoredNumber,
} from './number-store.js';

/** A row of a table: what it says of a key, and its number from 1. */
export type LookupEntry = readonly [key: string, value: string, row: number];

/** A compiled lookup that is open, for as long as somebody keeps it. */
export interface LookupTable {
  /** SHA-256 of the file. */
  readonly digest: string;
  /** What the table says of a key; `undefined` where it has none. */
  get(key: string): string | undefined;
}

/** Two rows have the same key and other values. */
export class ConflictError extends Error {
  /** @param row number of the second one, from 1, with the header counted */
  constructor(readonly row: number) {
    super('Two rows of a table say different things of the same key.');
  }
}

/** Answers that are kept: most columns say the same again and again. */
const KEPT = 4096;

/**
 * Opens the compiled form of a table, and compiles it where it was not, or where the file has changed since.
 * @throws ConflictError for the first row that says something else of a key than one further up, and what reading the
 * table throws
 */
export async function openLookup({
  file,
  settings,
  entries,
}: {
  readonly file: string;
  /** All that decides what is taken of the file, as text: another one is compiled beside it. */
  readonly settings: string;
  /** The entries, batch by batch. */
  readonly entries: () => AsyncIterable<readonly LookupEntry[]>;
}): Promise<LookupTable> {
  const { database, head } = await compiledForm<Head>({
    ...{ file, settings },
    suffix: `.${createHash('sha256').update(settings).digest('hex').slice(0, 8)}.lookup`,
    tables: 'CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
    fill: async (building, touch) => {
      const source = { ...markOf(file), digest: await digestOf(file) };
      const insert = building.prepare('INSERT INTO entry VALUES (?, ?) ON CONFLICT DO NOTHING');
      const find = building.prepare('SELECT value FROM entry WHERE key = ?').pluck();
      for await (const batch of entries()) {
        for (const [key, value, row] of batch)
          if (insert.run(key, value).changes === 0 && find.get(key) !== value)
            throw new ConflictError(row);
        touch();
      }
      return { settings, source };
    },
  });
  const find = database.prepare<[string], string>('SELECT value FROM entry WHERE key = ?').pluck();
  const kept = new Map<string, string | undefined>();
  return {
    digest: head.source.digest,
    get: (key) => {
      const known = kept.get(key);
      if (known !== undefined || kept.has(key)) return known;
      const found = find.get(key);
      if (kept.size === KEPT) kept.clear();
      kept.set(key, found);
      return found;
    },
  };
}

/** A list of numbers that is open. */
export interface NumberList {
  readonly head: ListHead;
  /** Path of the compiled file. */
  readonly path: string;
  /** Whether it was compiled just now. */
  readonly isNew: boolean;
  /** Whether a number is on it: E.164 without the plus. */
  has(number: number): boolean;
  close(): void;
}

interface ListHead extends Head {
  /** Different numbers. */
  readonly numbers: number;
  /** Lines that hold something and no number. */
  readonly unread: number;
  /** Line of the first of them; 0 where there is none. */
  readonly firstUnread: number;
  /** Date in the first line of the file, in milliseconds since 1970. */
  readonly dated: number | null;
  /** Of a store: from when and until when its numbers are these, in milliseconds since 1970; `null`: for ever. */
  readonly valid?: { readonly from: number; readonly until: number | null };
  /** Bits that each number sets in the filter. */
  readonly filterBits: number;
}

interface StoreSource {
  readonly store: string;
  /** In milliseconds; absent: for ever. */
  readonly ttl?: number | undefined;
}

/**
 * Opens a list, compiled. What is compiled of a store are the numbers that must not be called now: it is done anew when
 * the store was changed, or when the time of one of them is over.
 * @param maxFilter bytes of memory for the filter
 * @throws UsageError when a store cannot be opened
 */
export async function openNumbers(
  source: ListSource | StoreSource,
  maxFilter: number,
  now: number,
): Promise<NumberList> {
  if ('file' in source) return openForm(formOfFile(source), maxFilter);
  const store = new NumberStore(source.store, source.ttl, 'read');
  try {
    return await openForm(formOfStore(source, store, now), maxFilter);
  } finally {
    store.close();
  }
}

type ListForm = Omit<CompiledForm<ListHead>, 'suffix' | 'tables'>;

function formOfFile(source: ListSource): ListForm {
  const { file, settings } = source;
  return {
    ...{ file, settings },
    fill: async (database, touch) => {
      const mark = markOf(file);
      const blocks = new NumberBlocks(database, touch);
      const tally = new NumberTally(source.reader, (number) => {
        blocks.add(number);
      });
      const digest = await readNumbers(source, tally, () => blocks.pause());
      const { unread, firstUnread, dated } = tally;
      return {
        ...{ settings, unread, firstUnread, dated },
        ...(await blocks.finish()),
        source: { ...mark, digest },
      };
    },
  };
}

function formOfStore({ store: file, ttl }: StoreSource, store: NumberStore, now: number): ListForm {
  const settings = JSON.stringify(['store', ttl ?? null]);
  return {
    ...{ file, settings },
    isCurrent: ({ source, valid }) =>
      source.digest === String(store.state) &&
      valid !== undefined &&
      valid.from <= now &&
      now < (valid.until ?? Infinity),
    fill: (database, touch) =>
      store.atOnce(async () => {
        const blocks = new NumberBlocks(database, touch);
        const source = { ...markOf(file), digest: String(store.state) };
        const valid = { from: now, until: store.firstEnd(now) };
        for (const batch of store.numbers(now)) {
          for (const number of batch) blocks.add(number);
          await blocks.pause();
        }
        const none = { unread: 0, firstUnread: 0, dated: null };
        return { ...{ settings, source, valid }, ...none, ...(await blocks.finish()) };
      }),
  };
}

async function openForm(form: ListForm, maxFilter: number): Promise<NumberList> {
  const { database, ...opened } = await compiledForm({
    ...form,
    suffix: '.numbers',
    tables: TABLES,
  });
  let filter = new Uint8Array(
    database.prepare<[], Buffer>('SELECT bits FROM filter').pluck().get() ?? [],
  );
  while (filter.length > maxFilter && filter.length > LINE_BYTES) filter = folded(filter);
  const { filterBits } = opened.head;
  const find = database
    .prepare<[number], Buffer>('SELECT numbers FROM block WHERE place = ?')
    .pluck();
  /** The last one is kept: numbers that are asked for in order come from one block after the other. */
  let block: Buffer = NO_BLOCK;
  let loaded = -1;
  return {
    ...opened,
    has: (number) => {
      if (!mayHave(filter, filterBits, number)) return false;
      const place = Math.floor(number / BLOCK_NUMBERS);
      if (place !== loaded) block = find.get(place) ?? NO_BLOCK;
      loaded = place;
      return isIn(block, number - place * BLOCK_NUMBERS);
    },
    close: () => {
      database.close();
    },
  };
}

/** How many numbers a block has room for: of each, it holds how far it is behind the first, in two bytes. */
const BLOCK_NUMBERS = 2 ** 16;
const NO_BLOCK = Buffer.alloc(0);

/** `mixed`: it was added to, so that its numbers are in no order, and some may be there twice. */
const TABLES = `
  CREATE TABLE block (place INTEGER PRIMARY KEY, numbers BLOB NOT NULL, mixed INTEGER NOT NULL);
  CREATE TABLE filter (bits BLOB NOT NULL)
`;

/** Whether a block, whose numbers are in ascending order, holds one. */
function isIn(block: Buffer, number: number): boolean {
  let [low, high] = [0, block.length / 2];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = block.readUInt16LE(2 * middle);
    if (found === number) return true;
    if (found < number) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Numbers that are sorted at a time: 16 MB. */
const SORTED = 2 ** 21;
/** Blocks of a step, after which others have their turn: a thread that also sends must not stand still. */
const STEP_BLOCKS = 2048;

/** Puts numbers in any order into blocks, in memory that does not grow with them. */
class NumberBlocks {
  readonly #numbers = new Float64Array(SORTED);
  #count = 0;
  readonly #add: Database.Statement<[number, Buffer]>;

  constructor(
    private readonly database: Database.Database,
    private readonly touch: () => void,
  ) {
    this.#add = database.prepare(
      `INSERT INTO block VALUES (?, ?, 0)
       ON CONFLICT DO UPDATE SET numbers = CAST(numbers || excluded.numbers AS BLOB), mixed = 1`,
    );
  }

  add(number: number): void {
    if (this.#count === SORTED) for (const _ of this.#flush());
    this.#numbers[this.#count++] = number;
  }

  /** To be called often: what is held is put into blocks before it is too much. */
  async pause(): Promise<void> {
    this.touch();
    if (this.#count > SORTED / 2) await this.#inSteps(this.#flush());
  }

  /** After the last number. */
  async finish(): Promise<Pick<ListHead, 'numbers' | 'filterBits'>> {
    await this.#inSteps(this.#flush());
    const held = this.database.prepare('SELECT sum(length(numbers)) / 2 FROM block').pluck();
    const max = Number(held.get());
    const filter = new Uint8Array(filterBytesFor(max));
    const filterBits = filterBitsFor(max, filter.length);
    let numbers = 0;
    await this.#inSteps(
      this.#inOrder((place, block) => {
        numbers += block.length;
        for (const number of block) addNumber(filter, filterBits, place * BLOCK_NUMBERS + number);
      }),
    );
    this.database.prepare('INSERT INTO filter VALUES (?)').run(filter);
    return { numbers, filterBits };
  }

  async #inSteps(steps: Iterable<void>): Promise<void> {
    for (const _ of steps) {
      this.touch();
      await new Promise(setImmediate);
    }
  }

  *#flush(): Generator<void, void, undefined> {
    const sorted = this.#numbers.subarray(0, this.#count).sort();
    let blocks = 0;
    for (let from = 0; from < sorted.length;) {
      const place = Math.floor((sorted[from] ?? 0) / BLOCK_NUMBERS);
      const first = place * BLOCK_NUMBERS;
      let to = from + 1;
      while (to < sorted.length && (sorted[to] ?? 0) < first + BLOCK_NUMBERS) to++;
      this.#add.run(place, packed(sorted.subarray(from, to), first));
      from = to;
      if (++blocks % STEP_BLOCKS === 0) yield;
    }
    this.#count = 0;
  }

  /** Goes through all blocks, and puts those in order that are not. */
  *#inOrder(take: (place: number, block: Uint16Array) => void): Generator<void, void, undefined> {
    const next = this.database.prepare<[number], { place: number; numbers: Buffer; mixed: number }>(
      `SELECT * FROM block WHERE place > ? ORDER BY place LIMIT ${STEP_BLOCKS}`,
    );
    const write = this.database.prepare('UPDATE block SET numbers = ? WHERE place = ?');
    for (let last = -1; ;) {
      const found = next.all(last);
      for (const { place, numbers, mixed } of found) {
        let block = unpacked(numbers);
        if (mixed) {
          const inOrder = packed(block.sort(), 0);
          write.run(inOrder, place);
          block = unpacked(inOrder);
        }
        take(place, block);
        last = place;
      }
      if (found.length < STEP_BLOCKS) return;
      yield;
    }
  }
}

/** A block on its way to the database: one buffer for all, since a new one for each would take far more memory. */
const bytes = Buffer.alloc(2 * BLOCK_NUMBERS);

/** How far numbers in ascending order are behind the first of their block, each once; until the next call. */
function packed(numbers: Float64Array | Uint16Array, first: number): Buffer {
  let end = 0;
  let before = -1;
  for (const number of numbers) {
    if (number === before) continue;
    before = number;
    end = bytes.writeUInt16LE(number - first, end);
  }
  return bytes.subarray(0, end);
}

function unpacked(bytes: Buffer): Uint16Array {
  const numbers = new Uint16Array(bytes.length / 2);
  for (let at = 0; at < numbers.length; at++) numbers[at] = bytes.readUInt16LE(2 * at);
  return numbers;
}

/**
 * A Bloom filter over numbers, all bits of a number in one line of the processor's cache. A filter of a power of two can
 * be folded to half its size after it was made.
 */
const LINE_BYTES = 64;
/** Numbers of 50 bits are taken as two words. */
const WORD = 2 ** 32;
/** Bits a number: one in about a hundred that is not there passes. */
const BITS_PER_NUMBER = 10;
/** Largest filter of a list, in bytes. */
const MAX_FILTER = 16 * 1024 ** 2;

/** Bytes of a filter for so many numbers: the next power of two. */
function filterBytesFor(numbers: number): number {
  const wanted = (numbers * BITS_PER_NUMBER) / 8;
  let bytes = LINE_BYTES;
  while (bytes < wanted && bytes < MAX_FILTER) bytes *= 2;
  return bytes;
}

/** How many bits each number sets so that fewest others pass: 0.69 times the bits that there are for each. */
function filterBitsFor(numbers: number, bytes: number): number {
  const each = numbers === 0 ? BITS_PER_NUMBER : (bytes * 8) / numbers;
  return Math.max(1, Math.min(6, Math.round(each * Math.LN2)));
}

function addNumber(filter: Uint8Array, bits: number, number: number): void {
  const first = mixed(number);
  const line = lineOf(first, filter);
  let place = second(first);
  for (let bit = 0; bit < bits; bit++) {
    const at = line + ((place >>> 3) & 63);
    filter[at] = (filter[at] ?? 0) | (1 << (place & 7));
    place = bit === 2 ? second(place ^ first) : place >>> 9;
  }
}

/** Whether a number may have been added; `false` is sure. */
function mayHave(filter: Uint8Array, bits: number, number: number): boolean {
  const first = mixed(number);
  const line = lineOf(first, filter);
  let place = second(first);
  for (let bit = 0; bit < bits; bit++) {
    if ((((filter[line + ((place >>> 3) & 63)] ?? 0) >>> (place & 7)) & 1) === 0) return false;
    place = bit === 2 ? second(place ^ first) : place >>> 9;
  }
  return true;
}

/** A filter of half the size, in which the same numbers are found, and more others. */
function folded(filter: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const left = filter.slice(0, filter.length / 2);
  // Word by word, which takes a quarter of the time.
  const [into, from] = [
    new Int32Array(left.buffer),
    new Int32Array(filter.slice(left.length).buffer),
  ];
  for (let at = 0; at < into.length; at++) into[at] = (into[at] ?? 0) | (from[at] ?? 0);
  return left;
}

/** The low bits of the hash select the line, so that folding keeps them. */
function lineOf(hash: number, filter: Uint8Array): number {
  return (hash & (filter.length / LINE_BYTES - 1)) * LINE_BYTES;
}

function mixed(number: number): number {
  return scrambled(((number % WORD) | 0) ^ Math.imul(Math.floor(number / WORD), 0x9e3779b1));
}

function second(hash: number): number {
  return scrambled(hash + 0x7f4a7c15);
}

/** Every bit of the word has a part in every bit of the result (MurmurHash3's last steps). */
function scrambled(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

/** Asks several lists of numbers that must not be called. */
export function checkAll(
  lists: readonly { readonly name: string; readonly scope: Scope; readonly list: NumberList }[],
): NumberCheck {
  return {
    check: (number) => {
      let found: { names: string[]; scope: Scope } | null = null;
      for (const { name, scope, list } of lists) {
        if (!list.has(number)) continue;
        found ??= { names: [], scope: 'phone' };
        found.names.push(name);
        if (scope === 'row') found.scope = 'row';
      }
      return found satisfies Listed | null;
    },
  };
}
