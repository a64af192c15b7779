import { isCountry } from '../mapping/transforms/phone/plans.js';
import { numberReader, numbersVersion } from '../mapping/transforms/phone/phone.js';
import { UsageError, InputError, codeOf } from '../core/errors.js';
import type { Installation, FileListSpec, SuppressSpec } from '../installation/installation.js';
import {
  checkAll,
  isGzip,
  type ListSource,
  type NumberList,
  openNumbers,
  tooOld,
} from '../lists/lists.js';
import type { NumberCheck } from '../core/outcome.js';
import { whole } from '../core/text.js';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { columnAt } from './lookup-table.js';
import { openSource, refuseUnsureEncoding } from '../source/source.js';

/** Memory for the filters of all lists, in all threads, in bytes. */
const FILTER_BYTES = 64 * 1024 ** 2;

/** The lists of an installation that are open. */
export interface OpenLists {
  readonly suppression: NumberCheck;
  /** What is to be said of them, for the person. */
  readonly warnings: readonly string[];
  close(): void;
}

/**
 * Opens the lists of numbers that must not be called; those that were not compiled, or have changed since, are compiled.
 * @param threads that have them open at the same time
 * @throws UsageError with everything that is wrong with any of them: nothing may be sent then
 */
export async function openLists(
  specs: NonNullable<Installation['suppress']>,
  threads: number,
  now: number,
): Promise<OpenLists> {
  const maxFilter = FILTER_BYTES / (specs.length * threads);
  const opened: OpenList[] = [];
  const mistakes: string[] = [];
  for (const spec of specs) {
    try {
      opened.push(await openList(spec, maxFilter, now));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(error.message);
    }
  }
  const close = (): void => {
    for (const { list } of opened) list.close();
  };
  mistakes.push(...opened.flatMap((one) => one.mistakes));
  if (mistakes.length > 0) {
    close();
    throw new UsageError(`${mistakes.join('\n')}\nNothing was sent.`);
  }
  return {
    suppression: checkOf(opened),
    warnings: opened.flatMap((one) => one.warnings),
    close,
  };
}

export const checkOf = (opened: readonly OpenList[]): NumberCheck =>
  checkAll(opened.map(({ spec: { name, scope }, list }) => ({ name, scope, list })));

/** A list that is open, and what is to be said of it. */
export interface OpenList {
  readonly list: NumberList;
  readonly spec: SuppressSpec;
  /** Why nothing may be sent with it. */
  readonly mistakes: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Opens a list of numbers that must not be called; one that was not compiled, or has changed since, is compiled.
 * @param maxFilter bytes of memory for its filter
 * @throws UsageError where it cannot be read
 */
export async function openList(
  spec: SuppressSpec,
  maxFilter: number,
  now: number,
): Promise<OpenList> {
  const list = await readable(spec, maxFilter, now);
  const remarks = 'store' in spec ? { mistakes: [], warnings: [] } : remarksOn(spec, list, now);
  return { list, spec, ...remarks };
}

async function readable(spec: SuppressSpec, maxFilter: number, now: number): Promise<NumberList> {
  try {
    return await openNumbers('store' in spec ? spec : listSource(spec), maxFilter, now);
  } catch (error) {
    if (error instanceof InputError)
      throw new UsageError(`${nameOf(spec)}: ${error.reason}`, { cause: error });
    if (error instanceof UsageError)
      throw new UsageError(`${nameOf(spec)}: ${error.message}`, { cause: error });
    const code = codeOf(error);
    if (code === '' || code.startsWith('ERR_')) throw error;
    throw new UsageError(`${nameOf(spec)} cannot be read or compiled (${code}).`, { cause: error });
  }
}

function remarksOn(
  spec: FileListSpec,
  { head }: NumberList,
  now: number,
): Pick<OpenList, 'mistakes' | 'warnings'> {
  const { numbers, unread, firstUnread, dated, source } = head;
  const age = tooOld({ file: spec.file, dated, modified: source.modified }, spec.maxAge, now);
  const mistakes: string[] = [];
  const warnings: string[] = [];
  if (age !== null && spec.old === 'warn') warnings.push(`${nameOf(spec)}: ${age}`);
  else if (age !== null)
    mistakes.push(`${nameOf(spec)}: ${age} Fetch a new one, or set "old: warn" for the list.`);
  if (unread > 0 && numbers === 0)
    mistakes.push(
      `${nameOf(spec)}: none of its ${whole(unread)} lines holds a phone number. Check its "format", "column" and "country".`,
    );
  else if (unread > 0)
    warnings.push(
      `${nameOf(spec)}: ${whole(unread)} of its lines hold no phone number, the first of them is line ${firstUnread}.`,
    );
  return { mistakes, warnings };
}

function nameOf(spec: SuppressSpec): string {
  return `List "${spec.name}" (${'store' in spec ? spec.store : spec.file})`;
}

/** How the file of a list is read. */
export function listSource(list: FileListSpec): ListSource {
  const { file, format, column } = list;
  const country = format === 'ftc' ? 'US' : list.country;
  if (country !== undefined && !isCountry(country))
    throw new InputError(
      'no_country',
      `"${country}" is not a country. Use two letters, such as RU.`,
      { file },
    );
  return {
    file,
    settings: JSON.stringify([format, column ?? null, country ?? null, numbersVersion()]),
    reader: numberReader(country),
    areas: format === 'ftc',
    ...(column === undefined ? {} : { cells: () => cellsOf(file, column) }),
  };
}

/** The cells of a column, batch by batch. A packed table is unpacked first. */
async function* cellsOf(file: string, column: string): AsyncGenerator<string[], void, undefined> {
  if (!(await isGzip(file))) {
    yield* cellsIn(file, file, column);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'cardline-list-'));
  try {
    const unpacked = join(folder, basename(file).replace(/\.gz$/i, ''));
    await pipeline(
      createReadStream(file),
      createGunzip(),
      createWriteStream(unpacked, { mode: 0o600 }),
    );
    yield* cellsIn(unpacked, file, column);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `name`: the file that the person knows. */
async function* cellsIn(
  path: string,
  name: string,
  column: string,
): AsyncGenerator<string[], void, undefined> {
  const source = await openSource(path);
  refuseUnsureEncoding(name, source.info);
  let at: number | undefined;
  for await (const rows of source.batches()) {
    const texts: string[] = [];
    for (const { cells } of rows) {
      if (at === undefined) at = columnAt(column, cells, name, true);
      else texts.push(cells[at] ?? '');
    }
    yield texts;
  }
}
