import { closeSync, openSync, rmSync, statfsSync, statSync, type Stats, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../core/errors.js';
import { beginsWith, existingFolder, otherKind } from './regular-file.js';

/**
 * What is going to be at a path: a `folder` that is written into, a `file` that is made or replaced, a file of
 * `metrics`, which replaces no other one, a `ledger` that is made or written on, a ledger that is only read, or the
 * database of a `sandbox`.
 */
export type PlaceKind = 'folder' | 'file' | 'metrics' | 'ledger' | 'read ledger' | 'sandbox';

/** File systems of the kernel, by their magic number: their entries are no files, and some can be opened for ever. */
const KERNEL = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x1cd1, // devpts
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0xcafe4a11, // bpf
  0x62656570, // configfs
  0x6165676c, // pstore
  0xde5e81e4, // efivarfs
]);

const SQLITE = 'SQLite format 3\0';
/** How every file of metrics that cardline writes begins. */
const METRICS = '# HELP cardline_';
/** What is said of a file that `mayBecomeMetrics` does not take. */
export const NO_METRICS = 'holds no metrics of cardline, and is not replaced';

/**
 * Why nothing can be written at a path, as the second half of a sentence; `undefined` where nothing speaks against it.
 * Leaves everything as it was: whether there is room is tried with a file that is removed at once.
 */
export function placeProblem(path: string, kind: PlaceKind): string | undefined {
  const full = resolve(path);
  try {
    const found = statSync(full, { throwIfNoEntry: false });
    const folder = existingFolder(dirname(full));
    if (isOfKernel(found ? full : folder))
      return 'lies among the files of the operating system, which keep nothing';
    if (found) return problemOf(full, found, kind);
    if (kind === 'read ledger') return undefined;
    tryToWrite(folder);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function problemOf(path: string, found: Stats, kind: PlaceKind): string | undefined {
  if (kind === 'folder') {
    if (!found.isDirectory()) return `is a ${otherKind(found) ?? 'file'}, not a folder`;
    tryToWrite(path);
    return undefined;
  }
  const other = otherKind(found);
  if (other !== undefined) return `is a ${other}, not a file`;
  if (kind === 'file' || kind === 'metrics') {
    if (kind === 'metrics' && !mayBecomeMetrics(path)) return NO_METRICS;
    tryToWrite(dirname(path));
    return undefined;
  }
  const what = kind === 'sandbox' ? 'database of a sandbox' : 'ledger';
  if (found.size > 0 && !isDatabase(path)) return `is not a ${what}, and was left as it is`;
  // Whether a run in it can go on, and what to do where it cannot, is said when the ledger is opened.
  return undefined;
}

/** Whether metrics can be written to a path without replacing anything else: nothing is there, or earlier metrics. */
export function mayBecomeMetrics(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.isFile() && found.size === 0)) return true;
  return found.isFile() && !hasLog(path) && beginsWith(path, METRICS);
}

const isDatabase = (path: string): boolean => hasLog(path) || beginsWith(path, SQLITE);

/** A database that this process has open must not be opened here: closing it would take its locks away. It has a log beside it. */
function hasLog(path: string): boolean {
  return statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined;
}

function isOfKernel(path: string): boolean {
  return process.platform === 'linux' && KERNEL.has(statfsSync(path).type >>> 0);
}

/** Room for one block is a sign that the disk is not full, and shows whether the folder takes files. */
function tryToWrite(folder: string): void {
  const trial = join(folder, `.cardline-${randomUUID()}`);
  const file = openSync(trial, 'wx', 0o600);
  try {
    writeSync(file, Buffer.alloc(4096));
  } finally {
    closeSync(file);
    rmSync(trial, { force: true });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: there is no room left for this user',
  EROFS: 'cannot be written: the file system is read-only',
  EACCES: 'may not be written by this user',
  EPERM: 'may not be written by this user',
  ENOTDIR: 'lies below a file, not below a folder',
  ELOOP: 'is a link that leads to itself',
  ENAMETOOLONG: 'has a name that is too long',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === '') throw error;
  return REASONS[code] ?? `cannot be written (${code})`;
}
