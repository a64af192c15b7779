import {
  type Problem,
  type ProblemCount,
  ProblemCounts,
  rowProblem,
  type Outcome,
} from './outcome.js';
import { type Print, KEY_WORDS } from './prepared.js';
import { hash } from 'node:crypto';

/** What an earlier run did with a row. */
export interface DoneBy {
  /** Id of the run. */
  readonly run: string;
  /** Such as `created`, `sent` or `scheduled`. */
  readonly what: string;
  /** The day on which the run began, such as `2026-11-20`. */
  readonly on: string;
}

const doneByText = ({ run, what, on }: DoneBy): string => `${what} by run ${run} on ${on}`;

/** Code of the problem of a row that is left out, since an earlier run did what it asks for. */
export const DONE_BEFORE = 'done_before';

/** Why a row that an earlier run has done is skipped. */
export const doneBefore = (by: DoneBy): Problem =>
  rowProblem(
    DONE_BEFORE,
    `The client was ${doneByText(by)}, and is not sent again; --again sends all rows anew.`,
  );

/** Code of the remark on a row that is as an earlier run sent it. */
export const UNCHANGED_SINCE = 'unchanged_since';

/** Why nothing is sent for a row that is as an earlier run sent it. */
export const unchangedSince = (by: DoneBy): Problem =>
  rowProblem(
    UNCHANGED_SINCE,
    `The row is as it was when it was ${doneByText(by)}; nothing was sent for it.`,
  );

/** The result of a card that an earlier run created. */
export function createdBefore(by: DoneBy): string {
  const text = doneByText(by);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const OLD_SENTENCE =
  /^(?:The client was )?(\w+) by run (\S+) on (\d{4}-\d\d-\d\d)(?:, and is not sent again; .*)?$/;

/**
 * What such a sentence says; `null` for another one. Older versions recorded the sentence alone, and a client that such
 * a run has created must not be created twice.
 */
export function doneByIn(sentence: string): DoneBy | null {
  const [, what, run, on] = OLD_SENTENCE.exec(sentence) ?? [];
  if (what === undefined || run === undefined || on === undefined) return null;
  return { run, what: what.toLowerCase(), on };
}

/** What shows that two rows are of one client. */
export const DUPLICATE_KINDS = ['sync', 'phone'] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

/** Days for which earlier runs count, where the mapping does not say. */
export const DEFAULT_DAYS = 90;

/** Which rows count as duplicates, and which of them is sent. */
export interface DuplicateRule {
  /** What is compared: a row is a duplicate where one of these is the same. Empty: no row is one. */
  readonly by: readonly DuplicateKind[];
  /** `runs`: rows are compared with those of earlier runs, too. */
  readonly within: 'file' | 'runs';
  /** For how many days the rows of an earlier run count. */
  readonly days: number;
  /** Whether only runs with the campaign of the new one count, or all. */
  readonly campaign: 'same' | 'any';
  /** Which of the rows of the file is sent. */
  readonly keep: 'first' | 'last';
}

/** Rows that share one of these with an earlier row of the file are duplicates. */
export function duplicatesBy(...by: readonly DuplicateKind[]): DuplicateRule {
  return { by, within: 'file', days: DEFAULT_DAYS, campaign: 'same', keep: 'first' };
}

/** No row is a duplicate. */
export const NO_DUPLICATES = duplicatesBy();

/** A row of an earlier run with which a new one shares something. */
export interface EarlierRow {
  readonly kind: DuplicateKind;
  readonly run: string;
  /** Name of its file, where the run had several. */
  readonly file: string | null;
  readonly row: number;
  /** What the run did with it. */
  readonly what: 'created' | 'enqueued';
  /** The day on which the run began, such as `2026-11-20`. */
  readonly on: string;
}

/** What earlier runs created or enqueued, as far as the rule of duplicates counts it. */
export interface EarlierRows {
  /** The row with one of the keys from `from` to `to`, or `null`. Keys are counted, not words. */
  find(keys: Uint32Array, from: number, to: number): EarlierRow | null;
  close(): void;
}

/** Rows of a comparison that are not alone with their client. */
export interface Repeated {
  /** Rows whose synchronization identifiers stand in an earlier row, too. */
  readonly identifiers: number;
  /** Rows with identifiers of their own that belong to the card of an earlier row. */
  readonly cards: number;
}

/** Code of the problem of a row that is held back, since it has the identifiers of an earlier one. */
const DUPLICATE = 'duplicate';

/** The same of a row that is not held back. */
export const REPEATED_IDENTIFIERS = 'repeated_identifiers';

/** Code of the problem of a row that comes to the card of an earlier one. */
export const SHARED_CARD = 'shared_card';

const KINDS = new Map<string, keyof Repeated>([
  [DUPLICATE, 'identifiers'],
  [REPEATED_IDENTIFIERS, 'identifiers'],
  [SHARED_CARD, 'cards'],
]);

/** What there is to know of a row for this. */
interface WithProblems {
  readonly problems: readonly Problem[];
}

/** Whether a row repeats the identifiers of an earlier one, or comes to its card; `null`: neither. */
export function repeatOf({ problems }: WithProblems): keyof Repeated | null {
  for (const { code } of problems) {
    const kind = KINDS.get(code);
    if (kind) return kind;
  }
  return null;
}

/** Counts rows that repeat others as they go by. */
export class RepeatTally {
  private readonly counts = { identifiers: 0, cards: 0 };

  add(row: WithProblems): void {
    const kind = repeatOf(row);
    if (kind) this.counts[kind]++;
  }

  get repeated(): Repeated {
    return { ...this.counts };
  }
}

/** Codes of rows that are left out as duplicates: of a row of the file, or of an earlier run. */
const CODES = {
  sync: { file: DUPLICATE, run: 'duplicate_of_run' },
  phone: { file: 'duplicate_phone', run: 'duplicate_phone_of_run' },
} as const satisfies Record<DuplicateKind, object>;

const ALL_CODES: ReadonlySet<string> = new Set(
  Object.values(CODES).flatMap(({ file, run }) => [file, run]),
);

const isDuplicate = ({ code }: Pick<Problem, 'code'>): boolean => ALL_CODES.has(code);

/** Whether a row with this problem shares something with a row of an earlier run. */
export const isOfRun = ({ code }: Pick<Problem, 'code'>): boolean =>
  Object.values(CODES).some(({ run }) => run === code);

/** What a duplicate by this code shares. */
export const kindOfCode = (code: string): DuplicateKind =>
  Object.values(CODES.phone).some((one) => one === code) ? 'phone' : 'sync';

const WHAT = {
  sync: 'the synchronization identifiers',
  phone: 'a phone',
} as const satisfies Record<DuplicateKind, string>;

/** Of a row that gives way to another one; `file`: the name of its file, where it is not the same. */
export function duplicateOfRow(kind: DuplicateKind, row: number, file: string | null): Problem {
  const where = file === null ? '' : ` of ${file}`;
  return rowProblem(
    CODES[kind].file,
    `The row has ${WHAT[kind]} of row ${row}${where}, which goes in its place.`,
  );
}

/** Of a row that an earlier run has sent in the last `days`. */
export function duplicateOfRun(earlier: EarlierRow, days: number): Problem {
  const { kind, run, row, file, what, on } = earlier;
  const where = file === null ? '' : ` of ${file}`;
  return rowProblem(
    CODES[kind].run,
    `The row has ${WHAT[kind]} of row ${row}${where} in run ${run}, ${what} on ${on}, and is not sent again within ${days} ${days === 1 ? 'day' : 'days'}.`,
  );
}

/** What there is to know of a row for this. */
interface EndedRow {
  readonly row: number;
  readonly outcome: Outcome;
  readonly problems: readonly Problem[];
}

/** Counts rows that are left out as duplicates, by code, as they go by. */
export class DuplicateTally {
  readonly #counts = new ProblemCounts();

  add({ row, outcome, problems }: EndedRow): void {
    if (outcome !== 'skipped') return;
    for (const problem of problems) if (isDuplicate(problem)) this.#counts.add(problem, row);
  }

  /** The most frequent first. */
  list(): readonly ProblemCount[] {
    return this.#counts.list();
  }
}

/** The lowest bit of a key's last word says what it is a key of. */
const BITS = { sync: 0, phone: 1 } as const satisfies Record<DuplicateKind, 0 | 1>;
const LAST_WORD = 2;

/** The last word of a key of this kind. */
export const markedWord = (word: number, kind: DuplicateKind): number =>
  ((word & ~1) | BITS[kind]) >>> 0;

/** What the key at `offset` is a key of. */
export const kindOfKey = (keys: Uint32Array, offset: number): DuplicateKind =>
  ((keys[offset + LAST_WORD] ?? 0) & 1) === BITS.phone ? 'phone' : 'sync';

/**
 * What an earlier run did with a row's client, as far as it concerns the row now.
 * - `done`: all that the row asks for; it is skipped;
 * - `created`: its card alone; what is left is to add it to the campaign;
 * - `unchanged`: it sent the very same, and that was confirmed: nothing is to be done;
 * - `lost`: it never learned what became of a change; the client waits until nothing of that can arrive any more;
 * - `maybe_enqueued`: it found the client in the campaign after a lost answer, and not who added it: it is added again;
 * - `create_unknown`, `enqueue_unknown`, `change_unknown`: it never learned whether this took effect: it is looked up
 *   before anything is sent.
 */
export type KnownKind =
  | 'done'
  | 'unchanged'
  | 'created'
  | 'maybe_enqueued'
  | 'create_unknown'
  | 'enqueue_unknown'
  | 'change_unknown'
  | 'lost';

export interface Known {
  readonly kind: KnownKind;
  /** Id of the run. */
  readonly run: string;
  /** Who did it: this run, or an even earlier one that it relied on. */
  readonly by: DoneBy;
  /** Internal id of the card, where it is on record. */
  readonly clientId: number | null;
}

/** What earlier runs did with the rows of a new one. */
export interface KnownRows {
  /**
   * `identifiers`: JSON text of the client's identifiers; `ordinal`: number of the row over all inputs; `print`: the
   * fingerprint of the client, where these are compared.
   */
  find(identifiers: string, ordinal: number, print?: Print): Known | null;
  close(): void;
}

/*
 * Keys that are the same in every run: by them the rows of a run are compared with those of later ones. Those of phones
 * are kept in the ledger in place of the numbers. They are digests without a secret: who has the ledger can try out
 * numbers, so that they are personal data all the same.
 */

/** Where the words of a key go. */
interface KeyWords {
  push(word: number): void;
}

/** The key of a client's identifiers: numbers and texts of the same digits are one client, as for the contact center. */
export function pushIdentifiersKey(
  words: KeyWords,
  identifiers: readonly (string | number)[],
): void {
  pushDigest(words, `sync:${JSON.stringify(identifiers.map(String))}`, 'sync');
}

/** The key of a phone: E.164 without the plus, or the text as it is sent where it is no such number. */
export function pushPhoneKey(words: KeyWords, phone: number | string): void {
  const text = typeof phone === 'number' ? `+${phone}` : phone;
  pushDigest(words, `phone:${text}`, 'phone');
}

/** Bytes of a key. */
const KEY_BYTES = KEY_WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** The keys at these places as text for the ledger. */
export function keysText(keys: Uint32Array, offsets: readonly number[]): string {
  const bytes = Buffer.alloc(offsets.length * KEY_BYTES);
  let end = 0;
  for (const offset of offsets)
    for (let word = 0; word < KEY_WORDS; word++)
      end = bytes.writeUInt32LE(keys[offset + word] ?? 0, end);
  return bytes.toString('base64url');
}

/** The words of the keys that a text of the ledger holds. */
export function keysOf(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64url');
  const words = new Uint32Array(Math.floor(bytes.length / KEY_BYTES) * KEY_WORDS);
  for (let word = 0; word < words.length; word++)
    words[word] = bytes.readUInt32LE(word * Uint32Array.BYTES_PER_ELEMENT);
  return words;
}

/** Of a text in bytes, one character a byte: no other form of a digest is made as fast. */
function pushDigest(words: KeyWords, text: string, kind: DuplicateKind): void {
  const bytes = hash('sha256', text, 'binary');
  words.push(wordAt(bytes, 0));
  words.push(wordAt(bytes, 4));
  words.push(markedWord(wordAt(bytes, 8), kind));
}

const wordAt = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0;

/** Where a duplicate key was seen first. */
export interface SeenAt {
  readonly input: number;
  readonly row: number;
}

/** The duplicate keys of all clients that a run has let pass so far. Keys are `KEY_WORDS` words of a digest. */
export interface SeenKeys {
  /** Where the key at `offset` was added, or `null` when it is new. */
  find(keys: Uint32Array, offset: number): SeenAt | null;
  /** Adds a key that is not there yet. */
  add(keys: Uint32Array, offset: number, input: number, row: number): void;
  close(): void;
}

/** The later row that goes in place of a row. */
export interface LaterRow extends SeenAt {
  readonly kind: DuplicateKind;
}

/** Which rows give way to later ones of the file, found out before any is sent. */
export interface LaterRows {
  /** Those of a chunk, by their positions in it. Chunks are asked for in any order. */
  ofChunk(number: number): ReadonlyMap<number, LaterRow>;
  close(): void;
}
