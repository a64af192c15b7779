import type { OtherKind } from '../../files/regular-file.js';
import { CardlineError, EXIT } from '../../core/errors.js';

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
  /** What has arrived, in any order. */
  list(): Promise<ArrivedFile[]>;
  /** What lies there and cannot be taken, whatever it is called; none of what is put away or worked on there. */
  odd(): Promise<OddEntry[]>;
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
