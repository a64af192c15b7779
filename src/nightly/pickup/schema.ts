import { z } from 'zod';
import { describedSchema, filled, scalar, textAs } from '../../config/document.js';
import { NOTICE_KINDS } from '../notices/notice.js';
import {
  durationIn,
  type OptionTable,
  optionsWhere,
  type RunOption,
  readOption,
  RUN_OPTIONS,
  SOURCE_OPTIONS,
} from '../../options/run-options.js';
import { UsageError } from '../../core/errors.js';
import { parseTimeOfDay, parseWeekdays } from '../../core/time.js';
import type { ImportRequest } from '../../run/requests.js';
import { type Environment, missingText, substitute } from '../../files/placeholders.js';

/** JSON Schema of a pickup file. */
export const pickupJsonSchema = (): Record<string, unknown> =>
  describedSchema(
    pickupFileSchema,
    'cardline pickup',
    new URL('./data/pickup-keys.tsv', import.meta.url),
  );

const DEFAULT_STABLE_MS = 10_000;

/** A time such as `10s`, in milliseconds. */
const span = textAs(durationIn, 'this is no time. Write it like 90s, 15m, 2h or 30d.');

/** Name of a file beside another one. */
const sign = filled.refine(
  (text) => text.includes('{name}'),
  'it must hold {name}, which becomes the name of the file.',
);

const ready = z.union([
  z.strictObject({ stableFor: span }),
  z.strictObject({ marker: sign }),
  z.strictObject({ manifest: sign }),
]);

/** A time of day such as `02:00 Europe/Moscow`. */
const timeOfDay = textAs(parseTimeOfDay);

const expect = z.strictObject({
  by: timeOfDay,
  days: textAs(
    parseWeekdays,
    'these are no days. Write them like Mon-Fri, or Mon, Thu.',
  ).optional(),
  rows: z
    .strictObject({ min: z.int().min(0).optional(), max: z.int().min(0).optional() })
    .optional(),
});

const after = z.strictObject({
  good: filled.default('done'),
  bad: filled.default('failed'),
  report: z.enum(['beside', 'none']).default('beside'),
  keep: span.optional(),
});

const own = {
  mapping: filled,
  installation: filled,
  campaign: scalar.transform(String).optional(),
  'max-call-count': z.int().min(1).optional(),
};

/** What the watcher decides itself, or what makes sense in front of a terminal alone. */
const NOT_HERE: ReadonlySet<string> = new Set([
  'ledger',
  'out',
  'again',
  'limit',
  'rows',
  'corrections',
  // The pickup file has them for all its pickups.
  'metricsFile',
  'metricsListen',
  // A stopped import goes on by itself, past any time of day.
  'deadline',
]);

/** The options of "cardline import", by the names of its flags. */
const importOptions = z
  .strictObject({ ...own, ...shapeOf(RUN_OPTIONS), ...shapeOf(SOURCE_OPTIONS) })
  .transform((given): PickupImport => {
    const { mapping, installation, campaign, 'max-call-count': maxCallCount, ...flags } = given;
    return {
      ...{ mapping, installation, campaign, maxCallCount },
      options: byName(RUN_OPTIONS, flags),
      source: byName(SOURCE_OPTIONS, flags),
    };
  });

const s3Access = z.strictObject({
  endpoint: filled.optional(),
  region: filled.optional(),
  keyId: filled.optional(),
  secret: filled.optional(),
});

const sftpAccess = z.strictObject({
  key: filled.optional(),
  passphrase: filled.optional(),
  password: filled.optional(),
  knownHosts: filled.optional(),
});

/** One place from which files are taken. */
export const pickupSchema = z.strictObject({
  name: filled.regex(
    /^\w[\w.-]*$/,
    'it may hold letters, digits, "-", "_" and "." alone, a letter first.',
  ),
  from: filled,
  sftp: sftpAccess.optional(),
  s3: s3Access.optional(),
  files: filled.refine((text) => !text.includes('/'), 'it is about names in one folder: no "/".'),
  ready: ready.default({ stableFor: DEFAULT_STABLE_MS }),
  import: importOptions,
  expect: expect.optional(),
  after: after.prefault({}),
});

const kinds = z
  .array(z.enum(NOTICE_KINDS))
  .min(1)
  .default(NOTICE_KINDS.filter((kind) => kind !== 'finished'));

const webhook = z.strictObject({
  to: z.literal('webhook'),
  url: filled,
  secret: filled.optional(),
  body: z.enum(['notice', 'slack', 'teams', 'telegram']).default('notice'),
  chat: scalar.transform(String).optional(),
  on: kinds,
});

const email = z.strictObject({
  to: z.literal('email'),
  smtp: filled,
  from: filled.default('cardline'),
  recipients: z.array(filled).min(1),
  on: kinds,
});

const metrics = z.strictObject({
  listen: z
    .string()
    .regex(/^[^:\s]+:\d{1,5}$|^\[[^\]]+\]:\d{1,5}$/, 'write it like 127.0.0.1:9464.')
    .optional(),
  file: filled.optional(),
});

/** A pickup file. */
export const pickupFileSchema = z.strictObject({
  $schema: z.string().optional(),
  ledger: filled.optional(),
  pickups: z
    .array(pickupSchema)
    .min(1)
    .refine(
      (all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
      'two pickups have the same name.',
    ),
  notify: z.array(z.discriminatedUnion('to', [webhook, email])).default([]),
  digest: z.strictObject({ at: timeOfDay }).optional(),
  metrics: metrics.optional(),
});

export type Pickup = z.output<typeof pickupSchema>;
export type Target = z.output<typeof pickupFileSchema>['notify'][number];
export type WebhookTarget = Extract<Target, { readonly to: 'webhook' }>;
export type EmailTarget = Extract<Target, { readonly to: 'email' }>;

/** What an import of a pickup is to do. `options` and `source` are those of the command line, by the library's names. */
interface PickupImport {
  readonly mapping: string;
  readonly installation: string;
  readonly campaign: string | undefined;
  readonly maxCallCount: number | undefined;
  readonly options: Partial<ImportRequest>;
  readonly source: NonNullable<ImportRequest['source']>;
}

function optionsHere(table: OptionTable) {
  const ofImport = optionsWhere(table, ({ help }) => help.import !== undefined);
  return ofImport.filter(([name]) => !NOT_HERE.has(name));
}

function shapeOf(table: OptionTable): Record<string, z.ZodType> {
  return Object.fromEntries(
    optionsHere(table).map(([, option]) => [option.flag, valueOf(option)] as const),
  );
}

function valueOf(option: RunOption): z.ZodType {
  return z
    .union([scalar, z.array(z.string())])
    .transform((value, context) => {
      try {
        return readOption(value, option);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        context.addIssue({ code: 'custom', message: error.message.replace(/^--\S+/, 'it') });
        return z.NEVER;
      }
    })
    .optional()
    .describe(option.help.import ?? '');
}

function byName(
  table: OptionTable,
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = optionsHere(table).flatMap(([name, { flag }]) =>
    flags[flag] === undefined ? [] : [[name, flags[flag]] as const],
  );
  return Object.fromEntries(given);
}

export type SftpAccess = z.output<typeof sftpAccess>;
export type S3Access = z.output<typeof s3Access>;

export type Secrets = Environment;

/** A text with its placeholders replaced, and what is missing for that. */
export function filledIn(
  text: string,
  secrets: Secrets,
): { readonly text: string; readonly mistake: string | undefined } {
  const { text: filled, missing } = substitute(text, secrets);
  const mistake = missingText(missing);
  return { text: filled, mistake: mistake && `this ${mistake}` };
}
