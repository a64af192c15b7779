import { z } from 'zod';
import { columnName, filled } from '../../config/scalar.js';
import { checkValue, flag, value, valueObject, valueShape } from './value.js';

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
