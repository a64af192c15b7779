import { parsePhone } from '../../mapping/transforms/phone/library.js';
import { UsageError } from '../../core/errors.js';
import type { ErasedPerson } from '../../core/erase.js';
import { hasKey, phoneKeyText } from '../../core/duplicates.js';
import type { RowRecord } from '../../core/prepared.js';

/** Who is to be erased. */
export interface PersonRequest {
  /** In international form, such as +79161234567. */
  readonly phone?: string | undefined;
  /** Values of synchronization identifiers, by their names. */
  readonly id?: Readonly<Record<string, string>> | undefined;
}

/** A person as records name it. */
export interface Person {
  /** What belongs to it in a run with these identifiers. */
  in(identifierNames: readonly string[]): ErasedPerson;
  /**
   * Whether the cells of a row that was kept name it.
   * @param isOther whether the row is on record with other identifiers: a cell of the same text is something else then
   */
  isInCells(cells: readonly (string | null)[], isOther: boolean): boolean;
  /** Whether the identifiers of a row are on record, and others than those of the person. */
  isOther(identifierNames: readonly string[], values: RowRecord[2]): boolean;
  /** The names of identifiers by which the person is given. */
  readonly names: readonly string[];
  /** Adds identifiers by which the person turned out to be known. */
  add(values: RowRecord[2]): boolean;
}

/** Digits of what looks like a phone number, or like several of them. */
const NUMBERS = /\+?\d[\d\s().\-/]{5,}\d/g;

/** @throws UsageError where nobody is named, or the number is none */
export function personOf({ phone, id = {} }: PersonRequest): Person {
  const given = Object.entries(id);
  if (phone === undefined && given.length === 0)
    throw new UsageError('Say who is to be erased: --phone +79161234567, or --id offerId=7.');
  const { numbers, key: phoneKey } =
    phone === undefined ? { numbers: new Set<string>(), key: null } : numberOf(phone);
  /** Identifiers of rows that have the phone, as texts. */
  const known = new Set<string>();
  const texts = new Set(given.map(([, value]) => value));

  const hasNumber = (text: string): boolean =>
    numbers.size > 0 && [...text.matchAll(NUMBERS)].some(([found]) => isAmong(numbers, found));
  const named = (names: readonly string[], values: RowRecord[2]): boolean =>
    given.length > 0 &&
    given.every(([name, value]) => String(values[names.indexOf(name)] ?? '') === value);

  return {
    in: (names) => ({
      isOf: ([, , values, , problems = [], remarks, , phones = '']) =>
        (phoneKey !== null && hasKey(phones, phoneKey)) ||
        known.has(keyOf(values)) ||
        named(names, values) ||
        values.some((value) => value !== null && hasNumber(String(value))) ||
        [...problems, ...(remarks ?? [])].some(({ value }) => value !== null && hasNumber(value)),
      mentions: hasNumber,
    }),
    isInCells: (cells, isOther) =>
      cells.some((cell) => cell !== null && hasNumber(cell)) ||
      (!isOther &&
        texts.size > 0 &&
        [...texts].every((text) => cells.some((cell) => cell?.trim() === text))),
    isOther: (names, values) =>
      given.some(([name, value]) => {
        const known = values[names.indexOf(name)] ?? null;
        return known !== null && String(known) !== value;
      }),
    names: given.map(([name]) => name),
    add: (values) => {
      if (values.includes(null)) return false;
      const key = keyOf(values);
      const isNew = !known.has(key);
      known.add(key);
      return isNew;
    },
  };
}

const keyOf = (values: RowRecord[2]): string => JSON.stringify(values.map(String));

/** What separates numbers surely, and what a number is made of. */
const [PARTS, GROUPS] = [/[/\n]/, /\d+/g];

/** Whether digits are the number, or several numbers with it among them. */
function isAmong(numbers: ReadonlySet<string>, found: string): boolean {
  const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');
  if ([found, ...found.split(PARTS)].some((text) => numbers.has(digitsOf(text)))) return true;
  const lengths = [...numbers].map(({ length }) => length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  const groups = found.match(GROUPS) ?? [];
  for (const first of groups.keys()) {
    let joined = '';
    for (let at = first; at < groups.length && joined.length < longest; at++) {
      joined += groups[at] ?? '';
      // Without the code or the prefix before it, it may be the end of a number of another country.
      if (joined.length > shortest && numbers.has(joined)) return true;
    }
  }
  return false;
}

/**
 * How a number may be written, as digits alone, and its key in the records of rows, which is that of all spellings.
 * @throws UsageError where it is no number
 */
function numberOf(phone: string): { readonly numbers: ReadonlySet<string>; readonly key: string } {
  const parsed = parsePhone(phone, undefined);
  if (!parsed)
    throw new UsageError(
      '--phone needs a number in international form, such as +79161234567: others may be of somebody else.',
    );
  const { countryCallingCode: code, nationalNumber } = parsed;
  const digits = nationalNumber;
  return {
    numbers: new Set([
      `${code}${digits}`,
      `00${code}${digits}`,
      digits,
      `0${digits}`,
      `8${digits}`,
    ]),
    key: phoneKeyText(Number(`${code}${digits}`)),
  };
}
