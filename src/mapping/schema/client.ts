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

/** A value, and what is said of it. */
const valueWith = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...valueShape, ...shape }).check(checkValue);

const [phoneType, addressType] = [wordOrValue(PHONE_TYPES), wordOrValue(ADDRESS_TYPES)];
const active = flag.optional();

const phone = valueWith({ type: phoneType, active, disabled: flag.optional() });
const email = valueWith({ active });
const address = valueWith({ type: addressType, active });

/** A value, or one that is found by the phone where the column has none. */
const zoneObject = z
  .strictObject({
    ...valueShape,
    phone: z.boolean().optional(),
    ambiguous: z.enum(['default', 'reject', 'first']).optional(),
  })
  .check((context) => {
    const { phone, ambiguous, ...value } = context.value;
    const isDefaultAlone = Object.entries(value).every(
      ([key, one]) => key === 'default' || one === undefined,
    );
    if (phone !== true || !isDefaultAlone) addMistakes(valueMistakes(value), context);
    if (ambiguous !== undefined && phone !== true)
      addMistakes(['"ambiguous" belongs beside "phone: true".'], context);
  })
  .meta({ id: 'timeZone' });

/** The time zone of a client. */
const clientZone = z.union([columnName, zoneObject]);

/** The section `client` of the modes that create a client. */
export const createdClient = z
  .strictObject({
    clientRoleId: value,
    type: value.optional(),
    timeZone: clientZone,
    fields: z.record(z.string(), value),
    phones: z.array(phone).min(1),
    emails: z.array(z.union([columnName, email])).optional(),
    addresses: z.array(address).optional(),
  })
  .meta({ id: 'createdClient' });

/** Entries that are added to a client: the interface takes no status for them (interface.md 4.3, 4.5, 4.6a). */
const addedPhone = valueWith({ type: phoneType });
const addedEmail = valueWith({});
const addedAddress = valueWith({ type: addressType });

export const changedClient = z.strictObject({
  fields: z.record(z.string(), value),
  phones: z.array(addedPhone).optional(),
  emails: z.array(z.union([columnName, addedEmail])).optional(),
  addresses: z.array(addedAddress).optional(),
});

const identifyingFields = z.record(z.string(), value);

/** The section `client` of the modes that want to know no more than which client is meant. */
export const identifiedClient = z
  .strictObject({ fields: identifyingFields })
  .meta({ id: 'identifiedClient' });

const KINDS = ['phones', 'emails', 'addresses'] as const;

/** Entries whose status is changed. */
const status = valueWith({ active: flag }).meta({ id: 'contactStatus' });

export const clientWithStatuses = z
  .strictObject({
    fields: identifyingFields,
    phones: z.array(status).optional(),
    emails: z.array(status).optional(),
    addresses: z.array(status).optional(),
  })
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
  });

export type CreatedClient = z.output<typeof createdClient>;
export type ChangedClient = z.output<typeof changedClient>;
export type ClientWithStatuses = z.output<typeof clientWithStatuses>;
/** Card fields by name, as written. */
export type FieldSpecs = CreatedClient['fields'];

/** Phones that are compared with lists of numbers, and not sent. */
export const comparedPhones = z
  .array(z.union([columnName, z.strictObject(valueShape).check(checkValue)]))
  .min(1);

export type PhoneSpec = z.output<typeof phone>;
export type AddressSpec = z.output<typeof address>;
export type EmailSpec = string | z.output<typeof email>;
export type ComparedPhones = z.output<typeof comparedPhones>;
export type StatusSpec = z.output<typeof status>;

const callAt = z
  .strictObject({
    ...valueShape,
    pattern: z.union([filled, z.array(filled).min(1)]).optional(),
    timeZone: z.union([filled, valueObject]).optional(),
  })
  .check(checkValue)
  .refine(({ pattern, timeZone }) => pattern === undefined || timeZone !== undefined, {
    message: '"pattern" has no offset from UTC. Add "timeZone", such as Europe/Moscow.',
  });

/** A callback (interface.md 2.5), but for its client and its campaign. */
export const callback = z.strictObject({
  name: value,
  description: value,
  phone: value,
  operatorId: value,
  callAt: z.union([columnName, callAt]),
  callAutomatically: flag,
});

export type CallbackSpec = z.output<typeof callback>;
export type CallAtSpec = CallbackSpec['callAt'];

export type ClientZoneSpec = z.output<typeof clientZone>;
export type ZoneByPhoneSpec = Exclude<ClientZoneSpec, string>;
