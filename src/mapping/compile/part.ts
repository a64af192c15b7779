import type { Cell } from '../../core/table.js';
import { InvalidValue } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import type { RowProblems } from './row-problems.js';
import type { ValueReader } from './value-reader.js';

/** One value of the client, from a row. `null` when there is none, or when it was bad: then `problems` says so. */
export type Part<T> = (cells: readonly Cell[], problems: RowProblems) => T | null;

/** Text to a value of the card, or why not. */
/** `cell`: what the text was taken from, where it is known. */
export type Convert<T> = (text: string, cell?: string | null) => T | InvalidValue;

/**
 * Reads a value and converts it. Fixed texts of the mapping are converted now, so that a wrong one is a mistake of the
 * mapping and not of every row. `required` is the problem of a row without the value; `null` when it may be missing.
 */
export function compilePart<T>(
  reader: ValueReader,
  convert: Convert<T>,
  required: InvalidValue | null,
  context: CompileContext,
): Part<T> {
  checkFixed(reader, convert, context);
  const { label, drops } = reader;
  if (drops && required !== null) {
    context.mistake(
      [...reader.path, 'invalid'],
      'this value is required and cannot be left out.',
      'Remove "invalid: drop".',
    );
  }
  const refuse = (problems: RowProblems, why: InvalidValue, raw: string | null): void => {
    if (drops) problems.drop(label, why, raw);
    else problems.add(label, why, raw);
  };
  return (cells, problems) => {
    const value = reader.read(cells, problems);
    if (typeof value === 'string') {
      const converted = convert(value);
      if (!(converted instanceof InvalidValue)) return converted;
      refuse(problems, converted, reader.raw(cells));
    } else if (value !== null) {
      refuse(problems, value, reader.raw(cells));
    } else if (required !== null) {
      problems.add(label, required, null);
    }
    return null;
  };
}

/** Notes a mistake for every fixed text that cannot be used. */
export function checkFixed<T>(
  reader: ValueReader,
  convert: Convert<T>,
  context: CompileContext,
): void {
  for (const { text, path } of reader.fixed) {
    const converted = convert(text);
    if (converted instanceof InvalidValue) context.mistake(path, `"${text}": ${converted.message}`);
  }
}

/** The problem of a row that lacks something. */
export function missing(what: string): InvalidValue {
  return new InvalidValue('required', `${what} is required. Fill in the cell.`);
}
