import { join } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { systemClock } from '../../core/time.js';
import type { FileListSpec, StoreListSpec } from '../../installation/installation.js';
import { NumberTally } from '../../quality/numbers/line-numbers.js';
import { readNumbers } from '../../quality/numbers/list-source.js';
import { SortedRuns } from '../../quality/numbers/sorted-runs.js';
import { type Added, type Entry, NumberStore } from '../../quality/store/number-store.js';
import { listSource } from '../../prepare/suppress/list-source.js';
import { temporaryFolder } from '../inputs/temporary-folder.js';
import { numberOf, storeNamed } from './named-list.js';

/** Which list is changed. */
export interface StoreRequest {
  /** Path of the installation file. */
  readonly installation: string;
  /** Name of a list that has a store. */
  readonly list: string;
}

/** Puts a number on a list. @throws UsageError where it is none, or the list cannot be changed */
export async function addNumber(
  request: StoreRequest & Entry,
  written: string,
): Promise<Added & { readonly endsAt: number | null }> {
  const spec = await storeNamed(request.installation, request.list);
  const number = numberOf(written, spec.country);
  return await onStore(spec, (store, now) => {
    const added = store.add([Float64Array.of(number)], entryOf(request, now), now);
    return { ...added, endsAt: store.find(number, now)?.endsAt ?? null };
  });
}

/** Takes a number off a list; resolves with whether it was on it. @throws as `addNumber` does */
export async function removeNumber(request: StoreRequest, written: string): Promise<boolean> {
  const spec = await storeNamed(request.installation, request.list);
  const number = numberOf(written, spec.country);
  return await onStore(spec, (store, now) => store.remove(number, now));
}

/** A file of numbers that are put on a list. */
export interface ImportNumbersRequest
  extends StoreRequest, Entry, Pick<FileListSpec, 'file' | 'format' | 'column'> {
  /** Of numbers without a country code. @default that of the list */
  readonly country?: string | undefined;
}

export interface ImportedNumbers extends Added {
  /** Lines that hold something and no number. */
  readonly unread: number;
  /** The first of them; 0 where there is none. */
  readonly firstUnread: number;
}

/**
 * Puts all numbers of a file on a list, or none of them.
 * @throws UsageError, InputError where the file cannot be read or holds no number
 */
export async function importNumbers(request: ImportNumbersRequest): Promise<ImportedNumbers> {
  const { installation, list, file, format, column } = request;
  const spec = await storeNamed(installation, list);
  const country = request.country ?? (format === 'ftc' ? undefined : spec.country);
  const source = listSource({ ...{ name: list, file, format, column, country }, ...UNUSED });
  const folder = await temporaryFolder();
  try {
    const runs = new SortedRuns(join(folder.path, 'numbers'));
    try {
      const tally = new NumberTally(source.reader, (number) => {
        runs.add(number);
      });
      await readNumbers(source, tally, () => undefined);
      runs.finish();
      const { unread, firstUnread } = tally;
      if (runs.total === 0)
        throw new UsageError(`${file} holds no phone number. Check --format, --column, --country.`);
      const added = await onStore(spec, (store, now) =>
        store.add(runs.merged(), entryOf(request, now), now),
      );
      return { ...added, unread, firstUnread };
    } finally {
      runs.close();
    }
  } finally {
    await folder.remove();
  }
}

/** What only a list that stays a file has. */
const UNUSED = { scope: 'phone', old: 'warn' } as const;

function entryOf({ until, reason }: Entry, now: number): Entry {
  if (until !== undefined && until <= now)
    throw new UsageError('--until is over already. Give a day to come.');
  return { until, reason };
}

async function onStore<T>(
  { store: file, ttl }: StoreListSpec,
  use: (store: NumberStore, now: number) => T,
): Promise<T> {
  const store = new NumberStore(file, ttl, 'write');
  try {
    return await Promise.resolve(use(store, systemClock.now()));
  } finally {
    store.close();
  }
}
