import type {
  EmptyPayload,
  DequeuePayload,
  RekeyPayload,
  FieldValue,
  UpdatePayload,
  ContactsPayload,
  CallbackPayload,
} from '../../core/client.js';
import type { Mapping } from '../mapping.js';
import type { CompileContext, MakePayload } from './context.js';
import {
  type Fields,
  type OtherFields,
  compileFlag,
  toNumber,
  toPhone,
  toEmail,
  toFilledText,
} from './convert.js';
import { compileClient } from './client.js';
import type { FlagSpec, ValueSpec } from '../schema/value.js';
import { InvalidValue } from '../transforms/step.js';
import { compilePart, missing, type Convert, type Part, compileValue } from './value-reader.js';
import type {
  ComparedPhones,
  StatusSpec,
  ChangedClient,
  ClientWithStatuses,
  CallbackSpec,
  CallAtSpec,
} from '../schema/client.js';
import {
  compileCollect,
  type Collect,
  gatherAll,
  type Gather,
  compileCompared,
  type NotePhone,
  compileSuppressed,
  compileCallable,
  countryOf,
  compileContacts,
} from './contacts.js';
import type { Path } from '../../config/document.js';
import { nearest } from '../../config/nearest.js';
import { timeZone, instantOf, type TimeZone } from '../../core/hours.js';
import { toLocalTime } from './times/local-time.js';

/** Compiles what the mode of a mapping makes of a row. */
export function compilePayload(
  mapping: Mapping,
  fields: Fields,
  clientRoles: readonly number[] | undefined,
  context: CompileContext,
): MakePayload {
  switch (mapping.mode) {
    case 'create':
    case 'upsert':
      return compileClient(mapping.client, fields, clientRoles, context);
    case 'update':
      return compileUpdate(mapping.client, fields, context);
    case 'dequeue':
      return compileDequeue(mapping.cancelCallbacks, context);
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

const NOTHING: EmptyPayload = {};

/** What the mode of a mapping does with the fields that do not identify. */
export function otherFieldsOf(mapping: Mapping, borrowed: boolean): OtherFields {
  switch (mapping.mode) {
    case 'create':
    case 'upsert':
      return 'sent';
    case 'update':
      return 'changed';
    default:
      return borrowed ? 'ignored' : 'refused';
  }
}

/** Whether callbacks go with the call application (interface.md 4.10); they stay where the row does not say. */
function compileDequeue(
  spec: FlagSpec | undefined,
  context: CompileContext,
): MakePayload<DequeuePayload> {
  const cancel = compileFlag(spec ?? false, null, ['cancelCallbacks'], context);
  return (_uuid, _fields, cells, problems) => ({
    cancelCallbacks: cancel(cells, problems) ?? false,
  });
}

const NOT_AN_ID = new InvalidValue(
  'not_an_id',
  'This is no client id. An id is a whole number from 1 on.',
);
const whole = toNumber(true);

const toId: Convert<number> = (text) => {
  const id = whole(text);
  return typeof id === 'number' && id < 1 ? NOT_AN_ID : id;
};

/** The client that gets new synchronization identifiers, by its internal id (interface.md 4.6c). */
function compileRekey(spec: ValueSpec, context: CompileContext): MakePayload<RekeyPayload> {
  const reader = compileValue(spec, ['clientId'], context, { isNumber: true });
  if (reader.constant !== undefined) {
    context.mistake(
      ['clientId'],
      'a constant would mean one client in every row.',
      'Name a column.',
    );
  }
  const part = compilePart(reader, toId, missing('The client id'), context);
  return (_uuid, _fields, cells, problems) => {
    const clientId = part(cells, problems);
    return clientId === null ? null : { clientId };
  };
}

/**
 * The identifiers say it all; phones are there to be compared, with lists and with those of other rows. A row whose phones
 * are all listed is left out.
 */
function compileEnqueue(
  phones: ComparedPhones,
  context: CompileContext,
): MakePayload<EmptyPayload> {
  const values = phones.map((phone) => (typeof phone === 'string' ? { column: phone } : phone));
  const country = countryOf(values);
  const collectors = values.map((value, index): Collect<string> => {
    const isListed = compileSuppressed(value, country, context);
    const note = compileCompared(value, country, context);
    const path = ['phones', index];
    return compileCollect(
      value,
      'A phone',
      toPhone,
      path,
      context,
      (phone, _cells, into, problems) => {
        if (isListed?.(phone, problems)) return;
        into.push(phone);
        note?.(phone, problems);
      },
    );
  });
  const keepCallable = phones.length > 0 ? compileCallable(context) : null;
  return (_uuid, _fields, cells, problems) => {
    const free: string[] = [];
    for (const collect of collectors) collect(cells, free, problems);
    if (free.length === 0 && problems.hasSuppressed) problems.leaveRowOut();
    keepCallable?.(free, problems);
    return NOTHING;
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
): MakePayload<UpdatePayload> {
  const { phones = [], emails = [], addresses = [] } = spec;
  if (others.length + phones.length + emails.length + addresses.length === 0) {
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
    if (problems.list.length === 0 && isEmpty(payload)) {
      if (problems.hasSuppressed) problems.leaveRowOut();
      problems.requireFrom(0);
      problems.add(null, NOTHING_TO_CHANGE, null);
    }
    return payload;
  };
}

function isEmpty({ fields, phones, emails, addresses }: UpdatePayload): boolean {
  const contacts = phones.length + emails.length + addresses.length;
  return contacts === 0 && Object.keys(fields).length === 0;
}

const NO_CONTACT = new InvalidValue(
  'no_contact',
  'The row has no contact that could get a status. Fill in a phone, an e-mail address or an address.',
);

/** The statuses that a row gives to contacts (interface.md 4.4, 4.6, 4.6b). A row without any is refused. */
function compileStatuses(
  { phones, emails, addresses }: ClientWithStatuses,
  context: CompileContext,
): MakePayload<ContactsPayload> {
  const found = {
    phones: statuses(phones, 'phones', 'phone', toPhone, context, compareAll(phones, context)),
    emails: statuses(emails, 'emails', 'e-mail address', toEmail, context),
    addresses: statuses(addresses, 'addresses', 'address', toFilledText, context),
  };
  return (_uuid, _fields, cells, problems) => {
    const payload = {
      phones: found
        .phones(cells, problems)
        .map(({ contact, active }) => ({ phoneNumber: contact, active })),
      emails: found
        .emails(cells, problems)
        .map(({ contact, active }) => ({ email: contact, active })),
      addresses: found
        .addresses(cells, problems)
        .map(({ contact, active }) => ({ address: contact, active })),
    };
    const count = payload.phones.length + payload.emails.length + payload.addresses.length;
    if (problems.list.length === 0 && count === 0) {
      problems.requireFrom(0);
      problems.add(null, NO_CONTACT, null);
    }
    return payload;
  };
}

type CompilePhone = (spec: StatusSpec) => NotePhone | null;

/** Notes the phones of all entries for the search of duplicates. */
function compareAll(
  specs: readonly StatusSpec[] | undefined,
  context: CompileContext,
): CompilePhone {
  const country = countryOf(specs);
  return (spec) => compileCompared(spec, country, context);
}

interface Status {
  readonly contact: string;
  readonly active: boolean;
}

/** Compiles the entries of one kind; the same contact twice is one, unless the statuses differ. */
function statuses(
  specs: readonly StatusSpec[] | undefined,
  key: 'phones' | 'emails' | 'addresses',
  noun: string,
  convert: Convert<string>,
  context: CompileContext,
  comparing: CompilePhone = () => null,
): Gather<Status> {
  const contradiction = new InvalidValue(
    'two_statuses',
    `The same ${noun} gets two different statuses. Keep one of them.`,
  );
  const compile = (spec: StatusSpec, path: Path): Collect<Status> => {
    const required = missing(`The status of the ${noun}`);
    const status = compileFlag(spec.active, required, [...path, 'active'], context);
    const what = `The ${noun}`;
    const note = comparing(spec);
    return compileCollect(spec, what, convert, path, context, (contact, cells, into, problems) => {
      const active = status(cells, problems);
      if (active === null) return;
      const same = into.find((other) => other.contact === contact);
      if (same === undefined) {
        into.push({ contact, active });
        note?.(contact, problems);
      } else if (same.active !== active) problems.add(null, contradiction, null);
    });
  };
  return gatherAll(specs, key, compile, context);
}

/** A callback (interface.md 2.5) without its client and its campaign. Every part of it is required. */
function compileCallback(
  spec: CallbackSpec,
  context: CompileContext,
): MakePayload<CallbackPayload> {
  const part = <T>(name: 'name' | 'description' | 'phone' | 'operatorId', convert: Convert<T>) =>
    compileRequired(name, spec[name], convert, context);
  const parts = {
    name: part('name', toFilledText),
    description: part('description', toFilledText),
    phone: part('phone', toPhone),
    operatorId: part('operatorId', toNumber(true)),
    callAt: compileCallAt(spec.callAt, ['callback', 'callAt'], context),
    callAutomatically: compileFlag(
      spec.callAutomatically,
      missing('callAutomatically'),
      ['callback', 'callAutomatically'],
      context,
    ),
  };
  const isListed = compileSuppressed(spec.phone, undefined, context);
  return (_uuid, _fields, cells, problems) => {
    const name = parts.name(cells, problems);
    const description = parts.description(cells, problems);
    const phone = parts.phone(cells, problems);
    if (phone !== null && isListed?.(phone, problems)) problems.leaveRowOut();
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

const NOUNS = {
  name: 'The name of the callback',
  description: 'The description of the callback',
  phone: 'The phone of the callback',
  operatorId: 'The operator of the callback',
} as const;

function compileRequired<T>(
  name: keyof typeof NOUNS,
  spec: ValueSpec,
  convert: Convert<T>,
  context: CompileContext,
): Part<T> {
  const isNumber = name === 'operatorId';
  const reader = compileValue(spec, ['callback', name], context, { isNumber });
  return compilePart(reader, convert, missing(NOUNS[name]), context);
}

const NO_SUCH_TIME = new InvalidValue(
  'no_such_time',
  'Clocks skip this time, since they are put forward then. Write another one.',
);
const NO_OFFSET = new InvalidValue(
  'no_time_zone',
  'The time names no offset from UTC. Write it with one, such as +03:00, or name a time zone in the mapping.',
);
const NO_ZONE = new InvalidValue(
  'no_time_zone',
  'The time names no offset from UTC, so the time zone is required. Fill in the cell.',
);
const NOT_A_ZONE = new InvalidValue(
  'not_a_time_zone',
  'There is no such time zone. Write an IANA name, such as Europe/Moscow.',
);

/**
 * The moment of a callback in ISO 8601 with its offset. An offset in the cell counts before any time zone. Of a time
 * that comes twice, when clocks are put back, the first is meant; one that clocks skip is refused.
 */
function compileCallAt(spec: CallAtSpec, path: Path, context: CompileContext): Part<string> {
  const { pattern, timeZone: zoneSpec } = typeof spec === 'string' ? {} : spec;
  const reader = compileValue(spec, path, context);
  const convert = toLocalTime(pattern, [...path, 'pattern'], context);
  const time = compilePart(reader, convert, missing('The time of the callback'), context);
  const zone =
    zoneSpec === undefined ? null : compileZone(zoneSpec, [...path, 'timeZone'], context);
  return (cells, problems) => {
    const found = time(cells, problems);
    if (found === null) return null;
    const { local, offset } = found;
    if (offset !== null) return written(local, offset);
    if (zone === null) {
      problems.add(reader.label, NO_OFFSET, reader.raw(cells));
      return null;
    }
    const place = zone(cells, problems);
    if (place === null) return null;
    const instant = instantOf(local, place);
    if (instant !== null) return written(local, offsetText(local - instant));
    problems.add(reader.label, NO_SUCH_TIME, reader.raw(cells));
    return null;
  };
}

const toZone: Convert<TimeZone> = (text) => timeZone(text.trim()) ?? NOT_A_ZONE;

/** A bare text names the zone itself. */
function compileZone(
  spec: Extract<CallAtSpec, object>['timeZone'] & {},
  path: Path,
  context: CompileContext,
): Part<TimeZone> {
  if (typeof spec !== 'string') {
    return compilePart(compileValue(spec, path, context), toZone, NO_ZONE, context);
  }
  const zone = toZone(spec);
  if (!(zone instanceof InvalidValue)) return () => zone;
  const near = nearest(spec, Intl.supportedValuesOf('timeZone'));
  context.mistake(
    path,
    `there is no time zone "${spec}".`,
    near === undefined ? 'A column is written { column: … }.' : `Did you mean "${near}"?`,
  );
  return () => null;
}

function written(local: number, offset: string): string {
  return new Date(local).toISOString().replace('.000Z', offset);
}

const MINUTE = 60_000;

function offsetText(milliseconds: number): string {
  const minutes = Math.abs(milliseconds) / MINUTE;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${milliseconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
