import { InputError, UsageError } from '../../core/errors/errors.js';
import { codeOf } from '../../core/errors/error-code.js';
import { whole } from '../../core/text/whole.js';
import type { Installation, SuppressSpec } from '../../installation/installation.js';
import { tooOld } from '../../quality/lists/list-age.js';
import { type CompiledList, compiledList } from '../../quality/numbers/compiled-list.js';
import { Suppression, type SuppressionList } from '../../quality/suppression.js';
import { listSource } from './list-source.js';

/** Memory for the filters of all lists, in all threads, in bytes. */
const FILTER_BYTES = 16 * 1024 ** 2;

/** The lists of an installation that are open. */
export interface OpenLists {
  readonly suppression: Suppression;
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
  const lists: SuppressionList[] = [];
  const [mistakes, warnings]: [string[], string[]] = [[], []];
  const opened: CompiledList[] = [];
  const close = (): void => {
    for (const { list } of opened) list.close();
  };
  for (const spec of specs) {
    try {
      const compiled = await openOne(spec, maxFilter);
      opened.push(compiled);
      const { list } = compiled;
      lists.push({ name: spec.name, scope: spec.scope, has: (number) => list.has(number) });
      const found = remarksOn(spec, compiled, now);
      mistakes.push(...found.mistakes);
      warnings.push(...found.warnings);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(error.message);
    }
  }
  if (mistakes.length === 0) return { suppression: new Suppression(lists), warnings, close };
  close();
  throw new UsageError(`${mistakes.join('\n')}\nNothing was sent.`);
}

async function openOne(spec: SuppressSpec, maxFilter: number): Promise<CompiledList> {
  try {
    return await compiledList(listSource(spec), maxFilter);
  } catch (error) {
    if (error instanceof InputError)
      throw new UsageError(`${nameOf(spec)}: ${error.reason}`, { cause: error });
    const code = codeOf(error);
    if (code === '' || code.startsWith('ERR_')) throw error;
    throw new UsageError(`${nameOf(spec)} cannot be read or compiled (${code}).`, { cause: error });
  }
}

function remarksOn(
  spec: SuppressSpec,
  { list: { head } }: CompiledList,
  now: number,
): { readonly mistakes: string[]; readonly warnings: string[] } {
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

const nameOf = ({ name, file }: SuppressSpec): string => `List "${name}" (${file})`;
