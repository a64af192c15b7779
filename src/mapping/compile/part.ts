import type { Cell } from '../../core/row.js';
import { Fault } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import type { Findings } from './findings.js';
import type { Reading } from './reading.js';

/** One value of the client, from a row. `null` when there is none, or when it was bad: then the findings say so. */
export type Part<T> = (cells: readonly Cell[], findings: Findings) => T | null;

/** Text to a value of the card, or why not. */
export type Convert<T> = (text: string) => T | Fault;

/**
 * Joins reading and converting. Fixed texts of the mapping are converted now, so that a wrong one is a fault of the
 * mapping and not of every row. `required` is the fault of a row without the value; `null` when it may be missing.
 */
export function compilePart<T>(
  reading: Reading,
  convert: Convert<T>,
  required: Fault | null,
  context: CompileContext,
): Part<T> {
  checkFixed(reading, convert, context);
  const { label } = reading;
  return (cells, findings) => {
    const value = reading.read(cells);
    if (typeof value === 'string') {
      const converted = convert(value);
      if (!(converted instanceof Fault)) return converted;
      findings.add(label, converted, reading.raw(cells));
    } else if (value !== null) {
      findings.add(label, value, reading.raw(cells));
    } else if (required !== null) {
      findings.add(label, required, null);
    }
    return null;
  };
}

/** Notes a fault for every fixed text that cannot be used. */
export function checkFixed<T>(
  reading: Reading,
  convert: Convert<T>,
  context: CompileContext,
): void {
  for (const { text, path } of reading.fixed) {
    const converted = convert(text);
    if (converted instanceof Fault) context.fault(path, `"${text}": ${converted.message}`);
  }
}

/** The fault of a row that lacks something. */
export function missing(what: string): Fault {
  return new Fault('required', `${what} is required. Fill in the cell.`);
}
