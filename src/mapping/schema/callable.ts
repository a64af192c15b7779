import { z } from 'zod';
import { columnName, filled } from '../../config/scalar.js';
import { parseDuration } from '../../core/time.js';
import { parseWeek } from '../../quality/calling/week-hours.js';
import { transforms } from './transform.js';

const hours = z
  .record(z.string(), z.union([z.string(), z.array(z.string()).min(1)]))
  .transform((written, context) => {
    const week = parseWeek(written, (key, message) => {
      context.addIssue({ code: 'custom', path: [key], message });
    });
    if (context.issues.length > 0) return z.NEVER;
    if (week.some((parts) => parts.length > 0)) return week;
    context.addIssue({ code: 'custom', message: 'no day has hours.' });
    return z.NEVER;
  })
  .describe(
    'Hours by days, by the clocks of the client: { Mon-Fri: 09:00-20:00, Sat: 10:00-18:00 }; a list where a day has ' +
      'several parts. Days that are not named have none.',
  );

/** When clients may be called. */
export const callable = z
  .strictObject({
    hours,
    holidays: filled
      .optional()
      .describe('Calendar (.ics) of days without calls, relative to this file. Default: none.'),
    closed: z
      .enum(['warn', 'skip'])
      .default('warn')
      .describe(
        'What becomes of a client who may not be called when the run begins: warn: sent, with a remark; skip: left ' +
          'out, and put among the rejects to be imported later. Default: warn.',
      ),
  })
  .meta({ id: 'callable' })
  .describe('When clients may be called, by their time zone.');

const age = z.string().transform((text, context) => {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  context.addIssue({ code: 'custom', message: 'write a number and a unit: 12h, 30d, 4w or 1y.' });
  return z.NEVER;
});

/** How old a lead may be. */
export const fresh = z
  .strictObject({
    column: columnName,
    transform: transforms.optional().describe('What is done with the cell, such as date.'),
    maxAge: age.describe('How old a row may be, such as 30d: h, d, w or y.'),
    old: z
      .enum(['skip', 'reject', 'warn'])
      .default('skip')
      .describe(
        'What becomes of a row that is older, or whose age the cell does not say: skip; reject; warn: sent, with a ' +
          'remark. Default: skip.',
      ),
  })
  .meta({ id: 'fresh' })
  .describe('How old a row may be when the run begins, by the date in a column.');

export type CallableSpec = z.output<typeof callable>;
export type FreshSpec = z.output<typeof fresh>;
