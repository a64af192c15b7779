import {
  ADDRESS_TYPES,
  PHONE_TYPES,
  type Address,
  type Email,
  type Phone,
} from '../../core/client.js';
import type { Cell } from '../../core/table.js';
import type { Path } from '../../config/path.js';
import type { AddressSpec, EmailSpec, PhoneSpec } from '../schema/contacts.js';
import type { FlagSpec, ValueObject } from '../schema/value.js';
import { compileCollect, gatherAll, type Collect, type Gather } from './collect.js';
import type { CompileContext } from './context.js';
import { toEmail, toFilledText, toPhone, toWord } from './convert.js';
import type { RowProblems } from './row-problems.js';
import { compileFlag } from './flag.js';
import { compileCompared, type NotePhone } from './compared.js';
import { compileSuppressed, countryOf, type IsListed } from './suppressed.js';
import { compilePart, missing, type Part } from './part.js';
import { compileValue } from './value-reader.js';

type Cells = readonly Cell[];

/** Contacts of a row, by kind. */
export interface Contacts {
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
