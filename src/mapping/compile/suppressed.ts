import { headerName } from '../../core/cell-text.js';
import type { ValueObject, ValueSpec } from '../schema/value.js';
import { type Comparable, comparableNumber, phoneStepOf } from '../transforms/phone/comparable.js';
import { InvalidValue } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import type { RowProblems } from './row-problems.js';

/** Whether a phone must not be called; then `problems` says on which lists it is, else it keeps its number. */
export type IsListed = (phone: string, problems: RowProblems) => boolean;

const NOT_COMPARED = new InvalidValue(
  'not_compared',
  'The phone could not be compared with the lists of numbers that must not be called: it is no number with a country ' +
    'code. Add the transform phone with its country.',
);

/**
 * Compares the phones of a value with the lists of numbers that must not be called; `null` where there are none.
 * @param country of phones without a country code, where the value names none
 */
export function compileSuppressed(
  spec: ValueSpec,
  country: string | undefined,
  { suppression }: CompileContext,
): IsListed | null {
  if (suppression === undefined) return null;
  const value: ValueObject = typeof spec === 'string' ? { column: spec } : spec;
  const numberOf: Comparable = comparableNumber(value, country);
  const label =
    (value.column === undefined ? undefined : headerName(value.column)) ??
    value.columns?.join(', ') ??
    null;
  return (phone, problems) => {
    const number = numberOf(phone);
    const listed = number === 0 ? null : suppression.check(number);
    if (listed !== null) {
      problems.suppress(label, phone, listed);
      return true;
    }
    if (number === 0) problems.remark(label, NOT_COMPARED, phone);
    problems.keepNumber(phone, number);
    return false;
  };
}

/** The first country that one of these values names for its phones. */
export function countryOf(specs: readonly ValueObject[] | undefined): string | undefined {
  return specs?.map((spec) => phoneStepOf(spec)?.country).find((country) => country !== undefined);
}

/** Notes the numbers of the phones that are sent, so that they can be compared again later; `null`: nobody asks. */
export function compileCallable({
  suppression,
  keepsNumbers,
}: CompileContext): ((phones: readonly string[], problems: RowProblems) => void) | null {
  if (suppression === undefined || !keepsNumbers) return null;
  return (phones, problems) => {
    const numbers = phones.map((phone) => problems.numberOf(phone) ?? 0);
    problems.callable = numbers.filter((number) => number > 0);
  };
}
