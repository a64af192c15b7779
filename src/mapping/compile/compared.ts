import type { ValueSpec } from '../schema/value.js';
import { comparableNumber } from '../transforms/phone/comparable.js';
import type { CompileContext } from './context.js';
import type { RowProblems } from './row-problems.js';

/** Notes a phone of a row, by which its duplicates are known. */
export type NotePhone = (phone: string, problems: RowProblems) => void;

/**
 * Notes the phones of a value as E.164 numbers, whatever is sent; `null` where duplicates are not known by phones. What is
 * no such number is compared as it is sent.
 * @param country of phones without a country code, where the value names none
 */
export function compileCompared(
  spec: ValueSpec,
  country: string | undefined,
  { comparesPhones }: CompileContext,
): NotePhone | null {
  if (!comparesPhones) return null;
  const numberOf = comparableNumber(typeof spec === 'string' ? { column: spec } : spec, country);
  return (phone, problems) => {
    (problems.compared ??= []).push(numberOf(phone) || phone);
  };
}
