import { InputError, UsageError, codeOf } from '../../core/errors.js';
import { whole } from '../../core/text.js';
import type { FileListSpec, SuppressSpec } from '../../installation/installation.js';
import { tooOld } from '../../quality/lists/list-age.js';
import { type CompiledList, compiledList } from '../../quality/numbers/compiled-list.js';
import { listSource } from './list-source.js';

/** A list that is open, and what is to be said of it. */
export interface OpenList extends CompiledList {
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
  if ('store' in spec) {
    // Loaded where there is one: it brings SQLite into each thread that reads.
    const { compiledStore } = await import('../../quality/store/compiled-store.js');
    const opened = await readable(spec, compiledStore(spec, maxFilter, now));
    return { ...opened, spec, mistakes: [], warnings: [] };
  }
  const opened = await readable(spec, compiledFile(spec, maxFilter));
  return { ...opened, spec, ...remarksOn(spec, opened, now) };
}

/** What is wrong with the settings of a list is an error of its own; the rest is the promise's. */
async function compiledFile(spec: FileListSpec, maxFilter: number): Promise<CompiledList> {
  return await compiledList(listSource(spec), maxFilter);
}

async function readable(spec: SuppressSpec, opening: Promise<CompiledList>): Promise<CompiledList> {
  try {
    return await opening;
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
  { list: { head } }: CompiledList,
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

/** The list as messages call it. */
export function nameOf(spec: SuppressSpec): string {
  return `List "${spec.name}" (${'store' in spec ? spec.store : spec.file})`;
}
