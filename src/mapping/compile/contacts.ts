import {
  ADDRESS_TYPES,
  PHONE_TYPES,
  type Address,
  type Email,
  type Phone,
  type Payloads,
} from '../../core/client.js';
import { type Cell, headerName } from '../../core/table.js';
import type { Path } from '../../config/document.js';
import type {
  AddressSpec,
  ClientWithStatuses,
  ComparedPhones,
  EmailSpec,
  PhoneSpec,
  StatusSpec,
} from '../schema/client.js';
import type { FlagSpec, ValueObject, ValueSpec } from '../schema/value.js';
import type { CompileContext, RowProblems } from './context.js';
import { compileFlag, toEmail, toFilledText, toPhone, toWord } from './convert.js';
import {
  checkFixed,
  compilePart,
  compileValue,
  missing,
  type Convert,
  type Part,
} from './value-reader.js';
import { numberReader } from '../transforms/phone/compare-numbers.js';
import { isCountry } from '../transforms/phone/library.js';
import { InvalidValue, type Value } from '../transforms/step.js';

type Cells = readonly Cell[];

/** Compiles the contacts that a row brings for a client. The same phone or e-mail address twice is one, the first. */
export function compileContacts(
  specs: {
    readonly phones?: readonly PhoneSpec[] | undefined;
    readonly emails?: readonly EmailSpec[] | undefined;
    readonly addresses?: readonly AddressSpec[] | undefined;
  },
  context: CompileContext,
) {
  const country = countryOf(specs.phones);
  const phones = gatherAll<PhoneSpec, Phone>(specs.phones, PATHS.phones, (spec, path) => {
    const type = wordPart(spec.type, PHONE_TYPES, 'The type of the phone', path, context);
    const active = flagPart(spec.active, [...path, 'active'], context);
    const disabled = flagPart(spec.disabled, [...path, 'disabled'], context);
    const isListed = compileSuppressed(spec, country, context);
    const note = compileCompared(spec, country, context);
    return compileCollect(
      spec,
      'A phone',
      toPhone,
      path,
      context,
      (number, row, into, problems) => {
        if (into.some(({ phoneNumber }) => phoneNumber === number)) return;
        if (isListed?.(number, problems)) return;
        const word = type(row, problems);
        if (word === null) return;
        const phone: Phone = { phoneNumber: number, type: word };
        setFlag(phone, 'active', active, row, problems);
        setFlag(phone, 'disabled', disabled, row, problems);
        into.push(phone);
        note?.(number, problems);
      },
    );
  });
  const emails = gatherAll<EmailSpec, Email>(specs.emails, PATHS.emails, (spec, path) => {
    const flag = typeof spec === 'string' ? undefined : spec.active;
    const active = flagPart(flag, [...path, 'active'], context);
    const what = 'An e-mail address';
    return compileCollect(spec, what, toEmail, path, context, (email, row, into, problems) => {
      if (into.some((other) => other.email === email)) return;
      const made: Email = { email };
      setFlag(made, 'active', active, row, problems);
      into.push(made);
    });
  });
  const addresses = gatherAll<AddressSpec, Address>(
    specs.addresses,
    PATHS.addresses,
    (spec, path) => {
      const type = wordPart(spec.type, ADDRESS_TYPES, 'The type of the address', path, context);
      const active = flagPart(spec.active, [...path, 'active'], context);
      const what = 'An address';
      return compileCollect(
        spec,
        what,
        toFilledText,
        path,
        context,
        (text, row, into, problems) => {
          const word = type(row, problems);
          if (word === null) return;
          const address: Address = { address: text, type: word };
          setFlag(address, 'active', active, row, problems);
          into.push(address);
        },
      );
    },
  );
  return { phones, emails, addresses };
}

const PATHS = {
  phones: ['client', 'phones'],
  emails: ['client', 'emails'],
  addresses: ['client', 'addresses'],
} as const;

/** Compiles the statuses that a row gives to contacts. The same contact twice is one, unless the statuses differ. */
export function compileStatuses(
  specs: ClientWithStatuses,
  context: CompileContext,
): (cells: Cells, problems: RowProblems) => Payloads['contacts'] {
  const country = countryOf(specs.phones);
  const statuses = (key: keyof typeof PATHS, noun: string, convert: Convert<string>) => {
    const contradiction = new InvalidValue(
      'two_statuses',
      `The same ${noun} gets two different statuses. Keep one of them.`,
    );
    return gatherAll<StatusSpec, Status>(specs[key], PATHS[key], (spec, path) => {
      const required = missing(`The status of the ${noun}`);
      const status = compileFlag(spec.active, required, [...path, 'active'], context);
      const note = key === 'phones' ? compileCompared(spec, country, context) : null;
      const what = `The ${noun}`;
      return compileCollect(spec, what, convert, path, context, (contact, row, into, problems) => {
        const active = status(row, problems);
        if (active === null) return;
        const same = into.find((other) => other.contact === contact);
        if (same === undefined) {
          into.push({ contact, active });
          note?.(contact, problems);
        } else if (same.active !== active) problems.add(null, contradiction, null);
      });
    });
  };
  const phones = statuses('phones', 'phone', toPhone);
  const emails = statuses('emails', 'e-mail address', toEmail);
  const addresses = statuses('addresses', 'address', toFilledText);
  return (cells, problems) => ({
    phones: phones(cells, problems).map(({ contact, active }) => ({
      phoneNumber: contact,
      active,
    })),
    emails: emails(cells, problems).map(({ contact, active }) => ({ email: contact, active })),
    addresses: addresses(cells, problems).map(({ contact, active }) => ({
      address: contact,
      active,
    })),
  });
}

interface Status {
  readonly contact: string;
  readonly active: boolean;
}

/** Compiles phones that are there to be compared, with lists and with those of other rows; the listed ones are left out. */
export function compileComparedPhones(specs: ComparedPhones, context: CompileContext) {
  const values = specs.map((spec) => (typeof spec === 'string' ? { column: spec } : spec));
  const country = countryOf(values);
  return gatherAll<ValueObject, string>(values, ['phones'], (value, path) => {
    const isListed = compileSuppressed(value, country, context);
    const note = compileCompared(value, country, context);
    return compileCollect(value, 'A phone', toPhone, path, context, (phone, _, into, problems) => {
      if (isListed?.(phone, problems)) return;
      into.push(phone);
      note?.(phone, problems);
    });
  });
}

function wordPart<T extends string>(
  spec: T | ValueObject,
  words: readonly T[],
  what: string,
  path: Path,
  context: CompileContext,
): Part<T> {
  if (typeof spec === 'string') return () => spec;
  const convert = toWord(words, 'not_allowed');
  return compilePart(spec, [...path, 'type'], convert, missing(what), context);
}

const flagPart = (
  spec: FlagSpec | undefined,
  path: Path,
  context: CompileContext,
): Part<boolean> | null => (spec === undefined ? null : compileFlag(spec, null, path, context));

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

const NOT_COMPARED = new InvalidValue(
  'not_compared',
  'The phone could not be compared with the lists of numbers that must not be called: it is no number with a country ' +
    'code. Add the transform phone with its country.',
);

/**
 * Whether a phone of a value must not be called; then `problems` says on which lists it is, else it keeps its number.
 * `null` where there are no lists.
 * @param country of phones without a country code, where the value names none
 */
export function compileSuppressed(
  spec: ValueSpec,
  country: string | undefined,
  { suppression }: CompileContext,
): ((phone: string, problems: RowProblems) => boolean) | null {
  if (suppression === undefined) return null;
  const value: ValueObject = typeof spec === 'string' ? { column: spec } : spec;
  const numberOf = comparableNumber(value, country);
  const label =
    value.column === undefined ? (value.columns?.join(', ') ?? null) : headerName(value.column);
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

/**
 * Notes the phones of a value as E.164 numbers, whatever is sent, so that duplicates are known by them; `null` where they
 * are not. What is no such number is compared as it is sent.
 */
function compileCompared(
  value: ValueObject,
  country: string | undefined,
  { comparesPhones }: CompileContext,
): ((phone: string, problems: RowProblems) => void) | null {
  if (!comparesPhones) return null;
  const numberOf = comparableNumber(value, country);
  return (phone, problems) => {
    (problems.compared ??= []).push(numberOf(phone) || phone);
  };
}

/** The first country that one of these values names for its phones. */
export const countryOf = (specs: readonly ValueObject[] = []): string | undefined =>
  specs.map((spec) => phoneStepOf(spec)?.country).find((country) => country !== undefined);

/** The transform `phone` of a value, as it is written. */
function phoneStepOf({
  transform = [],
}: ValueObject): { readonly country?: string | undefined; readonly format?: string } | undefined {
  for (const step of [transform].flat()) {
    if (step === 'phone') return {};
    if (typeof step === 'object' && step.phone !== undefined) return step.phone;
  }
  return undefined;
}

/**
 * The numbers by which phones of a value are compared, whatever is sent: E.164 without the plus, 0 where there is none.
 * What the transform `phone` writes as digits begins with the country code, unless something is done with it afterwards.
 */
export function comparableNumber(
  value: ValueObject,
  country: string | undefined,
): (phone: string) => number {
  const step = phoneStepOf(value);
  const code = (step?.country ?? country)?.trim().toUpperCase();
  const reader = numberReader(code !== undefined && isCountry(code) ? code : undefined);
  if (step?.format !== 'digits' || !endsWithPhone(value)) return (phone) => reader.parse(phone);
  return (phone) => reader.parse(phone.startsWith('+') ? phone : `+${phone}`);
}

function endsWithPhone({ transform = [], map, default: other }: ValueObject): boolean {
  const last = [transform].flat().at(-1);
  const isPhone = last === 'phone' || (typeof last === 'object' && last.phone !== undefined);
  return isPhone && map === undefined && other === undefined;
}

/** All that the entries of a list find in a row. */
type Gather<T> = (cells: Cells, problems: RowProblems) => T[];

/** Adds what one entry finds in a row to a list. */
type Collect<T> = (cells: Cells, into: T[], problems: RowProblems) => void;

/** Compiles every entry of the list at a path. */
function gatherAll<S, T>(
  specs: readonly S[] | undefined,
  list: Path,
  compile: (spec: S, path: Path) => Collect<T>,
): Gather<T> {
  const collectors = (specs ?? []).map((spec, index) => compile(spec, [...list, index]));
  return (cells, problems) => {
    const found: T[] = [];
    for (const collect of collectors) collect(cells, found, problems);
    return found;
  };
}

/**
 * Compiles one entry: it finds one value in a row, or several where a cell is split, which `add` makes contacts of. With
 * `invalid: drop`, a contact is left out whole when anything about it is wrong: one that must not be used may be marked so.
 */
function compileCollect<T>(
  spec: ValueSpec,
  what: string,
  convert: Convert<string>,
  path: Path,
  context: CompileContext,
  add: (value: string, cells: Cells, into: T[], problems: RowProblems) => void,
): Collect<T> {
  const reader = compileValue(spec, path, context, { several: true });
  checkFixed(reader, convert, context);
  const { label, drops, readAll } = reader;
  const required = reader.required ? missing(what) : null;
  /** How many values were taken: one or none. */
  const takeOne = (value: Value, cells: Cells, into: T[], problems: RowProblems): number => {
    const converted = typeof value === 'string' ? convert(value, reader.raw(cells)) : value;
    if (converted === null) return 0;
    if (converted instanceof InvalidValue) {
      problems.add(label, converted, reader.raw(cells));
      return 0;
    }
    add(converted, cells, into, problems);
    return 1;
  };
  const takeOrDrop: typeof takeOne = (value, cells, into, problems) => {
    const [contacts, before] = [into.length, problems.list.length];
    const compared = problems.compared?.length ?? 0;
    const taken = takeOne(value, cells, into, problems);
    if (problems.list.length === before) return taken;
    into.length = contacts;
    problems.dropFrom(before, compared);
    return 0;
  };
  const take = drops ? takeOrDrop : takeOne;
  return (cells, into, problems) => {
    const before = problems.list.length;
    const { dropped } = problems;
    let taken = 0;
    if (readAll === undefined) taken = take(reader.read(cells, problems), cells, into, problems);
    else for (const value of readAll(cells, problems)) taken += take(value, cells, into, problems);
    if (required !== null && taken === 0 && problems.list.length === before)
      problems.lack(label, required, dropped);
  };
}
