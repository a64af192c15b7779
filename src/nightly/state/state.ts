import type { Notice } from '../notices/notice.js';

/** A file that was taken, with how its import ended. */
export interface TakenFile {
  readonly pickup: string;
  readonly file: string;
  readonly run: string | null;
  /** When it was claimed, in milliseconds since the epoch. */
  readonly at: number;
  /** Name of the notice's kind that says how it ended. */
  readonly kind: string;
  readonly rows: number;
  readonly badRows: number;
}

/** A notice that waits to be sent to one target. */
export interface Waiting {
  readonly id: number;
  readonly target: string;
  readonly notice: Notice;
  readonly attempts: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
}

/** A file of a pickup. */
export interface FileKey {
  readonly pickup: string;
  readonly file: string;
}

/** What is known of a file that a watcher works on, over restarts and from one watcher to the next. */
export interface Claim {
  /** When it was claimed first, in milliseconds since the epoch. */
  readonly at: number;
  /** The file was held against its manifest. */
  readonly isChecked: boolean;
  /** What its notice is about: the run, or an empty text where there was none. */
  readonly noticed: string | null;
  /** Its import has stopped before. */
  readonly hasStopped: boolean;
}

/** What may change of a claim. */
export type ClaimNote = Partial<Pick<Claim, 'isChecked' | 'hasStopped'>>;

/** What is kept together, or not at all. */
export interface Entry {
  readonly notices: readonly {
    readonly target: string;
    readonly notice: Notice;
    readonly at: number;
  }[];
  readonly taken?: TakenFile | null;
  /** The notices are of this claim. Nothing is kept when another watcher has it by now. */
  readonly about?: FileKey & { readonly run: string | null };
  /** Nothing is kept when the mark is no longer `from`: another watcher was faster. */
  readonly mark?: {
    readonly pickup: string;
    readonly name: string;
    readonly from: string | null;
    readonly to: string | null;
  };
}

/**
 * What watchers have to remember, and share: the files that they work on and took, the notices that are yet to be sent,
 * and what was told of already. What became of rows stands in the ledger alone.
 */
export interface WatchState {
  /** Keeps an entry as a whole; `false`: nothing, since another watcher has come before. */
  record(entry: Entry): Promise<boolean>;
  /** The files taken last, the newest first. */
  latest(pickup: string, count: number): Promise<TakenFile[]>;

  /**
   * The oldest notice that is due of each of these targets, so that they arrive in their order. Until `until`, nobody
   * else gets these.
   */
  due(targets: readonly string[], now: number, until: number): Promise<Waiting[]>;
  /** When the next notice to one of these targets is due; `null` when none waits. */
  nextDue(targets: readonly string[]): Promise<number | null>;
  /** Forgets notices that were made before an instant: their targets are in no pickup file any more. */
  forget(before: number): Promise<void>;
  sent(id: number): Promise<void>;
  /** Tries a notice again at an instant; `isFailure`: it counts as an attempt. */
  again(id: number, at: number, isFailure: boolean): Promise<void>;

  mark(pickup: string, name: string): Promise<string | null>;
  /** All marks of a pickup whose names begin so. */
  marks(
    pickup: string,
    prefix: string,
  ): Promise<{ readonly name: string; readonly value: string }[]>;

  /**
   * Takes a file for this watcher, which holds it while it renews its claims; `null` where another one does. A watcher
   * on this machine that was killed holds nothing. What is known of another version of the file is forgotten.
   */
  claim(key: FileKey, version: string, now: number): Promise<Claim | null>;
  noteClaim(key: FileKey, note: ClaimNote): Promise<void>;
  /** Who has the file now. */
  holderOf(key: FileKey): Promise<'this' | 'another' | null>;
  /** Leaves a file to whoever comes next, with what is known of it. */
  letGo(key: FileKey): Promise<void>;
  /** Forgets a file that was put away. */
  unclaim(key: FileKey): Promise<void>;
  /** Holds all claims of this watcher for longer. */
  renew(): Promise<void>;
  close(): Promise<void>;
}
