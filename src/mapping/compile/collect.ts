import type { Cell } from '../../core/table.js';
import type { Path } from '../../config/path.js';
import type { ValueSpec } from '../schema/value.js';
import { InvalidValue, type Value } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import type { RowProblems } from './row-problems.js';
import { checkFixed, missing, type Convert } from './part.js';
import { compileValue, type ValueReader } from './value-reader.js';

type Cells = readonly Cell[];

/** Adds what one entry of the mapping finds in a row to a list. */
export type Collect<T> = (cells: Cells, into: T[], problems: RowProblems) => unknown;

/** Adds one value that was found. */
export type Add<T> = (value: string, cells: Cells, into: T[], problems: RowProblems) => void;

/** All that the entries of a list find in a row. */
export type Gather<T> = (cells: Cells, problems: RowProblems) => T[];

/** Compiles every entry of the list `client.<key>`. */
export function gatherAll<S, T>(
  specs: readonly S[] | undefined,
  key: 'phones' | 'emails' | 'addresses',
  compile: (spec: S, path: Path, context: CompileContext) => Collect<T>,
  context: CompileContext,
): Gather<T> {
  const collectors = (specs ?? []).map((spec, index) =>
    compile(spec, ['client', key, index], context),
  );
  return (cells, problems) => {
    const found: T[] = [];
    for (const collect of collectors) collect(cells, found, problems);
    return found;
  };
}

/** Compiles one entry: it finds one value in a row, or several where a cell is split. */
export function compileCollect<T>(
  spec: ValueSpec,
  what: string,
  convert: Convert<string>,
  path: Path,
  context: CompileContext,
  add: Add<T>,
): Collect<T> {
  const reader = compileValue(spec, path, context, { several: true });
  checkFixed(reader, convert, context);
  const takeOne = takeWith(reader, convert, add);
  const take = reader.drops ? leavingOut(takeOne) : takeOne;
  const { readAll } = reader;
  const collect: Take<T, void> = readAll
    ? (cells, into, problems) => {
        let taken = 0;
        for (const value of readAll(cells, problems)) taken += take(cells, into, problems, value);
        return taken;
      }
    : (cells, into, problems) => take(cells, into, problems, reader.read(cells, problems));
  return reader.required ? requiring(collect, missing(what), reader.label) : collect;
}

/** Takes what is found, and returns how many values that is. */
type Take<T, V> = (cells: Cells, into: T[], problems: RowProblems, value: V) => number;

function takeWith<T>(reader: ValueReader, convert: Convert<string>, add: Add<T>): Take<T, Value> {
  return (cells, into, problems, value) => {
    const converted = typeof value === 'string' ? convert(value, reader.raw(cells)) : value;
    if (converted === null) return 0;
    if (converted instanceof InvalidValue) {
      problems.add(reader.label, converted, reader.raw(cells));
      return 0;
    }
    add(converted, cells, into, problems);
    return 1;
  };
}

/** Leaves out a contact whole when anything about it is wrong: one that must not be used may be marked so. */
function leavingOut<T>(take: Take<T, Value>): Take<T, Value> {
  return (cells, into, problems, value) => {
    const [contacts, before] = [into.length, problems.list.length];
    const compared = problems.compared?.length ?? 0;
    const taken = take(cells, into, problems, value);
    if (problems.list.length === before) return taken;
    into.length = contacts;
    problems.cutCompared(compared);
    problems.dropFrom(before);
    return 0;
  };
}

/** What was left out is a problem again when nothing else is there. */
function requiring<T>(
  collect: Take<T, void>,
  required: InvalidValue,
  label: string | null,
): Collect<T> {
  return (cells, into, problems) => {
    const [before, dropped] = [problems.list.length, problems.dropped];
    if (collect(cells, into, problems) > 0 || problems.list.length > before) return;
    problems.requireFrom(dropped);
    problems.add(label, required, null);
  };
}
