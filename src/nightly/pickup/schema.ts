import { z } from 'zod';
import { filled, scalar } from '../../config/scalar.js';
import { NOTICE_KINDS } from '../notices/notice.js';
import { s3Access, sftpAccess } from './access.js';
import { importOptions } from './import-options.js';
import { span, timeOfDay, weekdays } from './times.js';

const DEFAULT_STABLE_MS = 10_000;

/** When a file is whole. */
const ready = z.union([
  z.strictObject({
    stableFor: span.describe('Neither its size nor its time has changed for so long, such as 10s.'),
  }),
  z.strictObject({
    marker: filled
      .refine(
        (text) => text.includes('{name}'),
        'it must hold {name}, which becomes the name of the file.',
      )
      .describe('Name of a file whose presence says so, such as "{name}.done".'),
  }),
  z.strictObject({
    manifest: filled
      .refine(
        (text) => text.includes('{name}'),
        'it must hold {name}, which becomes the name of the file.',
      )
      .describe(
        'Name of a file with its SHA-256, as sha256sum writes it, such as "{name}.sha256".',
      ),
  }),
]);

const rows = z.strictObject({
  min: z.int().min(0).optional().describe('Fewest rows. Default: any.'),
  max: z.int().min(0).optional().describe('Most rows. Default: any.'),
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
