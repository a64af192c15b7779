import { UsageError } from '../../core/errors.js';
import { systemClock } from '../../core/time.js';
import type { SuppressSpec } from '../../installation/installation.js';
import { listAge } from '../../quality/lists/list-age.js';
import { NumberStore } from '../../quality/store/number-store.js';
import { type OpenList, openList } from '../../prepare/suppress/open-list.js';
import { listsOf } from './named-list.js';

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
  for (const spec of await listsOf(installation)) found.push(await statusOf(spec));
  return found;
}

/** The same, with an empty store where one is missing. */
export async function buildLists(installation: string): Promise<ListStatus[]> {
  for (const spec of await listsOf(installation))
    if ('store' in spec) new NumberStore(spec.store, spec.ttl, 'write').close();
  return await listStatus(installation);
}

async function statusOf(spec: SuppressSpec): Promise<ListStatus> {
  const now = systemClock.now();
  const { name, scope } = spec;
  const [kind, file] =
    'store' in spec ? (['store', spec.store] as const) : (['file', spec.file] as const);
  const known = { name, kind, file, scope };
  try {
    const opened = await openList(spec, 0, now);
    opened.list.close();
    const { path: compiled, isNew, mistakes, warnings } = opened;
    const { numbers } = opened.list.head;
    return { ...known, numbers, age: ageOf(opened, now), compiled, isNew, mistakes, warnings };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const nothing = { numbers: null, age: null, compiled: null, isNew: false, warnings: [] };
    return { ...known, ...nothing, mistakes: [error.message] };
  }
}

function ageOf({ spec, list }: OpenList, now: number): number | null {
  if ('store' in spec) return null;
  const { dated, source } = list.head;
  return listAge({ file: spec.file, dated, modified: source.modified }, now);
}
