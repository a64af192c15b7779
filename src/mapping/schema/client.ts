import { z } from 'zod';
import {
  value,
  checkValue,
  flag,
  valueShape,
  wordOrValue,
  valueObject,
  addMistakes,
  valueMistakes,
} from './value.js';
import { ADDRESS_TYPES, PHONE_TYPES } from '../../core/client.js';
import { columnName, filled } from '../../config/scalar.js';

/** Entries of a client that is created. */
const active = flag
  .optional()
  .describe(
    'Whether it may be used: true, false, or a column. Default: left to the contact center (true).',
  );

const phoneType = wordOrValue(PHONE_TYPES).describe('Kind of phone: MOB, HOME, WORK or FAX.');

const phone = z
  .strictObject({
    ...valueShape,
    type: phoneType,
    active,
    disabled: flag
      .optional()
      .describe('Marks the phone as normalized. Default: left to the contact center (false).'),
  })
  .check(checkValue);

/** A value, or one that is found by the phone where the column has none. */
const zoneObject = z
  .strictObject({
    ...valueShape,
    phone: z
      .boolean()
      .optional()
      .describe(
        'Whether the first digits of the phone say the time zone where the column does not. Default: false.',
      ),
    ambiguous: z
      .enum(['default', 'reject', 'first'])
      .optional()
      .describe(
        'What counts where the first digits of the phone belong to several zones: default: the default; reject: the ' +
          'row is rejected; first: the first of them. Default: default.',
      ),
  })
  .check((context) => {
    const { phone, ambiguous, ...value } = context.value;
    if (phone !== true) addMistakes(valueMistakes(value), context);
    else if (
      Object.keys(value).some(
        (key) => key !== 'default' && value[key as keyof typeof value] !== undefined,
      )
    )
      addMistakes(valueMistakes(value), context);
    if (ambiguous !== undefined && phone !== true)
      addMistakes(['"ambiguous" belongs beside "phone: true".'], context);
  })
  .meta({ id: 'timeZone' });

/** The time zone of a client. */
const clientZone = z
  .union([columnName, zoneObject])
  .describe('Time zone of the client, up to 25 characters.');

const email = z.strictObject({ ...valueShape, active }).check(checkValue);

const addressType = wordOrValue(ADDRESS_TYPES).describe('Kind of address: WORK or HOME.');

const address = z.strictObject({ ...valueShape, type: addressType, active }).check(checkValue);

const contactsOfClient = {
  phones: z.array(phone).min(1).describe('Phones in order; a row needs at least one.'),
  emails: z
    .array(z.union([columnName, email]))
    .optional()
    .describe('E-mail addresses. Default: none.'),
  addresses: z.array(address).optional().describe('Postal addresses. Default: none.'),
} as const;

/** The section `client` of the modes that create a client. */
export const createdClient = z
  .strictObject({
    clientRoleId: value.describe('Role of the client: a whole number.'),
    type: value.optional().describe('SIMPLE or VIP. Default: SIMPLE.'),
    timeZone: clientZone,
    fields: z
      .record(z.string(), value)
      .describe('Custom card fields by name; every synchronization identifier must be among them.'),
    ...contactsOfClient,
  })
  .meta({ id: 'createdClient' })
  .describe('How a row becomes a client card.');

const addedEmail = z.strictObject(valueShape).check(checkValue);

const addedAddress = z.strictObject({ ...valueShape, type: addressType }).check(checkValue);

/** Entries that are added to a client: the interface takes no status for them (interface.md 4.3, 4.5, 4.6a). */
const addedPhone = z.strictObject({ ...valueShape, type: phoneType }).check(checkValue);

const contactsToAdd = {
  phones: z
    .array(addedPhone)
    .optional()
    .describe('Phones that the client gets where it lacks them. Default: none.'),
  emails: z
    .array(z.union([columnName, addedEmail]))
    .optional()
    .describe('E-mail addresses that the client gets where it lacks them. Default: none.'),
  addresses: z
    .array(addedAddress)
    .optional()
    .describe('Postal addresses that the client gets where it lacks them. Default: none.'),
} as const;

export const changedClient = z
  .strictObject({
    fields: z
      .record(z.string(), value)
      .describe(
        'Custom card fields by name: every synchronization identifier, and what is changed. An empty cell changes ' +
          'nothing.',
      ),
    ...contactsToAdd,
  })
  .describe('What a row changes of a client card.');

const identifyingFields = z
  .record(z.string(), value)
  .describe('The synchronization identifiers by name: all of them, and nothing else.');

/** The section `client` of the modes that want to know no more than which client is meant. */
export const identifiedClient = z
  .strictObject({ fields: identifyingFields })
  .meta({ id: 'identifiedClient' })
  .describe('Which client a row is about.');

const KINDS = ['phones', 'emails', 'addresses'] as const;

/** Entries whose status is changed. */
const status = z
  .strictObject({
    ...valueShape,
    active: flag.describe('Whether it may be used from now on: true, false, or a column.'),
  })
  .check(checkValue)
  .meta({ id: 'contactStatus' });

const contactStatuses = {
  phones: z.array(status).optional().describe('Phones whose status is changed. Default: none.'),
  emails: z
    .array(status)
    .optional()
    .describe('E-mail addresses whose status is changed. Default: none.'),
  addresses: z
    .array(status)
    .optional()
    .describe('Postal addresses whose status is changed. Default: none.'),
} as const;

export const clientWithStatuses = z
  .strictObject({ fields: identifyingFields, ...contactStatuses })
  .refine((written) => KINDS.some((kind) => (written[kind] ?? []).length > 0), {
    message: 'mode contacts needs client.phones, client.emails or client.addresses.',
    // A mistake in the fields says nothing of the contacts: both are reported at once.
    when: ({ value: written }) => typeof written === 'object' && written !== null,
  })
  // The same for editors, which know nothing of the check above.
  .meta({
    anyOf: KINDS.map((kind) => ({
      type: 'object',
      properties: { [kind]: { type: 'array', minItems: 1, description: 'At least one.' } },
      required: [kind],
    })),
  })
  .describe('Which client a row is about, and which of its contacts get a status.');

export type CreatedClient = z.output<typeof createdClient>;
export type ChangedClient = z.output<typeof changedClient>;
export type ClientWithStatuses = z.output<typeof clientWithStatuses>;
/** Card fields by name, as written. */
export type FieldSpecs = CreatedClient['fields'];

/** Phones that are compared with lists of numbers, and not sent. */
export const comparedPhones = z
  .array(z.union([columnName, z.strictObject(valueShape).check(checkValue)]))
  .min(1)
  .describe(
    'Phones of the client that are compared with the lists of numbers that must not be called, and where duplicates ' +
      'are known by phones. They are not sent. Default: none.',
  );

export type PhoneSpec = z.output<typeof phone>;
export type AddressSpec = z.output<typeof address>;
export type EmailSpec = string | z.output<typeof email>;
export type ComparedPhones = z.output<typeof comparedPhones>;
export type StatusSpec = z.output<typeof status>;

const callAt = z
  .strictObject({
    ...valueShape,
    pattern: z
      .union([filled, z.array(filled).min(1)])
      .optional()
      .describe(
        'Pattern or patterns of the cell, of yyyy yy MM M dd d HH H hh h mm ss a; dates and times of Excel and of ISO 8601 ' +
          'are understood without one.',
      ),
    timeZone: z
      .union([filled, valueObject])
      .optional()
      .describe(
        'Time zone of times that name no offset from UTC: an IANA name such as Europe/Moscow, or { column: … }.',
      ),
  })
  .check(checkValue)
  .refine(({ pattern, timeZone }) => pattern === undefined || timeZone !== undefined, {
    message: '"pattern" has no offset from UTC. Add "timeZone", such as Europe/Moscow.',
  });

/** A callback (interface.md 2.5), but for its client and its campaign. */
export const callback = z
  .strictObject({
    name: value.describe('Name of the callback.'),
    description: value.describe('Description of the callback.'),
    phone: value.describe('Phone of the client that is called.'),
    operatorId: value.describe('Operator who receives the callback: a whole number.'),
    callAt: z
      .union([columnName, callAt])
      .describe('Moment of the callback, with its offset from UTC or with a time zone.'),
    callAutomatically: flag.describe(
      'true: the callback starts by itself; false: the operator is reminded. Or a column.',
    ),
  })
  .describe('How a row becomes a callback.');

export type CallbackSpec = z.output<typeof callback>;
export type CallAtSpec = CallbackSpec['callAt'];

export type ClientZoneSpec = z.output<typeof clientZone>;
export type ZoneByPhoneSpec = Exclude<ClientZoneSpec, string>;
