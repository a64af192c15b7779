import { compiledForm, markOf } from './compiled-form.js';
import { asList, type CompiledList, LIST_SUFFIX, touching } from './compiled-list.js';
import { type ListHead, openNumberList } from './number-list.js';
import { writeList } from './write-list.js';
import { NumberStore } from './number-store.js';

/** A store, and how long its numbers stay in it. */
export interface StoreSource {
  readonly store: string;
  /** In milliseconds; absent: for ever. */
  readonly ttl?: number | undefined;
}

/**
 * Opens the numbers of a store that must not be called now, as a list; they are compiled anew when the store was changed,
 * or when one of them has ended.
 * @param maxFilter bytes of memory for the filter
 * @throws UsageError when the store cannot be opened
 */
export async function compiledStore(
  { store: file, ttl }: StoreSource,
  maxFilter: number,
  now: number,
): Promise<CompiledList> {
  const store = new NumberStore(file, ttl, 'read');
  try {
    const settings = JSON.stringify(['store', ttl ?? null]);
    const compiled = await compiledForm({
      file,
      suffix: LIST_SUFFIX,
      open: (path) => openNumberList(path, maxFilter),
      isCurrent: ({ head }) =>
        Promise.resolve(
          head.settings === settings &&
            head.source.digest === String(store.state) &&
            isValid(head, now),
        ),
      make: (path, touch) => {
        compile(store, { file, settings, path, now }, touch);
        return Promise.resolve();
      },
    });
    return asList(compiled);
  } finally {
    store.close();
  }
}

function isValid({ valid }: ListHead, now: number): boolean {
  return valid !== undefined && valid.from <= now && now < (valid.until ?? Infinity);
}

interface Compiling {
  readonly file: string;
  readonly settings: string;
  /** Of the compiled file. */
  readonly path: string;
  readonly now: number;
}

function compile(store: NumberStore, compiling: Compiling, touch: () => void): void {
  const { file, settings, path, now } = compiling;
  store.atOnce(() => {
    const valid = { from: now, until: store.firstEnd(now) };
    const source = { ...markOf(file), digest: String(store.state) };
    const facts = { settings, unread: 0, firstUnread: 0, dated: null, valid, source };
    writeList(path, touching(store.numbers(now), touch), store.count(now), facts);
  });
}
