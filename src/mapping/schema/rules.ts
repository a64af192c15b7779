import { z } from 'zod';
import { columnName, filled } from '../../config/scalar.js';
import {
  DEFAULT_DAYS,
  DUPLICATE_KINDS,
  type DuplicateKind,
  type DuplicateRule,
} from '../../core/duplicates.js';
import { addMistakes, transforms } from './value.js';
import { parseDuration } from '../../core/time.js';
import { parseWeek } from '../../calling/week-hours.js';

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
    .describe('How many data rows the list has.')
    .optional(),
  invalid: columnName.describe('Rows whose value in this column is wrong.').optional(),
  empty: columnName.describe('Rows whose cell in this column is empty.').optional(),
  rejected: ANY.describe('Rows that are rejected.').optional(),
  duplicates: z
    .enum(['sync', 'phone'])
    .describe('Rows that repeat others by their identifiers, or by a phone.')
    .optional(),
  suppressed: ANY.describe('Rows with a phone that must not be called.').optional(),
  unchanged: ANY.describe(
    'Rows that change nothing. Known at the end alone: with "else: warn".',
  ).optional(),
  timeZone: z.literal('ambiguous').describe('Rows whose time zone is not sure.').optional(),
} as const;

const SUBJECTS = Object.keys(subjects) as readonly (keyof typeof subjects)[];

const check = z.strictObject({ ...subjects, max, else: otherwise }).check((context) => {
  const written = context.value;
  const named = SUBJECTS.filter((key) => written[key] !== undefined);
  if (named.length !== 1) addMistakes([`a check has one of ${SUBJECTS.join(', ')}.`], context);
  if (written.unchanged && written.else === 'stop')
    addMistakes(['what is unchanged is known at the end alone. Write "else: warn".'], context);
});

/** What must hold of a list. */
export const checks = z
  .array(check)
  .min(1)
  .describe(
    'What must hold of the list as a whole. With "else: stop" it is checked before anything is sent.',
  );

export type CheckSpec = z.output<typeof check>;

const list = filled
  .optional()
  .describe(
    'Name of the list: files of one list follow each other, whatever they are called. Default: the path of this file.',
  );

/** Only rows that have changed since they were sent. */
export const delta = z
  .strictObject({ list })
  .meta({ id: 'delta' })
  .describe('Only rows are sent that have changed since they were sent. Default: all rows are.');

const maxMissing = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^(?:100|\d{1,2}(?:\.\d+)?)%$/, 'it must be a number, or a percentage such as 10%.'),
]);

/** The same where clients are added to a campaign. */
export const deltaWithCampaign = z
  .strictObject({
    list,
    missing: z
      .enum(['keep', 'dequeue'])
      .optional()
      .describe(
        'What becomes of clients of the last list that are not in this one: keep: nothing; dequeue: their call ' +
          'applications are removed from the campaign. Default: keep.',
      ),
    maxMissing: maxMissing
      .optional()
      .describe(
        'Where more clients of the last list are missing, nothing is sent at all: a number, or a percentage of that ' +
          'list. Default: 10%.',
      ),
  })
  .meta({ id: 'deltaWithCampaign' })
  .describe('Only rows are sent that have changed since they were sent. Default: all rows are.');

/** A client has to have one row, by whose last word it is known. */
export function checkDelta(
  context: z.core.ParsePayload<{ delta?: unknown; duplicates: { by: unknown } }>,
): void {
  const { delta: wanted, duplicates } = context.value;
  const by = [duplicates.by].flat();
  if (wanted === undefined || by.includes('sync')) return;
  context.issues.push({
    code: 'custom',
    path: ['duplicates', 'by'],
    message: '"delta" compares clients by their identifiers: it needs sync here.',
    input: duplicates.by,
  });
}

export type DeltaWithCampaign = z.output<typeof deltaWithCampaign>;

const RULES = {
  sync: 'same identifiers',
  phone: 'any phone the same',
} as const satisfies Record<DuplicateKind, string>;

const MAX_DAYS = 3660;

/** What belongs beside `within: runs`. */
const OF_RUNS = ['days', 'campaign'] as const;

const keep = z
  .enum(['first', 'last'])
  .optional()
  .describe('Which row of the file is sent: the first one, or the last. Default: first.');

const ofRuns = {
  days: z
    .int()
    .min(1)
    .max(MAX_DAYS)
    .optional()
    .describe(`For how many days rows of earlier runs count. Default: ${DEFAULT_DAYS}.`),
  campaign: z
    .enum(['same', 'any'])
    .optional()
    .describe('Which earlier runs count: those with the same campaign, or any. Default: same.'),
} as const;

type Usual = 'sync' | 'none';

/** What makes a row a duplicate where rows have no phones. */
export const duplicatesBySync = (usual: Usual) =>
  z
    .strictObject({ by: bySync(usual), within: withinFile, keep })
    .prefault({})
    .describe('What makes a row a duplicate, which is then skipped.');

/** What makes a row a duplicate. */
export const duplicatesByAny = (usual: Usual) =>
  z
    .strictObject({ by: byAny(usual), within: withinFile, keep })
    .prefault({})
    .describe('What makes a row a duplicate, which is then skipped.');

/** The same where rows can be compared with those that earlier runs created or enqueued. */
export const duplicatesOverTime = (usual: Usual) =>
  z
    .strictObject({ by: byAny(usual), within, ...ofRuns, keep })
    .check((context) => {
      const { value } = context;
      if (value.within === 'runs') return;
      for (const name of OF_RUNS)
        if (value[name] !== undefined)
          addMistakes([`"${name}" belongs beside "within: runs".`], context);
    })
    .prefault({})
    .describe('What makes a row a duplicate, which is then skipped.');

const withinFile = z
  .enum(['file'])
  .optional()
  .describe('Rows are compared with the others of the import.');

const within = z
  .enum(['file', 'runs'])
  .optional()
  .describe(
    'file: rows are compared with the others of the import; runs: also with those that earlier runs created or ' +
      'enqueued. Default: file.',
  );

const bySync = (usual: Usual) =>
  z
    .union([z.enum(['sync', 'none']), z.array(z.enum(['sync'])).min(1)])
    .default(usual)
    .describe(
      `${rulesOf(['sync'])}; none: duplicates are sent. Several are a list. Default: ${usual}.`,
    );

const byAny = (usual: Usual) =>
  z
    .union([z.enum(['sync', 'phone', 'none']), z.array(z.enum(DUPLICATE_KINDS)).min(1)])
    .default(usual)
    .describe(
      `${rulesOf(DUPLICATE_KINDS)}; none: duplicates are sent. Several are a list. Default: ${usual}.`,
    );

const rulesOf = (kinds: readonly DuplicateKind[]): string =>
  kinds.map((kind) => `${kind}: ${RULES[kind]}`).join('; ');

/** The rule with all that it leaves to its defaults. */
export function duplicateRule(
  written: z.output<ReturnType<typeof duplicatesOverTime>>,
): DuplicateRule {
  const { by, within, days, campaign, keep } = written;
  const kinds: readonly (DuplicateKind | 'none')[] = typeof by === 'string' ? [by] : by;
  return {
    by: DUPLICATE_KINDS.filter((kind) => kinds.includes(kind)),
    within: within ?? 'file',
    days: days ?? DEFAULT_DAYS,
    campaign: campaign ?? 'same',
    keep: keep ?? 'first',
  };
}

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

/* Sections that have the same form in every mode that has them. */

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
