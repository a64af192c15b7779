import {
  ADDRESS_TYPES,
  PHONE_TYPES,
  type Address,
  type Email,
  type Phone,
} from '../../core/card.js';
import type { Cell } from '../../core/row.js';
import type { Path } from '../path.js';
import type { AddressSpec, EmailSpec, PhoneSpec } from '../mapping.js';
import type { FlagSpec, ValueObject, ValueSpec } from '../schema/value.js';
import { Fault, type Value } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import { toBoolean, toEmail, toFilledText, toPhone, toWord } from './convert.js';
import type { Findings } from './findings.js';
import { checkFixed, compilePart, missing, type Convert, type Part } from './part.js';
import { compileReading, type Reading } from './reading.js';

type Cells = readonly Cell[];

/** Adds what one entry of the mapping finds in a row to a list. */
export type Collect<T> = (cells: Cells, into: T[], findings: Findings) => void;

/** Phones of a row; the same number twice is one phone, the first one. */
export function compilePhone(spec: PhoneSpec, path: Path, context: CompileContext): Collect<Phone> {
  const type = wordPart(
    spec.type,
    PHONE_TYPES,
    'The type of the phone',
    [...path, 'type'],
    context,
  );
  const active = flagPart(spec.active, [...path, 'active'], context);
  const disabled = flagPart(spec.disabled, [...path, 'disabled'], context);
  return collect(spec, 'A phone', toPhone, path, context, (phoneNumber, cells, into, findings) => {
    if (into.some((phone) => phone.phoneNumber === phoneNumber)) return;
    const word = type(cells, findings);
    if (word === null) return;
    const flags = withFlag({}, 'active', active, cells, findings);
    withFlag(flags, 'disabled', disabled, cells, findings);
    into.push({ phoneNumber, type: word, ...flags });
  });
}

export function compileAddress(
  spec: AddressSpec,
  path: Path,
  context: CompileContext,
): Collect<Address> {
  const type = wordPart(
    spec.type,
    ADDRESS_TYPES,
    'The type of the address',
    [...path, 'type'],
    context,
  );
  const active = flagPart(spec.active, [...path, 'active'], context);
  return collect(
    spec,
    'An address',
    toFilledText,
    path,
    context,
    (address, cells, into, findings) => {
      const word = type(cells, findings);
      if (word === null) return;
      into.push({ address, type: word, ...withFlag({}, 'active', active, cells, findings) });
    },
  );
}

/** E-mail addresses of a row; the same one twice is one, the first. */
export function compileEmail(spec: EmailSpec, path: Path, context: CompileContext): Collect<Email> {
  const flag = typeof spec === 'string' ? undefined : spec.active;
  const active = flagPart(flag, [...path, 'active'], context);
  return collect(
    spec,
    'An e-mail address',
    toEmail,
    path,
    context,
    (email, cells, into, findings) => {
      if (into.some((other) => other.email === email)) return;
      into.push({ email, ...withFlag({}, 'active', active, cells, findings) });
    },
  );
}

type Add<T> = (value: string, cells: Cells, into: T[], findings: Findings) => void;

function collect<T>(
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

function wordPart<T extends string>(
  spec: T | ValueObject,
  words: readonly T[],
  what: string,
  path: Path,
  context: CompileContext,
): Part<T> {
  if (typeof spec === 'string') return () => spec;
  const reading = compileReading(spec, path, context);
  return compilePart(reading, toWord(words, 'not_allowed'), missing(what), context);
}

function flagPart(
  spec: FlagSpec | undefined,
  path: Path,
  context: CompileContext,
): Part<boolean> | null {
  if (spec === undefined) return null;
  if (typeof spec === 'boolean') return () => spec;
  const reading = compileReading(spec, path, context);
  return compilePart(reading, toBoolean, reading.required ? missing('This') : null, context);
}

interface Flags {
  active?: boolean;
  disabled?: boolean;
}

/** Sets a flag where the mapping and the row say something of it; else the contact center's default holds. */
function withFlag(
  flags: Flags,
  name: keyof Flags,
  part: Part<boolean> | null,
  cells: Cells,
  findings: Findings,
): Flags {
  const value = part === null ? null : part(cells, findings);
  if (value !== null) flags[name] = value;
  return flags;
}
