import { z } from 'zod';
import { filled } from '../config/scalar.js';

/** The section `numberPlan` of an installation. */
export const numberPlan = z
  .strictObject({
    file: filled.describe('CSV file with a range of numbers in each row, relative to this file.'),
    columns: z
      .strictObject({
        code: filled
          .optional()
          .describe(
            'Column with the digits before the others, such as the area code. Default: none.',
          ),
        from: filled.describe('Column with the first number of the range.'),
        to: filled.describe('Column with the last number of the range.'),
        region: filled.describe('Column with the region.'),
      })
      .describe('What the columns of the file are called.'),
    callingCode: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'write the digits alone, in quotes, such as "7".')
      .default('7')
      .describe('Calling code that stands before every number. Default: "7", of Russia.'),
    digits: z
      .int()
      .min(4)
      .max(14)
      .default(10)
      .describe('Digits of a number without the calling code. Default: 10.'),
    regions: filled.describe(
      'CSV file with the columns region and zone: the time zone of each region, relative to this file.',
    ),
  })
  .optional()
  .describe(
    'Where numbers were given out, which makes time zones of mobiles certain. Default: none.',
  );
