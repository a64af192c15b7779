import type { Cell } from '../../core/row.js';
import type { Path } from '../../config/path.js';
import type { ValueSpec } from '../schema/value.js';
import { InvalidValue, type Value } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import type { RowProblems } from './row-problems.js';
import { checkFixed, compilePart, missing, type Convert } from './part.js';
import { compileValue, type ValueReader } from './value-reader.js';

type Cells = readonly Cell[];

/** Adds what one entry of the mapping finds in a row to a list. */
export type Collect<T> = (cells: Cells, into: T[], problems: RowProblems) => void;

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
  const reader = compileValue(spec, path, context, true);
  const required = reader.required ? missing(what) : null;
  if (reader.readAll) return collectAll(reader, reader.readAll, convert, required, context, add);
  const part = compilePart(reader, convert, required, context);
  return (cells, into, problems) => {
    const value = part(cells, problems);
    if (value !== null) add(value, cells, into, problems);
  };
}

function collectAll<T>(
  reader: ValueReader,
  readAll: (cells: Cells) => Value[],
  convert: Convert<string>,
  required: InvalidValue | null,
  context: CompileContext,
  add: Add<T>,
): Collect<T> {
  checkFixed(reader, convert, context);
  const { label } = reader;
  return (cells, into, problems) => {
    const values = readAll(cells);
    if (values.length === 0 && required) problems.add(label, required, null);
    for (const value of values) {
      const converted = typeof value === 'string' ? convert(value) : value;
      if (converted instanceof InvalidValue) problems.add(label, converted, reader.raw(cells));
      else if (converted !== null) add(converted, cells, into, problems);
    }
  };
}
