import {
  CLIENT_TYPES,
  type Client,
  FieldList,
  type FieldValue,
  type MappedClient,
  type Payloads,
} from '../../core/client.js';
import type { Mapping } from '../mapping.js';
import type {
  CallbackSpec,
  ChangedClient,
  ClientWithStatuses,
  ComparedPhones,
  CreatedClient,
} from '../schema/client.js';
import type { ValueSpec } from '../schema/value.js';
import { isFoundByPhone } from '../suspicions.js';
import { InvalidValue } from '../transforms/step.js';
import { compileCallAt, compileClientZone } from './times.js';
import {
  compileCallable,
  compileComparedPhones,
  compileContacts,
  compileStatuses,
  compileSuppressed,
} from './contacts.js';
import type { CompileContext, MakePayload } from './context.js';
import {
  compileFlag,
  type Fields,
  type OtherFields,
  toFilledText,
  toNumber,
  toPhone,
  toRole,
  toTimeZone,
  toWord,
} from './convert.js';
import { compilePart, missing, type Convert, type Part } from './value-reader.js';

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
      return compileContactStatuses(mapping.client, context);
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
  const byPhone = isFoundByPhone(spec.timeZone)
    ? compileClientZone(spec.timeZone, spec.phones, context)
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
    if (keepCallable) {
      const numbers = phones.map(({ phoneNumber }) => phoneNumber);
      keepCallable(numbers, problems);
    }
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

type Lists = {
  readonly [Kind in 'phones' | 'emails' | 'addresses']?: readonly unknown[] | undefined;
};

const countOf = ({ phones = [], emails = [], addresses = [] }: Lists): number =>
  phones.length + emails.length + addresses.length;

const NO_CONTACT = new InvalidValue(
  'no_contact',
  'The row has no contact that could get a status. Fill in a phone, an e-mail address or an address.',
);

/** The statuses that a row gives to contacts (interface.md 4.4, 4.6, 4.6b). A row without any is refused. */
function compileContactStatuses(spec: ClientWithStatuses, context: CompileContext): MakePayload {
  const statuses = compileStatuses(spec, context);
  return (_uuid, _fields, cells, problems) => {
    const payload = statuses(cells, problems);
    if (problems.list.length === 0 && countOf(payload) === 0) problems.lack(null, NO_CONTACT, 0);
    return payload;
  };
}

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
  const compared = compileComparedPhones(phones, context);
  const keepCallable = phones.length > 0 ? compileCallable(context) : null;
  return (_uuid, _fields, cells, problems) => {
    const free = compared(cells, problems);
    if (free.length === 0 && problems.hasSuppressed) problems.leaveRowOut();
    keepCallable?.(free, problems);
    return NOTHING;
  };
}
