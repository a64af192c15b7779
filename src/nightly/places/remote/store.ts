import type { Readable } from 'node:stream';
import type { OtherKind } from '../../../files/regular-file.js';
import type { ArrivedFile } from '../place.js';

/** A file on a server. */
export interface RemoteFile extends ArrivedFile {
  /** When it was changed, in milliseconds since the epoch, by the server's clock. */
  readonly changedAt: number;
}

/** How a move went. `taken`: there is a file of that name; `forbidden`: files may not be moved there. */
export type Moved = 'moved' | 'gone' | 'taken' | 'forbidden';

/** Files on a server, by their paths. Every method throws a PlaceError when it does not answer. */
export interface RemoteStore {
  /** For people. */
  readonly words: string;
  /** Whether moving a file is at once, so that of two who do it one succeeds. */
  readonly movesAtOnce: boolean;
  /** The files of a folder; `null` when there is no such folder. */
  list(folder: string): Promise<RemoteFile[] | null>;
  /** What lies in a folder and is no file, with what it is. */
  others(folder: string): Promise<{ readonly name: string; readonly kind: OtherKind }[]>;
  look(path: string): Promise<RemoteFile | null>;
  /** What a file holds from an offset on. */
  read(path: string, start: number): Promise<Readable>;
  /** Writes a file as a whole, in place of one that is there. */
  write(path: string, content: Buffer): Promise<void>;
  /** Where it is at once, it never replaces a file; else the caller has looked whether there is one. */
  move(from: string, to: string): Promise<Moved>;
  remove(path: string): Promise<void>;
  /** Makes a folder and its parents; `false`: it may not be made. */
  makeFolder(path: string): Promise<boolean>;
  /** Makes something and removes it again; `false`: it may not be made. */
  mayWrite(folder: string): Promise<boolean>;
  close(): Promise<void>;
}
