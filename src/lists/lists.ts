/**
 * Numbers that must not be called, and large tables that are looked up: each file is compiled once into a database beside
 * it, and asked there. Memory grows with neither. It does not know mappings, nor how a cell becomes a number.
 */
import { createHash } from 'node:crypto';
import {
  compiledForm,
  type Head,
  markOf,
  type CompiledForm,
  digestOf,
  type ListSource,
  NumberTally,
  readNumbers,
} from './compiled.js';
import type { Listed, NumberCheck, Scope } from '../core/outcome.js';
import Database from 'better-sqlite3';
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isWritable, makeFolder } from '../files/regular-file.js';
import { codeOf, UsageError } from '../core/errors.js';

export { isGzip, listAge, type ListSource, type NumberReader, tooOld } from './compiled.js';

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

/** A number in a store, with why it must not be called, and until when. Times are milliseconds since 1970. */
export interface StoredNumber {
  readonly added: number;
  /** When it may be called again; `null`: never. */
  readonly endsAt: number | null;
  readonly reason: string | null;
}

/** What is said of numbers that are added. */
export interface Entry {
  /** When they may be called again. @default by the `ttl` of the list */
  readonly until?: number | undefined;
  readonly reason?: string | undefined;
}

/** What became of numbers that were added. */
export interface Added {
  /** They were not in the store. */
  readonly added: number;
  /** They were, and their time begins anew. */
  readonly renewed: number;
  /** They were, for longer than is asked for now, and stay so. */
  readonly kept: number;
}

/** The same of a file. */
export interface AddedFile extends Added {
  /** Lines that hold something and no number. */
  readonly unread: number;
  /** The first of them; 0 where there is none. */
  readonly firstUnread: number;
}

const FAR = Number.MAX_SAFE_INTEGER;
const BATCH = 8192;
const ENDS_AT = 'coalesce(until, added + :ttl, :far)';

/** What is to be added, before it is: in a file of this connection alone, so that nobody waits meanwhile. */
const COMING = 'CREATE TEMP TABLE IF NOT EXISTS coming (number INTEGER PRIMARY KEY)';
const COME = 'INSERT OR IGNORE INTO coming SELECT value FROM json_each(?)';

/** A longer ban is never shortened by a shorter one. */
const ADD = `
  INSERT INTO number (number, added, until, reason)
  SELECT number, :now, :until, :reason FROM coming WHERE true
  ON CONFLICT (number) DO UPDATE SET
    added = excluded.added, until = excluded.until, reason = coalesce(excluded.reason, reason)
  WHERE coalesce(excluded.until, excluded.added + :ttl, :far) >= ${ENDS_AT}
`;

/** A count would be the same in a store that was made anew, or brought back from a copy, and changed otherwise. */
const NEW_STATE = `UPDATE store SET value = abs(random() % ${FAR}) WHERE name = 'changes'`;

/** Numbers that must not be called: a list that grows and shrinks number by number. E.164 without the plus. */
export class NumberStore {
  readonly #database: Database.Database;
  readonly #terms: { readonly ttl: number | null; readonly far: number };

  /**
   * @param ttl how long a number stays, in milliseconds. @default for ever
   * @throws UsageError when it cannot be opened
   */
  constructor(
    private readonly file: string,
    ttl: number | undefined,
    access: 'read' | 'write',
  ) {
    this.#database = openStoreDatabase(file, access);
    this.#terms = { ttl: ttl ?? null, far: FAR };
  }

  /** Adds a number. */
  add(number: number, entry: Entry, now: number): Added {
    this.#come([number]);
    return this.#addComing(entry, now);
  }

  /**
   * Adds all numbers of a file, or none of them.
   * @throws UsageError where it holds none, and what reading the file throws
   */
  async addAll(source: ListSource, entry: Entry, now: number): Promise<AddedFile> {
    let numbers: number[] = [];
    const tally = new NumberTally(source.reader, (number) => {
      numbers.push(number);
    });
    const come = (): Promise<void> => {
      this.#come(numbers);
      numbers = [];
      return Promise.resolve();
    };
    await readNumbers(source, tally, come);
    await come();
    const { unread, firstUnread } = tally;
    if (this.#count('coming') === 0)
      throw new UsageError(
        `${source.file} holds no phone number. Check --format, --column, --country.`,
      );
    return { ...this.#addComing(entry, now), unread, firstUnread };
  }

  /** Returns whether the number was there. */
  remove(number: number, now: number): boolean {
    return this.#change(now, () => {
      const { changes } = this.#database.prepare('DELETE FROM number WHERE number = ?').run(number);
      return changes > 0;
    });
  }

  /** What is known of a number that must not be called now; `null` where it may be. */
  find(number: number, now: number): StoredNumber | null {
    const found = this.#database
      .prepare<object, StoredNumber>(
        `SELECT added, ${ENDS_AT} AS endsAt, reason FROM number WHERE number = :number`,
      )
      .get({ number, ...this.#terms });
    if (!found || (found.endsAt ?? FAR) <= now) return null;
    return { ...found, endsAt: found.endsAt === FAR ? null : found.endsAt };
  }

  /** Another one after each change, in whichever copy of the store: as long as it is the same, so are the numbers. */
  get state(): number {
    return this.#number("SELECT value FROM store WHERE name = 'changes'") ?? 0;
  }

  /** When the first of the numbers may be called again; `null`: never. */
  firstEnd(now: number): number | null {
    const text = `SELECT min(${ENDS_AT}) FROM number WHERE ${ENDS_AT} > :now`;
    const end = this.#number(text, now);
    return end === FAR ? null : end;
  }

  /** How many numbers must not be called now. */
  count(now: number): number {
    return this.#number(`SELECT count(*) FROM number WHERE ${ENDS_AT} > :now`, now) ?? 0;
  }

  /** All numbers that must not be called now, in ascending order. */
  *numbers(now: number): Generator<Float64Array, void, undefined> {
    const found = this.#database
      .prepare<object, number>(`SELECT number FROM number WHERE ${ENDS_AT} > :now ORDER BY number`)
      .pluck()
      .iterate({ now, ...this.#terms });
    const batch = new Float64Array(BATCH);
    let count = 0;
    for (const number of found) {
      batch[count++] = number;
      if (count < BATCH) continue;
      yield batch;
      count = 0;
    }
    if (count > 0) yield batch.subarray(0, count);
  }

  /** Looks at the store as it is at one moment, whatever others change meanwhile. */
  async atOnce<T>(look: () => Promise<T>): Promise<T> {
    this.#database.exec('BEGIN');
    try {
      return await look();
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  close(): void {
    this.#database.close();
  }

  #count(table: 'number' | 'coming'): number {
    return this.#number(`SELECT count(*) FROM ${table}`) ?? 0;
  }

  #number(text: string, now = 0): number | null {
    const found = this.#database.prepare<object, number | null>(text).pluck();
    return found.get({ now, ...this.#terms }) ?? null;
  }

  #come(numbers: readonly number[]): void {
    this.#database.exec(COMING);
    this.#database.prepare(COME).run(JSON.stringify(numbers));
  }

  #addComing({ until, reason }: Entry, now: number): Added {
    const all = this.#count('coming');
    const values = { now, until: until ?? null, reason: reason ?? null, ...this.#terms };
    return this.#change(now, () => {
      const before = this.#count('number');
      const { changes } = this.#database.prepare(ADD).run(values);
      const added = this.#count('number') - before;
      this.#database.exec('DELETE FROM coming');
      return { added, renewed: changes - added, kept: all - changes };
    });
  }

  /** A change, and the end of what has ended: nothing is kept of a person longer than it has to be. */
  #change<T>(now: number, change: () => T): T {
    const forget = `DELETE FROM number WHERE ${ENDS_AT} <= :now`;
    try {
      return this.#database
        .transaction(() => {
          this.#database.prepare(forget).run({ now, ...this.#terms });
          const result = change();
          this.#database.exec(NEW_STATE);
          return result;
        })
        .immediate();
    } catch (error) {
      throw asUsageError(error, this.file);
    }
  }
}

/** "csup" in ASCII: distinguishes a store from any other SQLite database (`PRAGMA application_id`). */
const APPLICATION_ID = 0x63737570;
/** Raised when the tables change; a store of a later version is refused. */
const VERSION = 1;
/** How long another process may have the store for itself, in milliseconds. */
const BUSY_MS = 10_000;

/** An entry is renewed when its number is added again, and deleted once it has ended. */
const SCHEMA = `
  CREATE TABLE number (
    number INTEGER PRIMARY KEY,
    added  INTEGER NOT NULL,
    until  INTEGER,
    reason TEXT
  ) STRICT;
  CREATE TABLE store (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  INSERT INTO store VALUES ('changes', 0);
`;

/**
 * Opens a store, for its owner alone, since it holds phone numbers.
 * @param access `read`: there must be one; `write`: it is made where there is none
 * @throws UsageError when it cannot be opened, or is something else
 */
function openStoreDatabase(file: string, access: 'read' | 'write'): Database.Database {
  let database: Database.Database | undefined;
  try {
    if (!existsSync(file)) {
      if (access === 'read')
        throw new UsageError(
          `There is no store ${file} yet: "cardline suppress add", "import" and "build" make it.`,
        );
      makeFile(file);
    }
    // What a process that was killed left behind is taken back by whoever may write.
    const readonly = access === 'read' && !isWritable(file);
    database = new Database(file, { timeout: BUSY_MS, readonly });
    // A number that was removed, and why it was there, is not left in free pages.
    database.pragma('secure_delete = ON');
    const id = database.pragma('application_id', { simple: true });
    const version = Number(database.pragma('user_version', { simple: true }));
    const isEmpty = id === 0 && version === 0 && countTables(database) === 0;
    if (isEmpty && access === 'write') makeTables(database);
    else if (id !== APPLICATION_ID)
      throw new UsageError(
        `${file} is no store of numbers: it is a database of another program. Name another file.`,
      );
    else if (version > VERSION)
      throw new UsageError(`${file} was written by a later version of cardline; use that version.`);
    return database;
  } catch (error) {
    database?.close();
    throw asUsageError(error, file);
  }
}

function countTables(database: Database.Database): number {
  return Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
}

function makeTables(database: Database.Database): void {
  database
    .transaction(() => {
      // Another process may have made them at the same moment.
      if (countTables(database) > 0) return;
      database.exec(SCHEMA);
      database.pragma(`user_version = ${VERSION}`);
      database.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
}

function makeFile(file: string): void {
  try {
    makeFolder(dirname(resolve(file)));
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** What SQLite or the file system say, in words that say what to do. */
function asUsageError(error: unknown, file: string): Error {
  if (error instanceof UsageError) return error;
  const code = codeOf(error);
  const [, why] = REASONS.find(([pattern]) => pattern.test(code)) ?? [];
  if (why === undefined)
    return error instanceof Error ? error : new Error('The store cannot be used.');
  return new UsageError(`The store ${file}: ${why} (${code}).`, { cause: error });
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/SQLITE_FULL|ENOSPC/, 'the disk is full; free some space'],
  [/SQLITE_NOTADB/, 'the file is no store of numbers; name another one'],
  [/SQLITE_CORRUPT/, 'the file is damaged; bring a copy back'],
  [/SQLITE_BUSY|SQLITE_LOCKED/, 'another process is changing it; wait for it'],
  [/SQLITE_READONLY|EACCES|EPERM|EROFS/, 'it may not be written; check its permissions'],
  [/SQLITE_CANTOPEN|ENOENT|EISDIR|ENOTDIR|ELOOP/, 'it cannot be opened; check the path'],
  [/SQLITE_IOERR|EIO/, 'the disk reports an error'],
];
