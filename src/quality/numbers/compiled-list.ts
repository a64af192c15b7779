import { createHash } from 'node:crypto';
import { constants, openSync, closeSync, accessSync, rmSync, statSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../files/folder.js';
import { lockBuilding } from './building-lock.js';
import { headBytes, type ListHead } from './layout.js';
import { NumberTally } from './line-numbers.js';
import { digestOf, readNumbers, type ListSource } from './list-source.js';
import { openNumberList, type NumberList } from './number-list.js';
import { SortedRuns } from './sorted-runs.js';
import { writeList } from './write-list.js';

/** What the name of a list ends with when it is compiled. */
const SUFFIX = '.numbers';

export interface CompiledList {
  readonly list: NumberList;
  /** Path of the compiled file. */
  readonly path: string;
  /** Whether it was compiled just now. */
  readonly isNew: boolean;
}

/**
 * Opens the compiled form of a list, and compiles it where it was not, or where the file has changed since. It lies
 * beside the file, or below the home folder where nothing can be written beside it.
 * @param maxFilter bytes of memory for the filter
 */
export async function compiledList(source: ListSource, maxFilter: number): Promise<CompiledList> {
  for (;;) {
    const found = await openCompiled(source, maxFilter);
    if (found) return found;
    const path = placeFor(source.file);
    const lock = await lockBuilding(`${path}.lock`);
    if (lock === null) continue;
    try {
      await compile(source, path, () => {
        lock.touch();
      });
    } finally {
      lock.release();
    }
    const list = openNumberList(path, maxFilter);
    if (list) return { list, path, isNew: true };
  }
}

/** The compiled form that suits the file as it is now; `null` where there is none. */
export async function openCompiled(
  source: ListSource,
  maxFilter: number,
): Promise<CompiledList | null> {
  for (const path of placesOf(source.file)) {
    const list = openNumberList(path, maxFilter);
    if (list === null) continue;
    if (await isOf(list.head, source, path)) return { list, path, isNew: false };
    list.close();
  }
  return null;
}

async function compile(source: ListSource, path: string, touch: () => void): Promise<ListHead> {
  const before = markOf(source.file);
  const temporary = `${path}.${process.pid}.${performance.now().toString(36)}.runs`;
  const runs = new SortedRuns(temporary);
  try {
    const tally = new NumberTally(source.reader, (number) => {
      runs.add(number);
    });
    const digest = await readNumbers(source, tally, touch);
    const { unread, firstUnread, dated } = tally;
    const merged = function* (): Generator<Float64Array, void, undefined> {
      for (const batch of runs.merged()) {
        touch();
        yield batch;
      }
    };
    const facts = { settings: source.settings, unread, firstUnread, dated };
    runs.finish();
    return writeList(path, merged(), runs.total, { ...facts, source: { ...before, digest } });
  } finally {
    runs.close();
    rmSync(temporary, { force: true });
  }
}

/**
 * Whether a compiled list is of the file as it is now. What was copied or touched has another time and the same digest:
 * then its new times are noted, where that can be.
 */
async function isOf(head: ListHead, source: ListSource, path: string): Promise<boolean> {
  const { settings, source: known } = head;
  if (settings !== source.settings) return false;
  const { bytes, modified, changed } = markOf(source.file);
  if (known.bytes !== bytes) return false;
  if (known.modified === modified && known.changed === changed) return true;
  const digest = await digestOf(source.file);
  if (known.digest !== digest) return false;
  noteMark(path, { ...head, source: { bytes, modified, changed, digest } });
  return true;
}

function markOf(file: string): Omit<ListHead['source'], 'digest'> {
  const { size, mtimeMs, ctimeMs } = statSync(file);
  return { bytes: size, modified: mtimeMs, changed: ctimeMs };
}

function noteMark(path: string, head: ListHead): void {
  if (!isWritable(path)) return;
  const descriptor = openSync(path, 'r+');
  try {
    const bytes = headBytes(head);
    writeSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(descriptor);
  }
}

function placesOf(file: string): readonly [beside: string, cached: string] {
  const absolute = resolve(file);
  const name = createHash('sha256').update(absolute).digest('hex').slice(0, 32);
  return [`${absolute}${SUFFIX}`, join(homedir(), '.cache', 'cardline', `${name}${SUFFIX}`)];
}

function placeFor(file: string): string {
  const [beside, cached] = placesOf(file);
  if (isWritable(dirname(beside))) return beside;
  makeFolder(dirname(cached));
  return cached;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
