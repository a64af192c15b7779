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
import { parseWeek } from '../../calling/hours.js';

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
  .default({ count: 0 });

const otherwise = z.enum(['stop', 'warn']).default('warn');

const ANY = z.literal('any');

/** What a check counts, by the key that says so. Each has one. */
const subjects = {
  rows: z
    .strictObject({
      min: z.int().min(0).optional(),
      max: z.int().min(0).optional(),
    })
    .refine((range) => range.min !== undefined || range.max !== undefined, 'give "min" or "max".')
    .optional(),
  invalid: columnName.optional(),
  empty: columnName.optional(),
  rejected: ANY.optional(),
  duplicates: z.enum(['sync', 'phone']).optional(),
  suppressed: ANY.optional(),
  unchanged: ANY.optional(),
  timeZone: z.literal('ambiguous').optional(),
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
export const checks = z.array(check).min(1);

export type CheckSpec = z.output<typeof check>;

const list = filled.optional();

/** Only rows that have changed since they were sent. */
export const delta = z.strictObject({ list }).meta({ id: 'delta' });

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
    missing: z.enum(['keep', 'dequeue']).optional(),
    maxMissing: maxMissing.optional(),
  })
  .meta({ id: 'deltaWithCampaign' });

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

const MAX_DAYS = 3660;

/** What belongs beside `within: runs`. */
const OF_RUNS = ['days', 'campaign'] as const;

const keep = z.enum(['first', 'last']).optional();

const ofRuns = {
  days: z
    .int()
    .min(1)
    .max(MAX_DAYS)
    .optional()
    .describe(`For how many days rows of earlier runs count. Default: ${DEFAULT_DAYS}.`),
  campaign: z.enum(['same', 'any']).optional(),
} as const;

type Usual = 'sync' | 'none';

const bySync = z.union([z.enum(['sync', 'none']), z.array(z.enum(['sync'])).min(1)]);
const byAny = z.union([z.enum(['sync', 'phone', 'none']), z.array(z.enum(DUPLICATE_KINDS)).min(1)]);
const withinFile = z
  .enum(['file'])
  .optional()
  .describe('Rows are compared with the others of the import.');

/** What makes a row a duplicate where rows have no phones. */
export const duplicatesBySync = (usual: Usual) =>
  z.strictObject({ by: bySync.default(usual), within: withinFile, keep }).prefault({});

/** What makes a row a duplicate. */
export const duplicatesByAny = (usual: Usual) =>
  z.strictObject({ by: byAny.default(usual), within: withinFile, keep }).prefault({});

/** The same where rows can be compared with those that earlier runs created or enqueued. */
export const duplicatesOverTime = z
  .strictObject({
    by: byAny.default('sync'),
    within: z.enum(['file', 'runs']).optional(),
    ...ofRuns,
    keep,
  })
  .check((context) => {
    const { value } = context;
    if (value.within === 'runs') return;
    for (const name of OF_RUNS)
      if (value[name] !== undefined)
        addMistakes([`"${name}" belongs beside "within: runs".`], context);
  })
  .prefault({});

/** The rule with all that it leaves to its defaults. */
export function duplicateRule(written: z.output<typeof duplicatesOverTime>): DuplicateRule {
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
  });

/** When clients may be called. */
export const callable = z
  .strictObject({
    hours,
    holidays: filled.optional(),
    closed: z.enum(['warn', 'skip']).default('warn'),
  })
  .meta({ id: 'callable' });

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
    transform: transforms.optional(),
    maxAge: age,
    old: z.enum(['skip', 'reject', 'warn']).default('skip'),
  })
  .meta({ id: 'fresh' });

export type CallableSpec = z.output<typeof callable>;
export type FreshSpec = z.output<typeof fresh>;

/* Sections that have the same form in every mode that has them. */

const until = z
  .strictObject({
    column: columnName,
    is: z.literal('empty').optional(),
    startsWith: filled.optional(),
  })
  .refine(
    ({ is, startsWith }) => (is === undefined) !== (startsWith === undefined),
    'give either "is: empty" or "startsWith".',
  )
  .optional()
  .meta({ id: 'until' });

/** Which rows at the end of a table are left out. */
export type Until = NonNullable<z.output<typeof until>>;

export const source = z
  .strictObject({
    sheet: z.union([z.string().min(1), z.int().min(1)]).optional(),
    allSheets: z.boolean().optional(),
    headerRow: z.union([z.int().min(1), z.literal('none')]).optional(),
    until,
    encoding: z.string().min(1).optional(),
    delimiter: z
      .string()
      .refine(
        (text) => (text.length > 0 && text.length <= 8) || text === 'tab' || text === 'auto',
        'it must be one to eight characters, "tab" or "auto".',
      )
      .optional(),
  })
  .meta({ id: 'source' });

/** What the reports of a run show. */
export const report = z
  .strictObject({
    show: z.array(z.string().min(1)).min(1),
  })
  .meta({ id: 'report' });

const whichCampaign = {
  id: z.int().min(1).optional(),
  name: z.string().min(1).optional(),
} as const;

const ID_OR_NAME = 'give either the "id" or the "name" of the campaign.';

function isOne({ id, name }: { id?: unknown; name?: unknown }): boolean {
  return id === undefined || name === undefined;
}

/** The campaign that clients are added to. */
export const campaign = z
  .strictObject({
    ...whichCampaign,
    maxCallCount: z.int().min(1).optional(),
    disableDuplicatePhonesValidation: z.boolean().optional(),
  })
  .refine(isOne, ID_OR_NAME)
  .meta({ id: 'campaign' });

/** The campaign that something is done in. */
export const sameCampaign = z
  .strictObject(whichCampaign)
  .refine(isOne, ID_OR_NAME)
  .meta({ id: 'sameCampaign' });

export type Campaign = z.output<typeof campaign>;
