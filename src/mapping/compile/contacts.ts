import {
  ADDRESS_TYPES,
  PHONE_TYPES,
  type Address,
  type Email,
  type Phone,
} from '../../core/client.js';
import { type Cell, headerName } from '../../core/table.js';
import type { Path } from '../../config/document.js';
import type { AddressSpec, EmailSpec, PhoneSpec } from '../schema/client.js';
import type { FlagSpec, ValueObject, ValueSpec } from '../schema/value.js';
import type { CompileContext, RowProblems } from './context.js';
import { toEmail, toFilledText, toPhone, toWord, compileFlag } from './convert.js';
import {
  compilePart,
  missing,
  type Part,
  compileValue,
  checkFixed,
  type Convert,
  type ValueReader,
} from './value-reader.js';
import { type Comparable, comparableNumber, phoneStepOf } from '../transforms/phone/comparable.js';
import { InvalidValue, type Value } from '../transforms/step.js';

type Cells = readonly Cell[];

/** Contacts of a row, by kind. */
interface Contacts {
  readonly phones: Gather<Phone>;
  readonly emails: Gather<Email>;
  readonly addresses: Gather<Address>;
}

interface ContactSpecs {
  readonly phones?: readonly PhoneSpec[] | undefined;
  readonly emails?: readonly EmailSpec[] | undefined;
  readonly addresses?: readonly AddressSpec[] | undefined;
}

/** Compiles the contacts that a row brings for a client. */
export function compileContacts(
  { phones, emails, addresses }: ContactSpecs,
  context: CompileContext,
): Contacts {
  return {
    phones: gatherAll(phones, 'phones', phoneCompiler(countryOf(phones)), context),
    emails: gatherAll(emails, 'emails', compileEmail, context),
    addresses: gatherAll(addresses, 'addresses', compileAddress, context),
  };
}

export const phoneNumbers = (phones: readonly Phone[]): string[] =>
  phones.map(({ phoneNumber }) => phoneNumber);

/** `country`: that of phones of which the mapping does not say one. */
const phoneCompiler =
  (country: string | undefined) => (spec: PhoneSpec, path: Path, context: CompileContext) =>
    compilePhone(spec, path, context, {
      isListed: compileSuppressed(spec, country, context),
      note: compileCompared(spec, country, context),
    });

/** What is done with the numbers of a row beside sending them. */
interface NumberRules {
  /** Whether a phone must not be called, and is left out. */
  readonly isListed: IsListed | null;
  /** Notes it for the search of duplicates. */
  readonly note: NotePhone | null;
}

/** Phones of a row; the same number twice is one phone, the first one. */
function compilePhone(
  spec: PhoneSpec,
  path: Path,
  context: CompileContext,
  { isListed, note }: NumberRules,
): Collect<Phone> {
  const what = 'The type of the phone';
  const type = wordPart(spec.type, PHONE_TYPES, what, [...path, 'type'], context);
  const active = flagPart(spec.active, [...path, 'active'], context);
  const disabled = flagPart(spec.disabled, [...path, 'disabled'], context);
  const collect = compileCollect<Phone>;
  return collect(spec, 'A phone', toPhone, path, context, (phoneNumber, cells, into, problems) => {
    if (into.some((phone) => phone.phoneNumber === phoneNumber)) return;
    if (isListed?.(phoneNumber, problems)) return;
    const word = type(cells, problems);
    if (word === null) return;
    const phone: Phone = { phoneNumber, type: word };
    setFlag(phone, 'active', active, cells, problems);
    setFlag(phone, 'disabled', disabled, cells, problems);
    into.push(phone);
    note?.(phoneNumber, problems);
  });
}

function compileAddress(spec: AddressSpec, path: Path, context: CompileContext): Collect<Address> {
  const what = 'The type of the address';
  const type = wordPart(spec.type, ADDRESS_TYPES, what, [...path, 'type'], context);
  const active = flagPart(spec.active, [...path, 'active'], context);
  return compileCollect<Address>(
    spec,
    'An address',
    toFilledText,
    path,
    context,
    (address, cells, into, problems) => {
      const word = type(cells, problems);
      if (word === null) return;
      const made: Address = { address, type: word };
      setFlag(made, 'active', active, cells, problems);
      into.push(made);
    },
  );
}

/** E-mail addresses of a row; the same one twice is one, the first. */
function compileEmail(spec: EmailSpec, path: Path, context: CompileContext): Collect<Email> {
  const flag = typeof spec === 'string' ? undefined : spec.active;
  const active = flagPart(flag, [...path, 'active'], context);
  return compileCollect<Email>(
    spec,
    'An e-mail address',
    toEmail,
    path,
    context,
    (email, cells, into, problems) => {
      if (into.some((other) => other.email === email)) return;
      const made: Email = { email };
      setFlag(made, 'active', active, cells, problems);
      into.push(made);
    },
  );
}

function wordPart<T extends string>(
  spec: T | ValueObject,
  words: readonly T[],
  what: string,
  path: Path,
  context: CompileContext,
): Part<T> {
  if (typeof spec === 'string') return () => spec;
  const reader = compileValue(spec, path, context);
  return compilePart(reader, toWord(words, 'not_allowed'), missing(what), context);
}

function flagPart(
  spec: FlagSpec | undefined,
  path: Path,
  context: CompileContext,
): Part<boolean> | null {
  return spec === undefined ? null : compileFlag(spec, null, path, context);
}

interface Flags {
  active?: boolean | undefined;
  disabled?: boolean | undefined;
}

/** Sets a flag where the mapping and the row say something of it; else the contact center's default holds. */
function setFlag(
  contact: Flags,
  name: keyof Flags,
  part: Part<boolean> | null,
  cells: Cells,
  problems: RowProblems,
): void {
  const value = part === null ? null : part(cells, problems);
  if (value !== null) contact[name] = value;
}

/** Whether a phone must not be called; then `problems` says on which lists it is, else it keeps its number. */
type IsListed = (phone: string, problems: RowProblems) => boolean;

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

/** Adds what one entry of the mapping finds in a row to a list. */
export type Collect<T> = (cells: Cells, into: T[], problems: RowProblems) => unknown;

/** Adds one value that was found. */
type Add<T> = (value: string, cells: Cells, into: T[], problems: RowProblems) => void;

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
