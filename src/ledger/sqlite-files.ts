import type Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { platform } from 'node:process';
import { codeOf, LedgerError, LedgerInUseError, NoLedgerError } from '../core/errors.js';
import { existingFolder, isWritable, makeFolder } from '../files/regular-file.js';
import type { InspectedLedger } from './port.js';
import {
  APPLICATION_ID,
  IN_MEMORY,
  pause,
  SCHEMA_VERSION,
  UNMARKED_TABLES,
  UNMARKED_VERSIONS,
  hold,
  isLocked,
  tryLock,
  openedFolderLock,
} from './sqlite.js';
import type { RunRow } from './store.js';

/** Bytes of the first page, in which the tables' definitions stand. */
const HEAD_BYTES = 64 * 1024;
const SQLITE = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const SQLITE_HEADER_BYTES = 100;
/** Cells on the first page of a database; none: it has no tables. */
const CELLS_AT = SQLITE_HEADER_BYTES + 3;

/** Files that this process has open as ledgers, and how often. */
const openFiles = new Map<string, number>();

/**
 * Looks at a file before anything is done to it, and makes it where there is none, for its owner alone.
 * @returns its path without symbolic links, beside which SQLite's own files and the locks lie, and what is to be called
 * when the ledger has been closed
 * @throws NoLedgerError when it is no regular file, has a second name, or holds something else
 */
export function takeLedgerFile(file: string) {
  const found = statusOf(file);
  if (found) refuseUnusable(file, found);
  else {
    makeFolder(dirname(resolve(file)));
    makeUnlessThere(join(realpathSync(dirname(resolve(file))), basename(file)));
  }
  const path = realpathSync(file);
  const { dev, ino } = statSync(path);
  const key = `${dev}:${ino}`;
  const users = openFiles.get(key) ?? 0;
  // Closing any descriptor of the file would take the locks from those of this process that have it open already.
  if (users === 0 && found) refuseForeign(file, path);
  openFiles.set(key, users + 1);
  return {
    path,
    release: (): void => {
      const left = (openFiles.get(key) ?? 1) - 1;
      if (left > 0) openFiles.set(key, left);
      else openFiles.delete(key);
    },
  };
}

/** Tells whether there still is the same file at a path, by which SQLite names its log, and others look for it. */
export function sameFile(path: string): () => boolean {
  const before = inodeOf(path);
  return () => inodeOf(path) === before;
}

/** Said to a process whose ledger somebody has moved. */
export const ledgerGone = (path: string): LedgerError =>
  new LedgerError(
    `The ledger ${path} was moved, removed or replaced while a run was at work in it. Nothing more is sent. Bring it back, and run the same command again.`,
    { saysHowToContinue: true },
  );

/**
 * What is known of a ledger in a file without making or changing anything.
 * @throws NoLedgerError when it cannot be a ledger
 */
export function inspectFile(file: string): InspectedLedger {
  const found = statusOf(file);
  let [path, version] = [resolve(file), undefined as number | undefined];
  if (found) {
    refuseUnusable(file, found);
    path = realpathSync(file);
    refuseForeign(file, path);
    const head = headOf(path);
    if (head.length >= SQLITE_HEADER_BYTES) version = head.readUInt32BE(USER_VERSION_AT);
  }
  const folder = existingFolder(dirname(path));
  const locks = locksOf(path);
  return {
    ...{ file: path, version, ownVersion: SCHEMA_VERSION },
    notWritable: [...(found ? [path] : []), folder].filter((place) => !isWritable(place)),
    inUse: found ? runsBeside(path, LOCK_ENDING).filter((run) => locks.isTaken(run)) : [],
  };
}

/** Runs that have a file with this ending beside a ledger. */
function runsBeside(ledger: string, ending: string): string[] {
  const prefix = `${basename(ledger)}.`;
  return readdirSync(dirname(ledger))
    .filter((name) => name.startsWith(prefix) && name.endsWith(ending))
    .map((name) => name.slice(prefix.length, -ending.length));
}

function statusOf(file: string): Stats | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found && lstatSync(file, { throwIfNoEntry: false }))
    throw new NoLedgerError(
      `The ledger ${file} is a link that leads nowhere; mend it, or give another --ledger.`,
    );
  return found;
}

function refuseUnusable(file: string, found: Stats): void {
  if (found.isDirectory())
    throw new NoLedgerError(`The ledger ${file} is a folder; give the path of a file.`);
  if (!found.isFile())
    throw new NoLedgerError(
      `The ledger ${file} is no regular file, and was left as it is; give another --ledger.`,
    );
  // SQLite keeps its log by the file's name: by two names, two processes would not see each other.
  if (found.nlink > 1)
    throw new NoLedgerError(
      `The ledger ${file} has a second name (a hard link), by which another process could work on it unseen. Remove one of the names, or copy the file.`,
    );
}

/** @throws NoLedgerError when the file holds something else than a ledger */
function refuseForeign(file: string, path: string): void {
  const head = headOf(path);
  if (head.length === 0) return;
  if (!head.subarray(0, SQLITE.length).equals(Buffer.from(SQLITE)))
    throw new NoLedgerError(
      `The ledger ${file}: the file is not a ledger, and was left as it is; give another file with --ledger.`,
    );
  if (head.length < SQLITE_HEADER_BYTES || isOurs(head)) return;
  throw new NoLedgerError(
    `The ledger ${file}: this is a database of another program, and was left as it is; give another file with --ledger.`,
  );
}

function isOurs(head: Buffer): boolean {
  const id = head.readUInt32BE(APPLICATION_ID_AT);
  if (id === APPLICATION_ID) return true;
  if (id !== 0) return false;
  if (head.readUInt16BE(CELLS_AT) === 0) return true;
  const text = head.toString('latin1');
  return (
    UNMARKED_VERSIONS.has(head.readUInt32BE(USER_VERSION_AT)) &&
    UNMARKED_TABLES.every((table) => text.includes(table))
  );
}

function headOf(path: string): Buffer {
  // A file that has become a pipe meanwhile must not hold up the process.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const head = Buffer.alloc(Math.min(HEAD_BYTES, fstatSync(file).size));
    return head.subarray(0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Keeps other processes from a run. The system lets go of it when the process dies, however it dies. */
export interface RunLock {
  /**
   * Whether it still keeps others out: a process that is paused has it, but one on a file that was removed is void.
   */
  isHeld(): boolean;
  release(): void;
}

/** Who may work on the runs of a ledger. */
export interface RunLocks {
  /** Takes a run for this process; `null` when another one has it. */
  take(run: string): RunLock | null;
  /** Whether a process works on the run now. */
  isTaken(run: string): boolean;
}

const TRIES = 5;
const TRY_AGAIN_MS = 20;

/** Locks of a ledger in a file, by its path without symbolic links. */
export function locksOf(ledger: string): RunLocks {
  if (ledger === IN_MEMORY)
    return {
      take: () => ({ isHeld: () => true, release: () => undefined }),
      isTaken: () => false,
    };
  return {
    take: (run) => {
      const file = lockFile(ledger, run);
      let taken = lock(file);
      // Whoever only asks whether it is taken has it for a moment.
      for (let tries = 1; taken === null && tries < TRIES; tries++) {
        pause(TRY_AGAIN_MS);
        taken = lock(file);
      }
      if (taken === null) return null;
      held.add(taken);
      const own = taken;
      const inode = inodeOf(file);
      return { isHeld: () => isNamed(file, inode), release: () => release(file, inode, own) };
    },
    isTaken: (run) => {
      const file = lockFile(ledger, run);
      if (!statSync(file, { throwIfNoEntry: false })) return false;
      return isLocked(file);
    },
  };
}

/** SQLite's own lock on a file of its own: it needs no cleaning up after a crash. */
const LOCK_ENDING = '.lock';
const lockFile = (ledger: string, run: string): string => `${ledger}.${run}${LOCK_ENDING}`;

/** A lock is only as long-lived as its connection, and nothing else may hold on to that. */
const held = new Set<Database.Database>();

/** A file that was removed may be there again: that is another process's, and stays. */
function release(file: string, inode: string | null, lock: Database.Database): void {
  held.delete(lock);
  if (isNamed(file, inode)) rmSync(file, { force: true });
  lock.close();
}

/**
 * `null` when another process holds it. The last holder removes the file: a lock on what has no name any more keeps
 * nobody out, so that it is taken again.
 */
function lock(file: string): Database.Database | null {
  for (;;) {
    makeUnlessThere(file);
    const before = inodeOf(file);
    const taken = tryLock(file);
    if (taken === null) return null;
    if (taken && before !== null && before === inodeOf(file)) return taken;
    taken?.close();
  }
}

/**
 * Makes an empty file for its owner alone, where there is none, or another process was quicker to make it: closing a
 * descriptor of one that is there would undo the locks that this process has on it.
 */
function makeUnlessThere(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function inodeOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}

/** Whether the file with this inode is still there. One that cannot be looked at has not been removed. */
function isNamed(file: string, inode: string | null): boolean {
  try {
    return inodeOf(file) === inode;
  } catch {
    return true;
  }
}

/**
 * How far a run is known to be on the disk, in a file beside the ledger: where the ledger knows less, it has lost its
 * end. It is written after each flush of the ledger, so that it never says too much.
 */
export interface RunMark {
  readonly run: string;
  /** Facts of the run that are on the disk. */
  readonly facts: number;
  /** When the run was opened, in milliseconds since the epoch: an older ledger knows an earlier time. */
  readonly openedAt: number;
  /** What the run imports, so that it is known again where the ledger has forgotten the run. */
  readonly of: MarkedInput;
}

interface MarkedInput {
  /** Name of the first input, for the person; shortened. */
  readonly name: string;
  /** Shows which files they are, and what they held when the run was opened. */
  readonly files: string;
  readonly content: string;
}

/** A mark is written in place: it always has this length. */
const MARK_BYTES = 512;
const NAME_CHARACTERS = 60;

/** The inputs of a run as its mark has them. */
export function markedInput({ inputs, content }: Pick<RunRow, 'inputs' | 'content'>): MarkedInput {
  const [first = ''] = JSON.parse(inputs) as string[];
  const name = Array.from(basename(first)).slice(0, NAME_CHARACTERS).join('');
  return { name, files: digestOf(inputs), content: digestOf(content) };
}

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);
const MARK_ENDING = '.mark';

const markFile = (ledger: string, run: string): string => `${ledger}.${run}${MARK_ENDING}`;

/** A mark that is open for writing. */
export interface MarkWriter {
  write(facts: number): void;
  close(): void;
}

/** The marks beside a ledger: of runs that are under way, or whose process died. */
export interface RunMarks {
  all(): RunMark[];
  /** `undefined`: it is not there, or cannot be read. */
  of(run: string): RunMark | undefined;
  /** Makes a mark that says nothing yet, where there is none: of a run that is about to be put on record. */
  announce(run: string): void;
  /** Makes the mark of a run that is about to begin or to go on, and sees to it that it outlives a power cut. */
  begin(mark: RunMark): void;
  /** Opens the mark of a run to keep it up to date. */
  open(mark: Omit<RunMark, 'facts'>): MarkWriter;
  /** The ledger has all that the mark speaks of. */
  remove(run: string): void;
}

/** Marks of a ledger in a file, by its path without symbolic links. */
export function marksBeside(ledger: string): RunMarks {
  // One that cannot be read says nothing, as if it were not there.
  const markOf = (run: string): RunMark | undefined => readMark(markFile(ledger, run));
  return {
    of: markOf,
    all: () => runsBeside(ledger, MARK_ENDING).flatMap((run) => markOf(run) ?? []),
    announce: (run) => {
      if (markOf(run)) return;
      writeMark(ledger, { run, facts: 0, openedAt: 0, of: NOTHING_YET });
    },
    begin: (mark) => {
      writeMark(ledger, mark);
      flushFile(markFile(ledger, mark.run));
      // Windows cannot open folders, and keeps the names of files by itself.
      if (platform !== 'win32') flushFile(dirname(ledger));
    },
    open: (mark) => openMark(ledger, mark),
    remove: (run) => rmSync(markFile(ledger, run), { force: true }),
  };
}

/** Of a run that is not on record yet. */
const NOTHING_YET: MarkedInput = { name: '', files: '', content: '' };

function openMark(ledger: string, { run, openedAt, of }: Omit<RunMark, 'facts'>): MarkWriter {
  const { O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
  const file = openSync(markFile(ledger, run), O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  return {
    write: (facts) => {
      const text = JSON.stringify({ run, facts, openedAt, of } satisfies RunMark);
      writeSync(file, `${text.padEnd(MARK_BYTES - 1)}\n`, 0);
    },
    close: () => {
      closeSync(file);
    },
  };
}

function writeMark(ledger: string, { facts, ...mark }: RunMark): void {
  const writer = openMark(ledger, mark);
  writer.write(facts);
  writer.close();
}

function flushFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** `undefined`: it is not there, or not whole. */
function readMark(file: string): RunMark | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isMark(read) ? read : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    // Its run came to its end meanwhile.
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Checked by hand: the thread that records has no other use for what checks shapes. */
function isMark(read: unknown): read is RunMark {
  if (typeof read !== 'object' || read === null) return false;
  const { run, facts, openedAt, of }: Partial<Record<keyof RunMark, unknown>> = read;
  const isNumbered = typeof facts === 'number' && typeof openedAt === 'number';
  return typeof run === 'string' && isNumbered && typeof of === 'object' && of !== null;
}

const LOCK = '.cardline-run';
const [FOLDER_TRIES, PAUSE_MS] = [100, 10];

/**
 * Takes a folder for the reports of a run, whatever ledger it is recorded in, and makes it where there is none. A lock of SQLite ends with its process,
 * however that ends; the file that carries it is removed when the folder is released. A process that took the run over
 * from one that is paused writes beside it: both write the same rows.
 * @throws LedgerInUseError while another run writes into the folder; UsageError where the folder cannot be used
 */
export function takeRunFolder(folder: string, run: string) {
  const isNew = statSync(folder, { throwIfNoEntry: false }) === undefined;
  const database = take(folder, run);
  return {
    release: (): void => {
      if (!database) return;
      // Removed while it is held: whoever opened it meanwhile sees that it is gone, and takes a new one.
      unlessRefused(() => {
        rmSync(join(folder, LOCK), { force: true });
      });
      database.close();
      if (isNew)
        unlessRefused(() => {
          rmdirSync(folder);
        });
    },
  };
}

/** `undefined`: this very run has the folder already. */
function take(folder: string, run: string): Database.Database | undefined {
  const file = join(folder, LOCK);
  for (let tries = 1; ; tries += 1) {
    const database = openedFolderLock(folder, file);
    let holder: string | null;
    let isHeld = false;
    try {
      const before = inodeOf(file);
      holder = hold(database, run, file);
      isHeld = holder === null && before !== null && inodeOf(file) === before;
    } finally {
      if (!isHeld) database.close();
    }
    if (isHeld) return database;
    if (holder === run) return undefined;
    // Whoever is just taking or releasing the folder is done in a moment.
    if (!holder && tries < FOLDER_TRIES) pause(PAUSE_MS);
    else
      throw new LedgerInUseError(
        `${holder ? `Run ${holder}` : 'Another run'} is writing into ${folder}. Wait for it, or give another folder with --out, and run the same command again.`,
        { saysHowToContinue: true },
      );
  }
}

/**
 * Removes what is not needed any more: a lock, which nobody holds then, or the empty folder of a run that was refused.
 * What the file system does not let go, as in a folder that has become read-only or a file, does no harm where it is.
 */
function unlessRefused(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (codeOf(error) === '') throw error;
  }
}
