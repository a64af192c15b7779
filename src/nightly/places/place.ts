import { codeOf, UsageError, CardlineError, EXIT } from '../../core/errors.js';
import { firstBytes } from '../../core/text.js';
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { filledIn, type Secrets } from '../pickup/schema.js';
import type { WatchState } from '../state/state.js';
import { type OtherKind, unlessGone } from '../../files/regular-file.js';

/** Longest name of a file, in bytes, that file systems have in common. */
const MAX_BYTES = 255;
/** What the names of a report, or the mark of a file that was put away, add to its own. */
const ADDED_BYTES = 48;

/** A hidden folder of a place, for what is being worked on; each pickup has its own in it. */
export const WORK = '.cardline';

/** Ends of the folders on this machine in which something of one file lies while it is worked on. */
const WORK_ENDS = { fetched: '.fetched', unpacked: '.lists' } as const;
type WorkKind = keyof typeof WORK_ENDS;

/** Where it lies: the same after a restart, whatever the file is called. */
export const workFolder = (work: string, kind: WorkKind, name: string): string =>
  join(work, createHash('sha256').update(name).digest('hex').slice(0, 32) + WORK_ENDS[kind]);

/** Deletes what watchers that were killed have left there of other files than these. */
export async function discardWork(work: string, kind: WorkKind, names: readonly string[]) {
  const kept = new Set(names.map((name) => workFolder(work, kind, name)));
  for (const name of (await unlessGone(readdir(work))) ?? []) {
    const path = join(work, name);
    if (name.endsWith(WORK_ENDS[kind]) && !kept.has(path))
      await rm(path, { recursive: true, force: true });
  }
}

/** Whether a name is one of a file in a folder, wherever it comes from. */
export const isPlainName = (name: string): boolean =>
  !['', '.', '..'].includes(name) && !/[/\0]/.test(name);

/**
 * The name that a file is put away by: its own, shortened where those of its reports would be too long; `number`: it is
 * the second one of its name, or the third.
 */
export function shelfName(name: string, number: number): string {
  const end = extname(name);
  const stem = end === '' ? name : name.slice(0, -end.length);
  const suffix = number === 1 ? end : `-${number}${end}`;
  if (Buffer.byteLength(stem + suffix) <= MAX_BYTES - ADDED_BYTES) return stem + suffix;
  const sign = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const shortEnd = Buffer.byteLength(suffix) > 32 ? '' : suffix;
  const room = MAX_BYTES - ADDED_BYTES - Buffer.byteLength(shortEnd) - sign.length - 1;
  return `${firstBytes(stem, room)}~${sign}${shortEnd}`;
}

/** A name with what is appended to it, no longer than a name may be. */
export const suffixed = (name: string, suffix: string): string =>
  Buffer.byteLength(name + suffix) <= MAX_BYTES
    ? name + suffix
    : name + firstBytes(suffix, MAX_BYTES - Buffer.byteLength(name));

/**
 * Loads a package that only some need.
 * @throws UsageError that says how it is installed, where it is not
 */
export async function optionalPackage<T>(
  name: string,
  version: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND' && codeOf(error) !== 'MODULE_NOT_FOUND')
      throw error;
    throw new UsageError(
      `The package ${name} is needed for this place, and is not installed. Install it where cardline is: "npm install ${name}@${version}", with --global where cardline is installed so.`,
      { cause: error },
    );
  }
}

/** A setting of a place with its placeholders replaced. @throws PlaceError where what they stand for is missing */
export function filledAt(words: string, text: string, env: Secrets): string {
  const { text: value, mistake } = filledIn(text, env);
  if (mistake !== undefined) throw new PlaceError(`${words}: ${mistake}`);
  return value;
}

/** Whether a name fits a pattern such as `leads-*.csv`; `*` stands for any letters, `?` for one. Hidden files never do. */
export function fitsPattern(name: string, pattern: string): boolean {
  // One letter may be written in two ways, and systems differ in which.
  return !name.startsWith('.') && patternOf(pattern.normalize()).test(name.normalize());
}

/** The same for a name that is no UTF-8 as a whole: what is no ASCII in the pattern may stand for any of its bytes. */
export const mayFitPattern = (name: string, pattern: string): boolean =>
  fitsPattern(name, pattern) ||
  (name.includes('\ufffd') && fitsPattern(name, pattern.replace(/[^\0-\x7f]+/gu, '*')));

/** A pattern as a regular expression for whole texts. */
export const patternOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern.replace(/[.*+?^${}()|[\]\\]/g, (sign) => SIGNS[sign] ?? `\\${sign}`)}$`,
    'su',
  );

const SIGNS: Readonly<Record<string, string>> = { '*': '.*', '?': '.' };

/** The SHA-256 that a manifest has for a file, as `sha256sum` writes it; alone, it is the file's whatever its name. */
export function digestIn(manifest: string, name: string): string | undefined {
  for (const line of manifest.split(/\r?\n/)) {
    const [, digest, named] = /^\\?([0-9a-f]{64})(?:\s+\*?(?:.*\/)?([^/]+))?\s*$/i.exec(line) ?? [];
    if (digest !== undefined && (named === undefined || named.normalize() === name.normalize()))
      return digest.toLowerCase();
  }
  return undefined;
}

const PREFIX = 'kept ';

/** What a place remembers of a pickup, in the state that its watchers share. */
export function memoryOf(state: WatchState, pickup: string): PlaceMemory {
  const set = async (file: string, to: string | null): Promise<void> => {
    const name = PREFIX + file;
    const from = await state.mark(pickup, name);
    if (from !== to) await state.record({ notices: [], mark: { pickup, name, from, to } });
  };
  return {
    kept: async () => {
      const marks = await state.marks(pickup, PREFIX);
      return new Map(marks.map(({ name, value }) => [name.slice(PREFIX.length), value]));
    },
    keep: set,
    forget: (name) => set(name, null),
  };
}

/** For a look that changes nothing. */
export const NOTHING_KEPT: PlaceMemory = {
  kept: () => Promise.resolve(new Map()),
  keep: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};

/** A file that has arrived. */
export interface ArrivedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Changes whenever the file does. */
  readonly version: string;
}

/** Something that lies where files arrive, and that cannot be taken. */
export interface OddEntry {
  /** From which it can be told; bytes that are no UTF-8 stand as `\xE4`. */
  readonly name: string;
  /** The same as a pattern is held against it. */
  readonly matched: string;
  /** Changes when another one takes its place. */
  readonly version: string;
  /** Why it cannot, and what to do, in a sentence. */
  readonly reason: string;
}

/** What lies in a place, in any order; nothing of what is put away or worked on there. */
export interface Arrived {
  readonly files: readonly ArrivedFile[];
  /** What cannot be taken, whatever it is called. */
  readonly odd: readonly OddEntry[];
}

/** Why what is no file is not taken. */
export const KIND_REASONS = {
  folder: 'this is a folder, and files in it are not looked for. Put them into the folder above.',
  'symbolic link':
    'this is a symbolic link, and links are not followed. Put the file itself there.',
  'named pipe': 'this is a named pipe. Put what comes out of it into a file.',
  socket: 'this is a socket, and no file. Remove it.',
  device: 'this is a device, and no file. Remove it.',
} as const satisfies Record<OtherKind, string>;

/** A file that nobody else takes any more, and that can be read here. */
export interface ClaimedFile extends ArrivedFile {
  /** Where it can be read. */
  readonly path: string;
}

/** Where a file goes at its end. */
export type Shelf = 'good' | 'bad';

/** Where files arrive. Every method throws a PlaceError when the place does not answer. */
export interface Place {
  /** For people. */
  readonly words: string;
  list(): Promise<Arrived>;
  /** What was taken before and has not been put away. */
  claimed(): Promise<ArrivedFile[]>;
  /** The beginning of a small file, such as a manifest; `null` when it is not there. */
  readText(name: string): Promise<string | null>;
  /**
   * Takes a file out of where it arrived, so that its sender no longer touches it; `false` when it is gone.
   * @throws StuckFileError when this file cannot be taken, and others may be
   */
  take(file: ArrivedFile): Promise<boolean>;
  /** Has a file that was taken here, as a whole; `null` when it is gone. */
  fetch(file: ArrivedFile, signal: AbortSignal): Promise<ClaimedFile | null>;
  /** Puts a file away, with what belongs to it; says where it is. Never replaces a file. */
  putAway(file: ClaimedFile, shelf: Shelf, beside: readonly Companion[]): Promise<string>;
  /** Deletes what said that a file is whole. */
  discard(name: string): Promise<void>;
  /** Deletes what was put away before an instant. */
  sweep(before: number): Promise<void>;
  /**
   * Looks whether files can be listed, taken and put away, and takes none.
   * @returns what is to be known of the place, in words
   * @throws PlaceError where they cannot
   */
  check(): Promise<string | null>;
  /** Ends connections. */
  close(): Promise<void>;
}

/** Ends the name of what is written beside each file that is put away, so that a sweep deletes nothing else. */
export const PUT_AWAY = '.cardline-kept';
/** Of a file that holds text, no more is read. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** What was put away together, by the name of that mark and what it holds. */
export const keptNames = (mark: string, text: string): string[] =>
  [mark.slice(1, -PUT_AWAY.length), ...text.split('\n').slice(1)].filter(isPlainName);

/** A file that goes with another one. */
export interface Companion {
  /** Appended to the name of the file, such as `.rejects.csv`. */
  readonly suffix: string;
  /** What it holds: the path of a file, or text. */
  readonly from: { readonly path: string } | { readonly text: string };
}

/** A place cannot be used now. */
export class PlaceError extends CardlineError {
  readonly exitCode = EXIT.stopped;
}

/** One file of a place cannot be taken. */
export class StuckFileError extends PlaceError {
  constructor(
    readonly entry: OddEntry,
    options?: ErrorOptions,
  ) {
    super(entry.reason, options);
  }
}

/** What a place has to remember itself, where it may not move files. */
export interface PlaceMemory {
  /** Versions of the files that were put away and are still there, by their names. */
  kept(): Promise<ReadonlyMap<string, string>>;
  keep(name: string, version: string): Promise<void>;
  forget(name: string): Promise<void>;
}
