import { columnName, filled, scalar, someText } from '../config/document.js';
import { z } from 'zod';
import type { Mode } from '../core/outcome.js';
import { QUALITY_PARTS, type QualityPart } from '../core/quality.js';
import { map, isBare, TRANSFORM_NAMES, transformOptions } from './transforms/registry.js';
import {
  DEFAULT_DAYS,
  DUPLICATE_KINDS,
  type DuplicateKind,
  type DuplicateRule,
} from '../core/duplicates.js';
import { parseDuration } from '../core/time.js';
import { parseWeek } from '../calling/hours.js';
import { ADDRESS_TYPES, PHONE_TYPES } from '../core/client.js';

/** Words that mean nothing. */
export const blank = z.array(scalar).min(1);

const part = z.int().min(1).optional();

const bare = z.enum(TRANSFORM_NAMES.filter(isBare));

const withOptions = z
  .strictObject(transformOptions)
  .partial()
  .extend({ part })
  .refine(
    (step) => namesOf(step).length === 1,
    'one step does one thing: write each transform as an entry of its own.',
  )
  .refine(
    (step) => step.part === undefined || step.split !== undefined,
    '"part" belongs beside "split".',
  );

const step = z.union([bare, withOptions]).meta({ id: 'transform' });

/** One step of a transform, as written. */
export const transform: TransformSchema = step;

/** One step or several, in order. */
export const transforms = z.union([transform, z.array(transform)]);

/** Where a value comes from, and what is done with it on its way. Order: split, transform, map, default. */
export const valueShape = {
  value: scalar.optional(),
  column: columnName.optional(),
  columns: z.array(columnName).min(1).optional(),
  join: z.string().optional(),
  template: filled.optional(),
  split: someText.optional(),
  part,
  transform: transforms.optional(),
  map: map.options.optional(),
  default: scalar.optional(),
  required: z.boolean().optional(),
  blank: blank.optional(),
  invalid: z.enum(['reject', 'drop']).optional(),
} as const;

const SOURCES = ['value', 'column', 'columns', 'template'] as const;

interface Written {
  readonly [key: string]: unknown;
}

/** What zod cannot say by keys alone; in plain words. */
function valueMistakes(written: Written): string[] {
  const sources = SOURCES.filter((key) => written[key] !== undefined);
  const mistakes: string[] = [];
  if (sources.length === 0) {
    mistakes.push(
      'it does not say where the value comes from. Add column, columns, template or value.',
    );
  }
  if (sources.length > 1) mistakes.push(`it names ${sources.join(' and ')}. Keep one of them.`);
  if (written['join'] !== undefined && written['columns'] === undefined) {
    mistakes.push('"join" belongs beside "columns".');
  }
  if (written['part'] !== undefined && written['split'] === undefined) {
    mistakes.push('"part" belongs beside "split".');
  }
  if (written['value'] !== undefined && written['blank'] !== undefined) {
    mistakes.push('"blank" belongs beside a column.');
  }
  return mistakes;
}

function checkValue(context: z.core.ParsePayload<Written>): void {
  addMistakes(valueMistakes(context.value), context);
}

function addMistakes(mistakes: readonly string[], context: z.core.ParsePayload): void {
  for (const message of mistakes)
    context.issues.push({ code: 'custom', message, input: context.value });
}

const objectOfValue = z.strictObject(valueShape).check(checkValue).meta({ id: 'valueObject' });
type ObjectOfValue = typeof objectOfValue;

/** It has a name, so that declarations of types name it: spelled out wherever it is used, they are a megabyte. */
interface ValueObjectSchema extends ObjectOfValue {}
const valueObject: ValueObjectSchema = objectOfValue;

/** A value: a bare string names a column. */
export const value = z.union([columnName, valueObject]).meta({ id: 'value' });

export type ValueObject = z.output<typeof valueObject>;
export type ValueSpec = z.output<typeof value>;

function wordOrValue<const T extends readonly string[]>(words: T) {
  return z.union([z.enum(words), valueObject]);
}

const flag = z.union([z.boolean(), columnName, valueObject]);
export type FlagSpec = z.output<typeof flag>;

type Step = typeof step;

/** Named, as "valueObject" is. */
interface TransformSchema extends Step {}
export type TransformStep = z.output<typeof transform>;

function namesOf(step: object): string[] {
  return Object.entries(step)
    .filter(([key, options]) => key !== 'part' && options !== undefined)
    .map(([key]) => key);
}

const OPERATORS = ['in', 'notIn', 'equals', 'notEquals', 'matches', 'empty'] as const;
const GROUPS = ['all', 'any', 'not'] as const;

/** A condition on a row. Cells are compared without white space at their ends; every operator given must hold. */
export interface Where {
  readonly column?: string | undefined;
  readonly in?: readonly (string | number | boolean)[] | undefined;
  readonly notIn?: readonly (string | number | boolean)[] | undefined;
  readonly equals?: string | number | boolean | undefined;
  readonly notEquals?: string | number | boolean | undefined;
  readonly matches?: string | undefined;
  readonly empty?: boolean | undefined;
  readonly all?: readonly Where[] | undefined;
  readonly any?: readonly Where[] | undefined;
  readonly not?: Where | undefined;
}

export const where: z.ZodType<Where> = z
  .strictObject({
    column: columnName.optional(),
    in: z.array(scalar).min(1).optional(),
    notIn: z.array(scalar).min(1).optional(),
    equals: scalar.optional(),
    notEquals: scalar.optional(),
    matches: someText.optional(),
    empty: z.boolean().optional(),
    get all() {
      return z.array(where).min(1).optional();
    },
    get any() {
      return z.array(where).min(1).optional();
    },
    get not() {
      return where.optional();
    },
  })
  .check((context) => {
    addMistakes(whereMistakes(context.value), context);
  })
  .meta({ id: 'where' });

function whereMistakes(written: Where): string[] {
  const operators = OPERATORS.filter((key) => written[key] !== undefined);
  const groups = GROUPS.filter((key) => written[key] !== undefined);
  if (groups.length > 0) {
    return groups.length > 1 || operators.length > 0 || written.column !== undefined
      ? [`"${groups[0] ?? ''}" stands alone. Put the other conditions into a list below "all".`]
      : [];
  }
  if (written.column === undefined) return ['it names no column. Add "column".'];
  return operators.length === 0
    ? [`it does not say what is asked of the column. Add one of: ${OPERATORS.join(', ')}.`]
    : [];
}

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

const checks = z.array(check).min(1);

export type CheckSpec = z.output<typeof check>;

const list = filled.optional();

/** Only rows that have changed since they were sent. */
const delta = z.strictObject({ list }).meta({ id: 'delta' });

const maxMissing = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^(?:100|\d{1,2}(?:\.\d+)?)%$/, 'it must be a number, or a percentage such as 10%.'),
]);

/** The same where clients are added to a campaign. */
const deltaWithCampaign = z
  .strictObject({
    list,
    missing: z.enum(['keep', 'dequeue']).optional(),
    maxMissing: maxMissing.optional(),
  })
  .meta({ id: 'deltaWithCampaign' });

/** A client has to have one row, by whose last word it is known. */
function checkDelta(
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
const duplicatesBySync = (usual: Usual) =>
  z.strictObject({ by: bySync.default(usual), within: withinFile, keep }).prefault({});

const duplicatesByAny = (usual: Usual) =>
  z.strictObject({ by: byAny.default(usual), within: withinFile, keep }).prefault({});

/** The same where rows can be compared with those that earlier runs created or enqueued. */
const duplicatesOverTime = z
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

const callable = z
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

const fresh = z
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

const report = z
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

const campaign = z
  .strictObject({
    ...whichCampaign,
    maxCallCount: z.int().min(1).optional(),
    disableDuplicatePhonesValidation: z.boolean().optional(),
  })
  .refine(isOne, ID_OR_NAME)
  .meta({ id: 'campaign' });

const sameCampaign = z
  .strictObject(whichCampaign)
  .refine(isOne, ID_OR_NAME)
  .meta({ id: 'sameCampaign' });

export type Campaign = z.output<typeof campaign>;

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

const clientZone = z.union([columnName, zoneObject]);

/** The section `client` of the modes that create a client. */
const createdClient = z
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

const changedClient = z.strictObject({
  fields: z.record(z.string(), value),
  phones: z.array(addedPhone).optional(),
  emails: z.array(z.union([columnName, addedEmail])).optional(),
  addresses: z.array(addedAddress).optional(),
});

const identifyingFields = z.record(z.string(), value);

/** The section `client` of the modes that want to know no more than which client is meant. */
const identifiedClient = z
  .strictObject({ fields: identifyingFields })
  .meta({ id: 'identifiedClient' });

const KINDS = ['phones', 'emails', 'addresses'] as const;

/** Entries whose status is changed. */
const status = valueWith({ active: flag }).meta({ id: 'contactStatus' });

const clientWithStatuses = z
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

/** Phones that are compared with lists of numbers, and not sent. */
const comparedPhones = z
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
const callback = z.strictObject({
  name: value,
  description: value,
  phone: value,
  operatorId: value,
  callAt: z.union([columnName, callAt]),
  callAutomatically: flag,
});

export type CallbackSpec = z.output<typeof callback>;
export type CallAtSpec = CallbackSpec['callAt'];

type ClientZoneSpec = z.output<typeof clientZone>;
export type ZoneByPhoneSpec = Exclude<ClientZoneSpec, string>;

/** Whether the zone is found by the phone where the column has none. */
export function isFoundByPhone(spec: ClientZoneSpec): spec is ZoneByPhoneSpec {
  return typeof spec === 'object' && spec.phone === true;
}

const common = {
  $schema: z.string().optional(),
  source: source.optional(),
  blank: blank.optional(),
  where: where.optional(),
  uuid: value.optional(),
  checks: checks.optional(),
  report: report.optional(),
} as const;

const byAnything = duplicatesByAny('sync');
const byIdentifiers = duplicatesBySync('sync');

const weight = z.number().min(0).max(100).optional();

const weights = z.strictObject({
  phones: weightOf('phones'),
  unique: weightOf('unique'),
  suppressed: weightOf('suppressed'),
  zone: weightOf('zone'),
  fresh: weightOf('fresh'),
  complete: weightOf('complete'),
} satisfies Record<QualityPart, z.ZodType>);

const quality = z.strictObject({ weights });

const creating = {
  ...common,
  recovery: z.boolean().optional(),
  client: createdClient,
  callable: callable.optional(),
  fresh: fresh.optional(),
  quality: quality.optional(),
  duplicates: duplicatesOverTime,
  campaign: campaign.optional(),
  delta: deltaWithCampaign.optional(),
} as const;

/** A mapping file, by its mode: how the columns of one kind of spreadsheet become what is sent for each row. */
export const mappingSchemas = {
  create: z
    .strictObject({
      mode: z.literal('create').default('create'),
      ...creating,
    })
    .check(checkDelta),
  upsert: z
    .strictObject({
      mode: z.literal('upsert'),
      ...creating,
    })
    .check(checkDelta),
  update: z
    .strictObject({
      mode: z.literal('update'),
      ...common,
      client: changedClient,
      fresh: fresh.optional(),
      quality: quality.optional(),
      duplicates: byAnything,
      delta: delta.optional(),
    })
    .check(checkDelta),
  enqueue: z
    .strictObject({
      mode: z.literal('enqueue'),
      ...common,
      client: identifiedClient,
      phones: comparedPhones.optional(),
      fresh: fresh.optional(),
      duplicates: duplicatesOverTime,
      campaign: campaign.optional(),
    })
    .check(({ value, issues }) => {
      if (value.phones || ![value.duplicates.by].flat().includes('phone')) return;
      issues.push({ code: 'custom', path: ['duplicates', 'by'], input: value.duplicates.by });
    }),
  dequeue: z.strictObject({
    mode: z.literal('dequeue'),
    ...common,
    client: identifiedClient,
    cancelCallbacks: flag.optional(),
    duplicates: byIdentifiers,
    campaign: sameCampaign.optional(),
  }),
  contacts: z.strictObject({
    mode: z.literal('contacts'),
    ...common,
    client: clientWithStatuses,
    duplicates: duplicatesByAny('none'),
  }),
  callbacks: z.strictObject({
    mode: z.literal('callbacks'),
    ...common,
    client: identifiedClient,
    callback,
    duplicates: duplicatesBySync('none'),
    campaign: sameCampaign.optional(),
  }),
  rekey: z.strictObject({
    mode: z.literal('rekey'),
    ...common,
    clientId: value,
    client: identifiedClient,
    duplicates: byIdentifiers,
  }),
  delete: z.strictObject({
    mode: z.literal('delete'),
    ...common,
    client: identifiedClient,
    duplicates: byIdentifiers,
  }),
} as const satisfies Record<Mode, z.ZodType>;

/** A mapping file of any mode. */
export const mappingSchema = z.union(Object.values(mappingSchemas));

/** A mapping file that is right for its mode. */
export type Mapping = z.output<(typeof mappingSchemas)[Mode]>;

function weightOf(part: QualityPart) {
  const { meaning, weight: usual } = QUALITY_PARTS[part];
  return weight.describe(`${meaning} Default: ${usual}.`);
}
