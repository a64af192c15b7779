import type { Cell } from '../../core/row.js';
import type { Path } from '../../config/path.js';
import type { ValueSpec } from '../schema/value.js';
import { Fault, type Value } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import type { Findings } from './findings.js';
import { checkFixed, compilePart, missing, type Convert } from './part.js';
import { compileReading, type Reading } from './reading.js';

type Cells = readonly Cell[];

/** Adds what one entry of the mapping finds in a row to a list. */
export type Collect<T> = (cells: Cells, into: T[], findings: Findings) => void;

/** Adds one value that was found. */
export type Add<T> = (value: string, cells: Cells, into: T[], findings: Findings) => void;

/** All that the entries of a list find in a row. */
export type Gather<T> = (cells: Cells, findings: Findings) => T[];

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
  return (cells, findings) => {
    const found: T[] = [];
    for (const collect of collectors) collect(cells, found, findings);
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
  const reading = compileReading(spec, path, context, true);
  const required = reading.required ? missing(what) : null;
  if (reading.readAll) return collectAll(reading, reading.readAll, convert, required, context, add);
  const part = compilePart(reading, convert, required, context);
  return (cells, into, findings) => {
    const value = part(cells, findings);
    if (value !== null) add(value, cells, into, findings);
  };
}

function collectAll<T>(
  reading: Reading,
  readAll: (cells: Cells) => Value[],
  convert: Convert<string>,
  required: Fault | null,
  context: CompileContext,
  add: Add<T>,
): Collect<T> {
  checkFixed(reading, convert, context);
  const { label } = reading;
  return (cells, into, findings) => {
    const values = readAll(cells);
    if (values.length === 0 && required) findings.add(label, required, null);
    for (const value of values) {
      const converted = typeof value === 'string' ? convert(value) : value;
      if (converted instanceof Fault) findings.add(label, converted, reading.raw(cells));
      else if (converted !== null) add(converted, cells, into, findings);
    }
  };
}
