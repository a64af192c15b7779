import { z } from 'zod';
import { ADDRESS_TYPES, PHONE_TYPES } from '../../core/client.js';
import { columnName } from '../../config/scalar.js';
import { checkValue, flag, valueShape, wordOrValue } from './value.js';

const phoneType = wordOrValue(PHONE_TYPES).describe('Kind of phone: MOB, HOME, WORK or FAX.');
const addressType = wordOrValue(ADDRESS_TYPES).describe('Kind of address: WORK or HOME.');

/** Entries of a client that is created. */
const active = flag
  .optional()
  .describe(
    'Whether it may be used: true, false, or a column. Default: left to the contact center (true).',
  );

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

const address = z.strictObject({ ...valueShape, type: addressType, active }).check(checkValue);
const email = z.strictObject({ ...valueShape, active }).check(checkValue);

export const contactsOfClient = {
  phones: z.array(phone).min(1).describe('Phones in order; a row needs at least one.'),
  emails: z
    .array(z.union([columnName, email]))
    .optional()
    .describe('E-mail addresses. Default: none.'),
  addresses: z.array(address).optional().describe('Postal addresses. Default: none.'),
} as const;

/** Entries that are added to a client: the interface takes no status for them (interface.md 4.3, 4.5, 4.6a). */
const addedPhone = z.strictObject({ ...valueShape, type: phoneType }).check(checkValue);
const addedAddress = z.strictObject({ ...valueShape, type: addressType }).check(checkValue);
const addedEmail = z.strictObject(valueShape).check(checkValue);

export const contactsToAdd = {
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

/** Phones that are compared with lists of numbers, and not sent. */
export const comparedPhones = z
  .array(z.union([columnName, z.strictObject(valueShape).check(checkValue)]))
  .min(1)
  .describe(
    'Phones of the client that are compared with the lists of numbers that must not be called, and where duplicates ' +
      'are known by phones. They are not sent. Default: none.',
  );

/** Entries whose status is changed. */
const status = z
  .strictObject({
    ...valueShape,
    active: flag.describe('Whether it may be used from now on: true, false, or a column.'),
  })
  .check(checkValue)
  .meta({ id: 'contactStatus' });

export const contactStatuses = {
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

export type PhoneSpec = z.output<typeof phone>;
export type AddressSpec = z.output<typeof address>;
export type EmailSpec = string | z.output<typeof email>;
export type ComparedPhones = z.output<typeof comparedPhones>;
export type StatusSpec = z.output<typeof status>;
