import {
  type Compiled,
  type CompiledForm,
  compiledForm,
  isSameMark,
  markOf,
  noteHead,
} from './compiled-form.js';
import { headBytes, type ListHead, openNumberList, type NumberList } from './number-list.js';
import { NumberTally, digestOf, readNumbers, type ListSource } from './list-source.js';
import { SortedRuns, writeListWithPauses } from './write-list.js';

/** What the name of a list ends with when it is compiled. */
export const LIST_SUFFIX = '.numbers';

export interface CompiledList extends Omit<Compiled<NumberList>, 'opened'> {
  readonly list: NumberList;
}

/**
 * Opens the compiled form of a list, and compiles it where it was not, or where the file has changed since.
 * @param maxFilter bytes of memory for the filter
 */
export async function compiledList(source: ListSource, maxFilter: number): Promise<CompiledList> {
  return asList(await compiledForm(formOf(source, maxFilter)));
}

export const asList = ({ opened, ...rest }: Compiled<NumberList>): CompiledList => ({
  list: opened,
  ...rest,
});

function formOf(source: ListSource, maxFilter: number): CompiledForm<NumberList> {
  return {
    file: source.file,
    suffix: LIST_SUFFIX,
    open: (path) => openNumberList(path, maxFilter),
    isCurrent: ({ head }, path) => isOf(head, source, path),
    make: (path, touch) => compile(source, path, touch),
  };
}

async function compile(source: ListSource, path: string, touch: () => void): Promise<void> {
  const before = markOf(source.file);
  const runs = new SortedRuns(besideOf(path));
  try {
    const tally = new NumberTally(source.reader, (number) => {
      runs.add(number);
    });
    const digest = await readNumbers(source, tally, touch);
    const { unread, firstUnread, dated } = tally;
    const facts = { settings: source.settings, unread, firstUnread, dated };
    runs.finish();
    const numbers = touching(runs.merged(), touch);
    const mark = { ...before, digest };
    await writeListWithPauses(path, numbers, runs.total, { ...facts, source: mark });
  } finally {
    runs.close();
  }
}

/** Name of a file for what is sorted on its way to a compiled one. */
const besideOf = (path: string): string =>
  `${path}.${process.pid}.${performance.now().toString(36)}.runs`;

export function* touching<T>(batches: Iterable<T>, touch: () => void): Generator<T> {
  for (const batch of batches) {
    touch();
    yield batch;
  }
}

/**
 * Whether a compiled list is of the file as it is now. What was copied or touched has another time and the same digest:
 * then its new times are noted, where that can be.
 */
async function isOf(head: ListHead, source: ListSource, path: string): Promise<boolean> {
  const { settings, source: known } = head;
  if (settings !== source.settings) return false;
  const mark = markOf(source.file);
  if (known.bytes !== mark.bytes) return false;
  if (isSameMark(known, mark)) return true;
  const digest = await digestOf(source.file);
  if (known.digest !== digest) return false;
  noteHead(path, headBytes({ ...head, source: { ...mark, digest } }));
  return true;
}
