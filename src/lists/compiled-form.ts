import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  statSync,
  writeSync,
  readdirSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve, basename } from 'node:path';
import { makeFolder } from '../files/regular-file.js';
import { codeOf } from '../core/errors.js';
import { setTimeout as wait } from 'node:timers/promises';

/** What is made of a file once, and opened quickly afterwards. */
export interface CompiledForm<T> {
  readonly file: string;
  /** What the name of the compiled file ends with, behind that of the file. */
  readonly suffix: string;
  /** `null` where the compiled file is none, or is not whole. */
  open(path: string): T | null;
  /** Whether it is of the file as it is now. */
  isCurrent(opened: T, path: string): Promise<boolean>;
  /** @param touch to be called often */
  make(path: string, touch: () => void): Promise<void>;
}

export interface Compiled<T> {
  readonly opened: T;
  /** Path of the compiled file. */
  readonly path: string;
  /** Whether it was compiled just now. */
  readonly isNew: boolean;
}

/**
 * Opens the compiled form of a file, and compiles it where it was not, or where the file has changed since. It lies
 * beside the file, or below the home folder where nothing can be written beside it.
 */
export async function compiledForm<T extends { close(): void }>(
  form: CompiledForm<T>,
): Promise<Compiled<T>> {
  for (;;) {
    const found = await openCompiledForm(form);
    if (found) return found;
    const path = placeFor(form);
    const lock = await lockBuilding(`${path}.lock`);
    if (lock === null) continue;
    try {
      removeLeft(path);
      await form.make(path, () => {
        lock.touch();
      });
    } finally {
      lock.release();
    }
    const opened = form.open(path);
    if (opened) return { opened, path, isNew: true };
  }
}

/** The compiled form that suits the file as it is now; `null` where there is none. */
async function openCompiledForm<T extends { close(): void }>(
  form: CompiledForm<T>,
): Promise<Compiled<T> | null> {
  for (const path of placesOf(form)) {
    const opened = form.open(path);
    if (opened === null) continue;
    if (await form.isCurrent(opened, path)) return { opened, path, isNew: false };
    opened.close();
  }
  return null;
}

/** By what it is seen that a file has not changed since. */
export interface FileMark {
  readonly bytes: number;
  /** Time of its change, in milliseconds since 1970. */
  readonly modified: number;
  /** Time of the last change of its directory entry, which no program can set. */
  readonly changed: number;
}

export function markOf(file: string): FileMark {
  const { size, mtimeMs, ctimeMs } = statSync(file);
  return { bytes: size, modified: mtimeMs, changed: ctimeMs };
}

export const isSameMark = (a: FileMark, b: FileMark): boolean =>
  a.bytes === b.bytes && a.modified === b.modified && a.changed === b.changed;

/** Writes the head of a compiled file anew, where that can be done. */
export function noteHead(path: string, head: Buffer): void {
  if (!isWritable(path)) return;
  const descriptor = openSync(path, 'r+');
  try {
    writeSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
}

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

type Place = Pick<CompiledForm<unknown>, 'file' | 'suffix'>;

function placesOf({ file, suffix }: Place): readonly [beside: string, cached: string] {
  const absolute = resolve(file);
  const name = createHash('sha256').update(absolute).digest('hex').slice(0, 32);
  return [`${absolute}${suffix}`, join(homedir(), '.cache', 'cardline', `${name}${suffix}`)];
}

function placeFor(place: Place): string {
  const [beside, cached] = placesOf(place);
  if (isWritable(dirname(beside))) return beside;
  makeFolder(dirname(cached));
  return cached;
}

/** What a builder has beside the file that it makes: its process, a time, and what it is. */
const LEFT = /^\d+\.[\da-z]+(\.[\da-z]+)?\.[a-z]+$/;

/**
 * Removes what builders that were killed have left beside a compiled file: numbers that nobody would ever remove. To be
 * called by whoever has the lock; what was written to a moment ago may be of one that only stood still.
 */
function removeLeft(path: string): void {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start) || !LEFT.test(name.slice(start.length))) continue;
    const file = join(dirname(path), name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && Math.abs(Date.now() - found.mtimeMs) > GONE_MS) remove(file);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    // Another user's, in a folder that several share: nobody else may remove it, and the list is built all the same.
    if (!['EPERM', 'EACCES'].includes(codeOf(error))) throw error;
  }
}

/** After how long without a sign a builder is taken to be gone, in milliseconds. */
const GONE_MS = 30_000;
/** How often it shows that it is at work, and how often others ask. */
const [TOUCH_MS, ASK_MS] = [1000, 100];

/** Held while a list is compiled, so that several threads and processes do not do the same work. */
interface BuildingLock {
  /** To be called often while at work. */
  touch(): void;
  release(): void;
}

/** Takes the lock, or resolves with `null` once another builder that had it is done: then its list may be used. */
async function lockBuilding(file: string): Promise<BuildingLock | null> {
  if (take(file)) return lockOn(file);
  for (;;) {
    await wait(ASK_MS);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return null;
    // A time to come is of a clock that was put back since: a builder at work would show itself again.
    if (Math.abs(Date.now() - found.mtimeMs) > GONE_MS) rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function lockOn(file: string): BuildingLock {
  let touched = Date.now();
  return {
    touch: () => {
      const now = Date.now();
      if (now - touched < TOUCH_MS) return;
      touched = now;
      utimesSync(file, new Date(now), new Date(now));
    },
    release: () => {
      rmSync(file, { force: true });
    },
  };
}
