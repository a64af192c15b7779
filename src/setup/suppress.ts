import { UsageError } from '../core/errors.js';
import { systemClock } from '../core/time.js';
import type { FileListSpec, StoreListSpec, SuppressSpec } from '../installation/installation.js';
import {
  type Added,
  type AddedFile,
  type Entry,
  listAge,
  NumberStore,
  type StoredNumber,
} from '../lists/lists.js';
import { listSource, openList } from '../prepare/open-lists.js';
import { suggestion } from '../core/text.js';
import { loadInstallation } from '../installation/installation.js';
import { numberReader } from '../mapping/transforms/phone/phone.js';
import { isCountry } from '../mapping/transforms/phone/plans.js';

/** Which list is changed. */
interface StoreRequest {
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
    const added = store.add(number, entryOf(request, now), now);
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
interface ImportNumbersRequest
  extends StoreRequest, Entry, Pick<FileListSpec, 'file' | 'format' | 'column'> {
  /** Of numbers without a country code. @default that of the list */
  readonly country?: string | undefined;
}

/**
 * Puts all numbers of a file on a list, or none of them.
 * @throws UsageError, InputError where the file cannot be read or holds no number
 */
export async function importNumbers(request: ImportNumbersRequest): Promise<AddedFile> {
  const { installation, list, file, format, column } = request;
  const spec = await storeNamed(installation, list);
  const country = request.country ?? (format === 'ftc' ? undefined : spec.country);
  const source = listSource({ ...{ name: list, file, format, column, country }, ...UNUSED });
  return await onStore(spec, (store, now) => store.addAll(source, entryOf(request, now), now));
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
  use: (store: NumberStore, now: number) => T | Promise<T>,
): Promise<T> {
  const store = new NumberStore(file, ttl, 'write');
  try {
    return await use(store, systemClock.now());
  } finally {
    store.close();
  }
}

/** How a list stands. */
export interface ListStatus {
  readonly name: string;
  readonly kind: 'file' | 'store';
  /** Absolute path of the file or store. */
  readonly file: string;
  readonly scope: SuppressSpec['scope'];
  /** Numbers that must not be called now; `null` where it cannot be read. */
  readonly numbers: number | null;
  /** How old it is, in milliseconds; `null` for a store, and where it cannot be read. */
  readonly age: number | null;
  /** Path of the compiled file; `null` where there is none. */
  readonly compiled: string | null;
  /** Whether it was compiled just now. */
  readonly isNew: boolean;
  /** Why nothing may be sent with it. */
  readonly mistakes: readonly string[];
  readonly warnings: readonly string[];
}

/** Compiles what is not compiled, and says how each list of an installation stands. @throws UsageError without lists */
export async function listStatus(installation: string): Promise<ListStatus[]> {
  const found: ListStatus[] = [];
  for (const spec of await listsOf(installation)) {
    const now = systemClock.now();
    const { name, scope } = spec;
    const [kind, file] =
      'store' in spec ? (['store', spec.store] as const) : (['file', spec.file] as const);
    const known = { name, kind, file, scope };
    try {
      const { list, mistakes, warnings } = await openList(spec, 0, now);
      list.close();
      const { path: compiled, isNew } = list;
      const { numbers, dated, source } = list.head;
      const age =
        kind === 'store' ? null : listAge({ file, dated, modified: source.modified }, now);
      found.push({ ...known, numbers, age, compiled, isNew, mistakes, warnings });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const nothing = { numbers: null, age: null, compiled: null, isNew: false, warnings: [] };
      found.push({ ...known, ...nothing, mistakes: [error.message] });
    }
  }
  return found;
}

/** The same, with an empty store where one is missing. */
export async function buildLists(installation: string): Promise<ListStatus[]> {
  for (const spec of await listsOf(installation))
    if ('store' in spec) new NumberStore(spec.store, spec.ttl, 'write').close();
  return await listStatus(installation);
}

/** A list that a number is on. */
export interface WhyListed {
  readonly list: string;
  readonly file: string;
  readonly scope: SuppressSpec['scope'];
  /** What the store knows of it; absent for a file. */
  readonly entry?: StoredNumber;
}

export interface Why {
  /** All lists that the number is on. */
  readonly listed: readonly WhyListed[];
  /** How many lists were asked. */
  readonly lists: number;
}

/**
 * On which lists of an installation a number is, and why.
 * @param country of numbers without a country code. @default that of each list
 * @throws UsageError where it is no number, or a list cannot be read
 */
export async function whyListed(
  installation: string,
  written: string,
  country: string | undefined,
): Promise<Why> {
  const lists = await listsOf(installation);
  const numbers = lists.map((spec) => {
    const own = 'format' in spec && spec.format === 'ftc' ? 'US' : spec.country;
    return comparedAs(written, country ?? own);
  });
  if (numbers.every((number) => number === 0)) throw notAPhone(country);
  const listed: WhyListed[] = [];
  for (const [at, spec] of lists.entries()) {
    const number = numbers[at] ?? 0;
    const found = number === 0 ? null : await onList(spec, number);
    if (found) listed.push(found);
  }
  return { listed, lists: lists.length };
}

async function onList(spec: SuppressSpec, number: number): Promise<WhyListed | null> {
  const { name: list, scope } = spec;
  const now = systemClock.now();
  if ('store' in spec) {
    const store = new NumberStore(spec.store, spec.ttl, 'read');
    try {
      const entry = store.find(number, now);
      return entry && { list, scope, file: spec.store, entry };
    } finally {
      store.close();
    }
  }
  const opened = await openList(spec, 0, now);
  try {
    return opened.list.has(number) ? { list, scope, file: spec.file } : null;
  } finally {
    opened.list.close();
  }
}

/** The lists that an installation names. @throws UsageError where it names none */
async function listsOf(installation: string): Promise<readonly SuppressSpec[]> {
  const { suppress } = await loadInstallation(installation);
  if (suppress !== undefined) return suppress;
  throw new UsageError(
    `${installation} names no lists of numbers that must not be called: add a section "suppress".`,
  );
}

/** A list that `cardline suppress` keeps. @throws UsageError where there is none of that name */
async function storeNamed(installation: string, name: string): Promise<StoreListSpec> {
  const lists = await listsOf(installation);
  const found = lists.find((list) => list.name === name);
  if (found && 'store' in found) return found;
  if (found)
    throw new UsageError(
      `The list "${name}" is the file ${found.file}: change that. Only a list with "store" can be changed here.`,
    );
  const stores = lists.filter((list) => 'store' in list).map((list) => list.name);
  const hint = suggestion(name, stores) ?? 'No list of it has a "store".';
  throw new UsageError(`${installation} has no list "${name}" that can be changed. ${hint}`);
}

/**
 * A number as E.164 without the plus.
 * @param country of numbers without a country code
 * @throws UsageError where it is none
 */
function numberOf(text: string, country: string | undefined): number {
  const number = comparedAs(text, country);
  if (number === 0) throw notAPhone(country);
  return number;
}

/** The number by which a list with this country compares; 0 where it is none. */
function comparedAs(text: string, country: string | undefined): number {
  const known = country !== undefined && isCountry(country) ? country : undefined;
  return numberReader(known).parse(text);
}

/** The number itself is not repeated. */
function notAPhone(country: string | undefined): UsageError {
  const needed = country === undefined ? 'with "+" and the country code' : `as in ${country}`;
  return new UsageError(`This is not a phone number. Write it ${needed}.`);
}
