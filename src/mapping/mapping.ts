import { z } from 'zod';
import { ADDRESS_TYPES, PHONE_TYPES } from '../core/card.js';
import { columnName } from './schema/scalar.js';
import { checkValue, flag, value, valueShape, wordOrValue } from './schema/value.js';
import { where } from './schema/where.js';

const active = flag
  .optional()
  .describe(
    'Whether it may be used: true, false, or a column. Default: left to the contact center (true).',
  );

const phone = z
  .strictObject({
    ...valueShape,
    type: wordOrValue(PHONE_TYPES).describe('Kind of phone: MOB, HOME, WORK or FAX.'),
    active,
    disabled: flag
      .optional()
      .describe('Marks the phone as normalized. Default: left to the contact center (false).'),
  })
  .check(checkValue);

const address = z
  .strictObject({
    ...valueShape,
    type: wordOrValue(ADDRESS_TYPES).describe('Kind of address: WORK or HOME.'),
    active,
  })
  .check(checkValue);

const email = z.strictObject({ ...valueShape, active }).check(checkValue);

const source = z
  .strictObject({
    sheet: z
      .union([z.string().min(1), z.int().min(1)])
      .optional()
      .describe('Sheet by name, or by number from 1. Default: the first visible sheet.'),
    allSheets: z
      .boolean()
      .optional()
      .describe('Every sheet, hidden ones included, in the order of the workbook. Default: false.'),
    headerRow: z.int().min(1).optional().describe('Row number of the header. Default: 1.'),
    encoding: z
      .string()
      .min(1)
      .optional()
      .describe('Encoding of a CSV file, such as utf-8 or windows-1251. Default: auto.'),
    delimiter: z
      .string()
      .refine(
        (text) => text.length === 1 || text === 'tab' || text === 'auto',
        'it must be one character, "tab" or "auto".',
      )
      .optional()
      .describe('Character between the cells of a CSV file; also tab. Default: auto.'),
  })
  .describe('How the spreadsheet is read.');

const campaign = z
  .strictObject({
    id: z.int().min(1).optional().describe('Id of the campaign.'),
    name: z.string().min(1).optional().describe('Name of the campaign, in place of its id.'),
    maxCallCount: z.int().min(1).optional().describe('Most calls to a client. Default: 1.'),
    disableDuplicatePhonesValidation: z
      .boolean()
      .optional()
      .describe('false: duplicate phone numbers are checked; true: they are not. Default: true.'),
  })
  .refine(
    ({ id, name }) => id === undefined || name === undefined,
    'give either the "id" or the "name" of the campaign.',
  )
  .describe('Telemarketing campaign that the clients are added to.');

const client = z
  .strictObject({
    clientRoleId: value.describe('Role of the client: a whole number.'),
    type: value.optional().describe('SIMPLE or VIP. Default: SIMPLE.'),
    timeZone: value.describe('Time zone of the client, up to 25 characters.'),
    fields: z
      .record(z.string(), value)
      .describe('Custom card fields by name; every synchronization identifier must be among them.'),
    phones: z.array(phone).min(1).describe('Phones in order; a row needs at least one.'),
    emails: z
      .array(z.union([columnName, email]))
      .optional()
      .describe('E-mail addresses. Default: none.'),
    addresses: z.array(address).optional().describe('Postal addresses. Default: none.'),
  })
  .describe('How a row becomes a client card.');

/** A mapping file: how the columns of one kind of spreadsheet become client cards. */
export const mappingSchema = z.strictObject({
  $schema: z.string().optional().describe('Where an editor finds the JSON Schema of this file.'),
  source: source.optional(),
  where: where
    .optional()
    .describe('Rows for which this does not hold are skipped. Default: every row.'),
  uuid: value
    .optional()
    .describe('UUID of the row. Default: a UUIDv5 of the synchronization identifiers.'),
  client,
  duplicates: z
    .strictObject({
      by: z
        .enum(['sync', 'phone', 'none'])
        .describe(
          'sync: same identifiers; phone: any phone the same; none: duplicates are sent. Default: sync.',
        ),
    })
    .optional()
    .describe('What makes a row a duplicate of an earlier one, which is then skipped.'),
  campaign: campaign.optional(),
});

export type Mapping = z.output<typeof mappingSchema>;
export type PhoneSpec = z.output<typeof phone>;
export type AddressSpec = z.output<typeof address>;
export type EmailSpec = string | z.output<typeof email>;
