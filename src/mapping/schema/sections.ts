import { z } from 'zod';
import { columnName, filled } from '../../config/scalar.js';

/** Sections of a mapping that have the same form in every mode that has them. */

const until = z
  .strictObject({
    column: columnName,
    is: z.literal('empty').optional().describe('empty: the cell of the column is empty.'),
    startsWith: filled
      .optional()
      .describe('What the cell of the column begins with, in capitals or not.'),
  })
  .refine(
    ({ is, startsWith }) => (is === undefined) !== (startsWith === undefined),
    'give either "is: empty" or "startsWith".',
  )
  .optional()
  .meta({ id: 'until' })
  .describe('Rows at the end of the table that are left out, such as totals.');

/** Which rows at the end of a table are left out. */
export type Until = NonNullable<z.output<typeof until>>;

export const source = z
  .strictObject({
    sheet: z
      .union([z.string().min(1), z.int().min(1)])
      .optional()
      .describe('Sheet by name, or by number from 1. Default: the first visible sheet.'),
    allSheets: z
      .boolean()
      .optional()
      .describe('Every sheet, hidden ones included, in the order of the workbook. Default: false.'),
    headerRow: z
      .union([z.int().min(1), z.literal('none')])
      .optional()
      .describe(
        'Row number of the header, or none: columns are then named by letter (A) or number. Default: found.',
      ),
    until,
    encoding: z
      .string()
      .min(1)
      .optional()
      .describe('Encoding of a CSV file, such as utf-8 or windows-1251. Default: auto.'),
    delimiter: z
      .string()
      .refine(
        (text) => (text.length > 0 && text.length <= 8) || text === 'tab' || text === 'auto',
        'it must be one to eight characters, "tab" or "auto".',
      )
      .optional()
      .describe(
        'What stands between the cells of a CSV file: a character or several; also tab. Default: auto.',
      ),
  })
  .meta({ id: 'source' })
  .describe('How the spreadsheet is read.');

/** What the reports of a run show. */
export const report = z
  .strictObject({
    show: z
      .array(z.string().min(1))
      .min(1)
      .describe('Columns of the spreadsheet that the HTML report shows in place of the UUID.'),
  })
  .meta({ id: 'report' })
  .describe('What the reports of a run show.');

const whichCampaign = {
  id: z.int().min(1).optional().describe('Id of the campaign.'),
  name: z.string().min(1).optional().describe('Name of the campaign, in place of its id.'),
} as const;

const ID_OR_NAME = 'give either the "id" or the "name" of the campaign.';

function isOne({ id, name }: { id?: unknown; name?: unknown }): boolean {
  return id === undefined || name === undefined;
}

/** The campaign that clients are added to. */
export const campaign = z
  .strictObject({
    ...whichCampaign,
    maxCallCount: z.int().min(1).optional().describe('Most calls to a client. Default: 1.'),
    disableDuplicatePhonesValidation: z
      .boolean()
      .optional()
      .describe('false: duplicate phone numbers are checked; true: they are not. Default: true.'),
  })
  .refine(isOne, ID_OR_NAME)
  .meta({ id: 'campaign' })
  .describe('Telemarketing campaign that the clients are added to.');

/** The campaign that something is done in. */
export const sameCampaign = z
  .strictObject(whichCampaign)
  .refine(isOne, ID_OR_NAME)
  .meta({ id: 'sameCampaign' })
  .describe('Telemarketing campaign that is meant.');

export type Campaign = z.output<typeof campaign>;
