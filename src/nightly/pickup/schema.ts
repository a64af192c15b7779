import { z } from 'zod';
import { filled, scalar } from '../../config/scalar.js';
import { NOTICE_KINDS } from '../notices/notice.js';
import {
  durationIn,
  type OptionTable,
  optionsWhere,
  type RunOption,
  readOption,
} from '../../options/option.js';
import { UsageError } from '../../core/errors.js';
import { parseTimeOfDay, parseWeekdays } from '../../core/hours.js';
import type { ImportRequest } from '../../run/requests.js';
import { RUN_OPTIONS, SOURCE_OPTIONS } from '../../options/run-options.js';
import { type Environment, missingText, substitute } from '../../files/placeholders.js';

/** JSON Schema (draft 7, which editors understand best) of a pickup file. */
export const pickupJsonSchema = (): Record<string, unknown> => ({
  title: 'cardline pickup',
  ...z.toJSONSchema(pickupFileSchema, { target: 'draft-7', io: 'input' }),
});

const DEFAULT_STABLE_MS = 10_000;

/** A text that is read; `mistake`: what is said where `read` finds nothing in it. */
const textAs = <T>(read: (text: string) => T | undefined, mistake: string) =>
  z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: mistake });
    return z.NEVER;
  });

/** A time such as `10s`, in milliseconds. */
const span = textAs(durationIn, 'this is no time. Write it like 90s, 15m, 2h or 30d.');

/** Name of a file beside another one. */
const sign = filled.refine(
  (text) => text.includes('{name}'),
  'it must hold {name}, which becomes the name of the file.',
);

/** When a file is whole. */
const ready = z.union([
  z.strictObject({
    stableFor: span.describe('Neither its size nor its time has changed for so long, such as 10s.'),
  }),
  z.strictObject({
    marker: sign.describe('Name of a file whose presence says so, such as "{name}.done".'),
  }),
  z.strictObject({
    manifest: sign.describe(
      'Name of a file with its SHA-256, as sha256sum writes it, such as "{name}.sha256".',
    ),
  }),
]);

const rows = z.strictObject({
  min: z.int().min(0).optional().describe('Fewest rows. Default: any.'),
  max: z.int().min(0).optional().describe('Most rows. Default: any.'),
});

/** Days such as `Mon-Fri`. */
const weekdays = textAs(parseWeekdays, 'these are no days. Write them like Mon-Fri, or Mon, Thu.');

/** A time of day such as `02:00 Europe/Moscow`. */
const timeOfDay = z.string().transform((text, context) => {
  const read = parseTimeOfDay(text);
  if (!('mistake' in read)) return read;
  context.addIssue({ code: 'custom', message: read.mistake });
  return z.NEVER;
});

const expect = z.strictObject({
  by: timeOfDay.describe('Time of day by which a file comes, such as "02:00 Europe/Moscow".'),
  days: weekdays
    .optional()
    .describe('Days on which one comes, such as Mon-Fri. Default: every day.'),
  rows: rows.optional().describe('How many rows a file has. Default: any.'),
});

const after = z.strictObject({
  good: filled
    .default('done')
    .describe('Folder for files whose rows all ended well. Default: done.'),
  bad: filled
    .default('failed')
    .describe('Folder for files that somebody has to look at. Default: failed.'),
  report: z
    .enum(['beside', 'none'])
    .default('beside')
    .describe('beside: the report, the rejects and the summary go with the file. Default: beside.'),
  keep: span
    .optional()
    .describe('How long both folders keep what was put there. Default: for good.'),
});

const own = {
  mapping: filled.describe('Mapping file, relative to this file.'),
  installation: filled.describe('Installation file, relative to this file.'),
  campaign: scalar
    .transform(String)
    .optional()
    .describe("Campaign by its id or name. Default: the mapping's."),
  'max-call-count': z
    .int()
    .min(1)
    .optional()
    .describe("Most calls to one client. Default: the mapping's."),
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
  })
  .describe('How the files are imported: mapping, installation, and options of "cardline import".');

/** How a bucket is entered. */
const s3Access = z.strictObject({
  endpoint: filled
    .optional()
    .describe('Address of the service, such as https://s3.example.com. Default: that of Amazon.'),
  region: filled.optional().describe('Region. Default: AWS_REGION, else us-east-1.'),
  keyId: filled.optional().describe('Id of the access key. Default: that of AWS_ACCESS_KEY_ID.'),
  secret: filled
    .optional()
    .describe('The access key, such as ${credential:s3}. Default: that of AWS_SECRET_ACCESS_KEY.'),
});

/** How an SFTP server is entered. */
const sftpAccess = z.strictObject({
  key: filled
    .optional()
    .describe('File of the private key. Default: the agent, and the usual ones in ~/.ssh.'),
  passphrase: filled
    .optional()
    .describe('Passphrase of the key, such as ${credential:key-passphrase}. Default: none.'),
  password: filled.optional().describe('Password, such as ${SFTP_PASSWORD}. Default: none.'),
  knownHosts: filled.optional().describe('File of the known hosts. Default: ~/.ssh/known_hosts.'),
});

/** One place from which files are taken. */
export const pickupSchema = z.strictObject({
  name: filled
    .regex(/^\w[\w.-]*$/, 'it may hold letters, digits, "-", "_" and "." alone, a letter first.')
    .describe('Name of the pickup, for people, logs and metrics.'),
  from: filled.describe(
    'Folder in which files arrive, relative to this file; or sftp://user@host/folder, or s3://bucket/prefix.',
  ),
  sftp: sftpAccess.optional().describe('How the SFTP server is entered. Default: as ssh does.'),
  s3: s3Access.optional().describe('How the bucket is entered. Default: by AWS_*.'),
  files: filled
    .refine((text) => !text.includes('/'), 'it is about names in one folder: no "/".')
    .describe('Which files: a name with * for any letters, such as leads-*.csv.'),
  ready: ready
    .default({ stableFor: DEFAULT_STABLE_MS })
    .describe('When a file is whole. Default: unchanged for 10 s.'),
  import: importOptions,
  expect: expect
    .optional()
    .describe('When a file comes, and how large it is. Default: at any time.'),
  after: after
    .prefault({})
    .describe('Where files go. Default: done and failed in the same folder.'),
});

const kinds = z
  .array(z.enum(NOTICE_KINDS))
  .min(1)
  .describe('Which notices. Default: all but finished.')
  .default(NOTICE_KINDS.filter((kind) => kind !== 'finished'));

const webhook = z.strictObject({
  to: z.literal('webhook'),
  url: filled.describe(
    'Address that the notice is posted to; ${NAME} is replaced from the environment.',
  ),
  secret: filled.optional().describe('Key of the signature. Default: the notice is not signed.'),
  body: z
    .enum(['notice', 'slack', 'teams', 'telegram'])
    .default('notice')
    .describe('Form of the body. Default: notice, the published schema.'),
  chat: scalar.transform(String).optional().describe('Chat that Telegram posts to.'),
  on: kinds,
});

const email = z.strictObject({
  to: z.literal('email'),
  smtp: filled.describe(
    'Address of the mail server, such as smtps://user:${SMTP_PASSWORD}@mail.example.',
  ),
  from: filled.default('cardline').describe('Sender. Default: cardline.'),
  recipients: z.array(filled).min(1).describe('Whom it is sent to.'),
  on: kinds,
});

const digest = z.strictObject({
  at: timeOfDay.describe('Time of day at which it is sent, such as "07:00 Europe/Moscow".'),
});

const metrics = z.strictObject({
  listen: z
    .string()
    .regex(/^[^:\s]+:\d{1,5}$|^\[[^\]]+\]:\d{1,5}$/, 'write it like 127.0.0.1:9464.')
    .optional()
    .describe(
      'Address and port that serve /metrics and /healthz, such as 127.0.0.1:9464. Default: none.',
    ),
  file: filled
    .optional()
    .describe('File that holds the metrics, for a collector of text files. Default: none.'),
});

/** A pickup file. */
export const pickupFileSchema = z.strictObject({
  $schema: z.string().optional().describe('Where an editor finds the JSON Schema of this file.'),
  ledger: filled
    .optional()
    .describe(
      "File in which the runs are kept, relative to this file. Default: the installation's.",
    ),
  pickups: z
    .array(pickupSchema)
    .min(1)
    .refine(
      (all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
      'two pickups have the same name.',
    )
    .describe('Where files are taken from.'),
  notify: z
    .array(z.discriminatedUnion('to', [webhook, email]))
    .default([])
    .describe('Who is told. Default: nobody.'),
  digest: digest
    .optional()
    .describe('A notice a day of how all pickups stand, also when nothing came. Default: none.'),
  metrics: metrics.optional().describe('Figures for a monitoring system. Default: none.'),
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
