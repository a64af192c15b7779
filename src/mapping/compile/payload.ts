import {
  ADDRESS_TYPES,
  PHONE_TYPES,
  type Address,
  type Email,
  type Phone,
  CLIENT_TYPES,
  type Client,
  FieldList,
  type FieldValue,
  type MappedClient,
  type Payloads,
} from '../../core/client.js';
import { type Cell, headerName } from '../../core/table.js';
import type { Path } from '../../config/document.js';
import {
  isFoundByPhone,
  type Mapping,
  type AddressSpec,
  type ClientWithStatuses,
  type ComparedPhones,
  type EmailSpec,
  type PhoneSpec,
  type StatusSpec,
  type CallbackSpec,
  type ChangedClient,
  type CreatedClient,
  type FlagSpec,
  type ValueObject,
  type ValueSpec,
} from '../schema.js';
import type { RowProblems } from './values.js';
import {
  type CompileContext,
  checkFixed,
  compilePart,
  compileValue,
  missing,
  type Convert,
  type Part,
  type MakePayload,
} from './values.js';
import {
  compileFlag,
  toEmail,
  toFilledText,
  toPhone,
  toWord,
  type Fields,
  toNumber,
  toRole,
  toTimeZone,
} from './convert.js';
import { numberReader } from '../transforms/phone/phone.js';
import { isCountry } from '../transforms/phone/plans.js';
import { InvalidValue, type Value } from '../transforms/step.js';
import { compileCallAt, compileClientZone } from './times.js';

/**
 * Compiles what the mode of a mapping makes of a row.
 * @param roles client roles that exist; without them any whole number is one
 */
export function compilePayload(
  mapping: Mapping,
  fields: Fields,
  roles: readonly number[] | undefined,
  context: CompileContext,
): MakePayload {
  switch (mapping.mode) {
    case 'create':
    case 'upsert':
      return compileClient(mapping.client, fields, roles, context);
    case 'update':
      return compileUpdate(mapping.client, fields, context);
    case 'dequeue': {
      // Callbacks stay where the row does not say (interface.md 4.10).
      const path = ['cancelCallbacks'];
      const cancel = compileFlag(mapping.cancelCallbacks ?? false, null, path, context);
      return (_uuid, _fields, cells, problems) => ({
        cancelCallbacks: cancel(cells, problems) ?? false,
      });
    }
    case 'contacts':
      return compileStatuses(mapping.client, context);
    case 'callbacks':
      return compileCallback(mapping.callback, context);
    case 'rekey':
      return compileRekey(mapping.clientId, context);
    case 'enqueue':
      return compileEnqueue(mapping.phones ?? [], context);
    case 'delete':
      return () => NOTHING;
  }
}

const NOTHING: Payloads['delete'] = {};

const NO_PHONE = new InvalidValue(
  'no_phone',
  'The row has no phone. Fill in at least one phone column.',
);

/** A client as it is created (interface.md 2.2). */
function compileClient(
  spec: CreatedClient,
  { identifiers, others }: Fields,
  roles: readonly number[] | undefined,
  context: CompileContext,
): MakePayload<MappedClient> {
  const names = [...identifiers, ...others].map(({ name }) => name);
  const named = <T>(
    name: 'clientRoleId' | 'type' | 'timeZone',
    value: ValueSpec,
    convert: Convert<T>,
  ): Part<T> => {
    const isNumber = name === 'clientRoleId';
    return compilePart(value, ['client', name], convert, missing(name), context, isNumber);
  };
  const role = named('clientRoleId', spec.clientRoleId, toRole(roles));
  const kind: Part<Client['type']> = spec.type
    ? named('type', spec.type, toWord(CLIENT_TYPES, 'not_allowed'))
    : () => 'SIMPLE';
  // Phones are read as the first entry of the mapping has them; an E.164 number is the same in all.
  const [first] = spec.phones;
  const numberOf = first ? comparableNumber(first, countryOf(spec.phones)) : () => 0;
  const byPhone = isFoundByPhone(spec.timeZone)
    ? compileClientZone(spec.timeZone, numberOf, context)
    : null;
  const zone = byPhone ? null : named('timeZone', spec.timeZone, toTimeZone);
  const contacts = compileContacts(spec, context);
  const keepCallable = compileCallable(context);
  return (uuid, values, cells, problems) => {
    const clientRoleId = role(cells, problems);
    const type = kind(cells, problems);
    let timeZone = zone?.(cells, problems) ?? null;
    const [before, dropped] = [problems.list.length, problems.dropped];
    const phones = contacts.phones(cells, problems);
    // A phone that is there but wrong has been noted already; then its absence is not noted on top.
    if (phones.length === 0 && problems.list.length === before) {
      if (problems.hasSuppressed) problems.leaveRowOut();
      problems.lack(null, NO_PHONE, dropped);
    }
    if (byPhone) timeZone = byPhone(cells, phones, problems);
    keepCallable?.(
      phones.map(({ phoneNumber }) => phoneNumber),
      problems,
    );
    const emails = contacts.emails(cells, problems);
    const addresses = contacts.addresses(cells, problems);
    const fields = new FieldList(names, values);
    return uuid === null || clientRoleId === null || type === null || timeZone === null
      ? null
      : { uuid, clientRoleId, type, timeZone, fields, phones, addresses, emails };
  };
}

const NOTHING_TO_CHANGE = new InvalidValue(
  'nothing_to_change',
  'The row changes nothing. Fill in a cell beside the synchronization identifiers.',
);

/** What a row changes of a client: fields that have a value, and contacts. A row that has none of them is refused. */
function compileUpdate(
  spec: ChangedClient,
  { identifiers, others }: Fields,
  context: CompileContext,
): MakePayload<Payloads['update']> {
  if (others.length + countOf(spec) === 0) {
    context.mistake(
      ['client'],
      'mode update needs something to change.',
      'Add a field that does not identify, phones, emails or addresses.',
    );
  }
  const contacts = compileContacts(spec, context);
  return (_uuid, all, cells, problems) => {
    const fields: Record<string, FieldValue> = {};
    for (const [place, { name }] of others.entries()) {
      const value = all[identifiers.length + place] ?? null;
      if (value !== null) fields[name] = value;
    }
    const payload = {
      fields,
      phones: contacts.phones(cells, problems),
      emails: contacts.emails(cells, problems),
      addresses: contacts.addresses(cells, problems),
    };
    const isEmpty = countOf(payload) === 0 && Object.keys(fields).length === 0;
    if (isEmpty && problems.list.length === 0) {
      if (problems.hasSuppressed) problems.leaveRowOut();
      problems.lack(null, NOTHING_TO_CHANGE, 0);
    }
    return payload;
  };
}

const countOf = ({
  phones = [],
  emails = [],
  addresses = [],
}: { readonly [K in Kind]?: readonly unknown[] | undefined }): number =>
  phones.length + emails.length + addresses.length;

const NO_CONTACT = new InvalidValue(
  'no_contact',
  'The row has no contact that could get a status. Fill in a phone, an e-mail address or an address.',
);

/** A callback (interface.md 2.5) without its client and its campaign. Every part of it is required. */
function compileCallback(
  spec: CallbackSpec,
  context: CompileContext,
): MakePayload<Payloads['callbacks']> {
  const part = <T>(
    name: 'name' | 'description' | 'phone' | 'operatorId',
    what: string,
    convert: Convert<T>,
  ): Part<T> => {
    const required = missing(what);
    const isNumber = name === 'operatorId';
    return compilePart(spec[name], ['callback', name], convert, required, context, isNumber);
  };
  const parts = {
    name: part('name', 'The name of the callback', toFilledText),
    description: part('description', 'The description of the callback', toFilledText),
    phone: part('phone', 'The phone of the callback', toPhone),
    operatorId: part('operatorId', 'The operator of the callback', toNumber(true)),
    callAt: compileCallAt(spec.callAt, ['callback', 'callAt'], context),
    callAutomatically: compileFlag(
      spec.callAutomatically,
      missing('callAutomatically'),
      ['callback', 'callAutomatically'],
      context,
    ),
  };
  const compared = compileCompared(spec.phone, undefined, context);
  return (_uuid, _fields, cells, problems) => {
    const name = parts.name(cells, problems);
    const description = parts.description(cells, problems);
    const phone = parts.phone(cells, problems);
    if (phone !== null && compared?.isListed(phone, problems)) problems.leaveRowOut();
    const operatorId = parts.operatorId(cells, problems);
    const callAt = parts.callAt(cells, problems);
    const callAutomatically = parts.callAutomatically(cells, problems);
    return name === null ||
      description === null ||
      phone === null ||
      operatorId === null ||
      callAt === null ||
      callAutomatically === null
      ? null
      : { name, description, phone, operatorId, callAt, callAutomatically };
  };
}

const NOT_AN_ID = new InvalidValue(
  'not_an_id',
  'This is no client id. An id is a whole number from 1 on.',
);

/** The client that gets new synchronization identifiers, by its internal id (interface.md 4.6c). */
function compileRekey(spec: ValueSpec, context: CompileContext): MakePayload<Payloads['rekey']> {
  const path = ['clientId'];
  if (typeof spec === 'object' && spec.value !== undefined)
    context.mistake(path, 'a constant would mean one client in every row.', 'Name a column.');
  const whole = toNumber(true);
  const toId: Convert<number> = (text) => {
    const id = whole(text);
    return typeof id === 'number' && id < 1 ? NOT_AN_ID : id;
  };
  const part = compilePart(spec, path, toId, missing('The client id'), context, true);
  return (_uuid, _fields, cells, problems) => {
    const clientId = part(cells, problems);
    return clientId === null ? null : { clientId };
  };
}

/** The identifiers say it all; phones are there to be compared. A row whose phones are all listed is left out. */
function compileEnqueue(
  phones: ComparedPhones,
  context: CompileContext,
): MakePayload<Payloads['delete']> {
  const values = phones.map((spec) => (typeof spec === 'string' ? { column: spec } : spec));
  const country = countryOf(values);
  const add = (value: ValueObject): Add<string> => {
    const compared = compileCompared(value, country, context);
    return (phone, _cells, into, problems) => {
      if (compared?.isListed(phone, problems)) return;
      into.push(phone);
      compared?.note(phone, problems);
    };
  };
  const gather = compileEntries('phones', KINDS.phones.one, values, context, add, ['phones']);
  const keepCallable = phones.length > 0 ? compileCallable(context) : null;
  return (_uuid, _fields, cells, problems) => {
    const free = gather(cells, problems);
    if (free.length === 0 && problems.hasSuppressed) problems.leaveRowOut();
    keepCallable?.(free, problems);
    return NOTHING;
  };
}

type Cells = readonly Cell[];

const KINDS = {
  phones: { noun: 'phone', one: 'A phone', type: 'The type of the phone', convert: toPhone },
  emails: { noun: 'e-mail address', one: 'An e-mail address', type: '', convert: toEmail },
  addresses: {
    ...{ noun: 'address', one: 'An address', type: 'The type of the address' },
    convert: toFilledText,
  },
} as const;
type Kind = keyof typeof KINDS;

interface Flags {
  active?: boolean | undefined;
  disabled?: boolean | undefined;
}

/** An entry of a list: a value, and what is said of each contact that it gives. */
type EntrySpec<Type extends string> =
  | string
  | (ValueObject & {
      readonly type?: Type | ValueObject;
      readonly active?: FlagSpec | undefined;
      readonly disabled?: FlagSpec | undefined;
    });

const NO_TYPES = [''] as const;

/** Compiles the contacts that a row brings for a client. The same phone or e-mail address twice is one, the first. */
function compileContacts(
  specs: {
    readonly phones?: readonly PhoneSpec[] | undefined;
    readonly emails?: readonly EmailSpec[] | undefined;
    readonly addresses?: readonly AddressSpec[] | undefined;
  },
  context: CompileContext,
) {
  const country = countryOf(specs.phones);
  const contacts = <Type extends string, T extends Flags>(
    kind: Kind,
    entries: readonly EntrySpec<Type>[] | undefined,
    types: readonly [Type, ...Type[]],
    make: (contact: string, type: Type) => T,
    isSame: (made: T, contact: string) => boolean,
  ) => {
    const { one, type: whatType } = KINDS[kind];
    return compileEntries<EntrySpec<Type>, T>(kind, one, entries, context, (spec, path) => {
      const keys = typeof spec === 'string' ? {} : spec;
      const spelt = keys.type ?? types[0];
      const type: Part<Type> =
        typeof spelt === 'string'
          ? () => spelt
          : compilePart(
              spelt,
              [...path, 'type'],
              toWord(types, 'not_allowed'),
              missing(whatType),
              context,
            );
      const flag = (name: keyof Flags): Part<boolean> | null => {
        const written = keys[name];
        if (written === undefined) return null;
        return compileFlag(written, null, [...path, name], context);
      };
      const [active, disabled] = [flag('active'), flag('disabled')];
      const phones = kind === 'phones' ? compileCompared(spec, country, context) : null;
      return (contact, row, into, problems) => {
        if (into.some((made) => isSame(made, contact))) return;
        if (phones?.isListed(contact, problems)) return;
        const word = type(row, problems);
        if (word === null) return;
        const made = make(contact, word);
        setFlag(made, 'active', active, row, problems);
        setFlag(made, 'disabled', disabled, row, problems);
        into.push(made);
        phones?.note(contact, problems);
      };
    });
  };
  const { phones, emails, addresses } = specs;
  return {
    phones: contacts(
      'phones',
      phones,
      PHONE_TYPES,
      (phoneNumber, type): Phone => ({ phoneNumber, type }),
      (made, phone) => made.phoneNumber === phone,
    ),
    emails: contacts(
      'emails',
      emails,
      NO_TYPES,
      (email): Email => ({ email }),
      (made, email) => made.email === email,
    ),
    addresses: contacts(
      'addresses',
      addresses,
      ADDRESS_TYPES,
      (address, type): Address => ({ address, type }),
      () => false,
    ),
  };
}

/**
 * The statuses that a row gives to contacts (interface.md 4.4, 4.6, 4.6b). The same contact twice is one, unless the statuses
 * differ. A row without any is refused.
 */
function compileStatuses(specs: ClientWithStatuses, context: CompileContext): MakePayload {
  const country = countryOf(specs.phones);
  const statuses = <T>(kind: Kind, make: (contact: string, active: boolean) => T) => {
    const { noun } = KINDS[kind];
    const contradiction = new InvalidValue(
      'two_statuses',
      `The same ${noun} gets two different statuses. Keep one of them.`,
    );
    type Status = Readonly<{ contact: string; active: boolean }>;
    const add = (spec: StatusSpec, path: Path): Add<Status> => {
      const required = missing(`The status of the ${noun}`);
      const status = compileFlag(spec.active, required, [...path, 'active'], context);
      const phones = kind === 'phones' ? compileCompared(spec, country, context) : null;
      return (contact, row, into, problems) => {
        const active = status(row, problems);
        if (active === null) return;
        const same = into.find((other) => other.contact === contact);
        if (same === undefined) {
          into.push({ contact, active });
          phones?.note(contact, problems);
        } else if (same.active !== active) problems.add(null, contradiction, null);
      };
    };
    const gather = compileEntries(kind, `The ${noun}`, specs[kind], context, add);
    return (cells: Cells, problems: RowProblems) =>
      gather(cells, problems).map(({ contact, active }) => make(contact, active));
  };
  const phones = statuses('phones', (phoneNumber, active) => ({ phoneNumber, active }));
  const emails = statuses('emails', (email, active) => ({ email, active }));
  const addresses = statuses('addresses', (address, active) => ({ address, active }));
  return (_uuid, _fields, cells, problems) => {
    const payload = {
      phones: phones(cells, problems),
      emails: emails(cells, problems),
      addresses: addresses(cells, problems),
    };
    if (problems.list.length === 0 && countOf(payload) === 0) problems.lack(null, NO_CONTACT, 0);
    return payload;
  };
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
 * What is done with the phones of a value beside sending them; `null`: nothing.
 * @param country of phones without a country code, where the value names none
 */
function compileCompared(
  spec: ValueSpec,
  country: string | undefined,
  { suppression, comparesPhones }: CompileContext,
) {
  if (suppression === undefined && !comparesPhones) return null;
  const value: ValueObject = typeof spec === 'string' ? { column: spec } : spec;
  const numberOf = comparableNumber(value, country);
  const label =
    value.column === undefined ? (value.columns?.join(', ') ?? null) : headerName(value.column);
  return {
    /** Whether a phone must not be called; then `problems` says on which lists it is, else it keeps its number. */
    isListed: (phone: string, problems: RowProblems): boolean => {
      if (suppression === undefined) return false;
      const number = numberOf(phone);
      const listed = number === 0 ? null : suppression.check(number);
      if (listed !== null) {
        problems.suppress(label, phone, listed);
        return true;
      }
      if (number === 0) problems.remark(label, NOT_COMPARED, phone);
      problems.keepNumber(phone, number);
      return false;
    },
    /** Notes a phone as an E.164 number, whatever is sent, so that duplicates are known by it; else as it is sent. */
    note: (phone: string, problems: RowProblems): void => {
      if (comparesPhones) (problems.compared ??= []).push(numberOf(phone) || phone);
    },
  };
}

/** Notes the numbers of the phones that are sent, so that they can be compared again later; `null`: nobody asks. */
function compileCallable({
  suppression,
  keepsNumbers,
}: CompileContext): ((phones: readonly string[], problems: RowProblems) => void) | null {
  if (suppression === undefined || !keepsNumbers) return null;
  return (phones, problems) => {
    const numbers = phones.map((phone) => problems.numberOf(phone) ?? 0);
    problems.callable = numbers.filter((number) => number > 0);
  };
}

const countryOf = (specs: readonly ValueObject[] = []): string | undefined =>
  specs.map((spec) => phoneStepOf(spec)?.country).find((country) => country !== undefined);

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
function comparableNumber(
  value: ValueObject,
  country: string | undefined,
): (phone: string) => number {
  const step = phoneStepOf(value);
  const code = (step?.country ?? country)?.trim().toUpperCase();
  const reader = numberReader(code !== undefined && isCountry(code) ? code : undefined);
  const last = [value.transform ?? []].flat().at(-1);
  const endsWithPhone = last === 'phone' || (typeof last === 'object' && last.phone !== undefined);
  const isAsWritten = endsWithPhone && value.map === undefined && value.default === undefined;
  if (step?.format !== 'digits' || !isAsWritten) return (phone) => reader.parse(phone);
  return (phone) => reader.parse(phone.startsWith('+') ? phone : `+${phone}`);
}

/** Makes something of a contact that an entry has found in a row. */
type Add<T> = (contact: string, cells: Cells, into: T[], problems: RowProblems) => void;

/**
 * Compiles every entry of a list: each finds one value in a row, or several where a cell is split. With `invalid: drop`, a
 * contact is left out whole when anything about it is wrong: one that must not be used may be marked so.
 * @param what the contact of an entry that has none and needs one
 */
function compileEntries<S extends ValueSpec, T>(
  kind: Kind,
  what: string,
  specs: readonly S[] = [],
  context: CompileContext,
  adding: (spec: S, path: Path) => Add<T>,
  list: Path = ['client', kind],
): (cells: Cells, problems: RowProblems) => T[] {
  const { convert } = KINDS[kind];
  const collectors = specs.map((spec, index) => {
    const path = [...list, index];
    const add = adding(spec, path);
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
    return (cells: Cells, into: T[], problems: RowProblems): void => {
      const before = problems.list.length;
      const { dropped } = problems;
      let taken = 0;
      if (readAll === undefined) taken = take(reader.read(cells, problems), cells, into, problems);
      else
        for (const value of readAll(cells, problems)) taken += take(value, cells, into, problems);
      if (required !== null && taken === 0 && problems.list.length === before)
        problems.lack(label, required, dropped);
    };
  });
  return (cells, problems) => {
    const found: T[] = [];
    for (const collect of collectors) collect(cells, found, problems);
    return found;
  };
}
