import { z } from 'zod';
import { columnName } from '../../config/scalar.js';

const PERCENT = /^(\d+(?:\.\d+)?)\s*%$/;

const max = z
  .union([z.int().min(0), z.string()])
  .transform((written, context) => {
    if (typeof written === 'number') return { count: written };
    const percent = Number(PERCENT.exec(written.trim())?.[1] ?? NaN);
    if (percent <= 100) return { percent };
    context.addIssue({ code: 'custom', message: 'write a number of rows, or a share such as 2%.' });
    return z.NEVER;
  })
  .default({ count: 0 })
  .describe('How many rows may be so: a number, or a share of all rows such as 2%. Default: 0.');

const otherwise = z
  .enum(['stop', 'warn'])
  .default('warn')
  .describe(
    'Where it does not hold: stop: nothing is sent, and the command ends with 64; warn. Default: warn.',
  );

const ANY = z.literal('any');

/** What a check counts, by the key that says so. Each has one. */
const subjects = {
  rows: z
    .strictObject({
      min: z.int().min(0).optional().describe('The fewest rows that a list may have.'),
      max: z.int().min(0).optional().describe('The most.'),
    })
    .refine((range) => range.min !== undefined || range.max !== undefined, 'give "min" or "max".')
    .describe('How many data rows the list has.'),
  invalid: columnName.describe('Rows whose value in this column is wrong.'),
  empty: columnName.describe('Rows whose cell in this column is empty.'),
  rejected: ANY.describe('Rows that are rejected.'),
  duplicates: z
    .enum(['sync', 'phone'])
    .describe('Rows that repeat others by their identifiers, or by a phone.'),
  suppressed: ANY.describe('Rows with a phone that must not be called.'),
  unchanged: ANY.describe('Rows that change nothing. Known at the end alone: with "else: warn".'),
  timeZone: z.literal('ambiguous').describe('Rows whose time zone is not sure.'),
} as const;

export type CheckSubject = keyof typeof subjects;
const SUBJECTS = Object.keys(subjects) as readonly CheckSubject[];

const check = z
  .strictObject({
    rows: subjects.rows.optional(),
    invalid: subjects.invalid.optional(),
    empty: subjects.empty.optional(),
    rejected: subjects.rejected.optional(),
    duplicates: subjects.duplicates.optional(),
    suppressed: subjects.suppressed.optional(),
    unchanged: subjects.unchanged.optional(),
    timeZone: subjects.timeZone.optional(),
    max,
    else: otherwise,
  })
  .check((context) => {
    const written = context.value;
    const named = SUBJECTS.filter((key) => written[key] !== undefined);
    const report = (message: string): void => {
      context.issues.push({ code: 'custom', message, input: written });
    };
    if (named.length !== 1) report(`a check has one of ${SUBJECTS.join(', ')}.`);
    if (written.unchanged && written.else === 'stop')
      report('what is unchanged is known at the end alone. Write "else: warn".');
  });

/** What must hold of a list. */
export const checks = z
  .array(check)
  .min(1)
  .describe(
    'What must hold of the list as a whole. With "else: stop" it is checked before anything is sent.',
  );

export type CheckSpec = z.output<typeof check>;
