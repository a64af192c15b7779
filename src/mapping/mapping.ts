import { z } from 'zod';
import type { Mode } from '../core/mode.js';
import { callback } from './schema/callback.js';
import {
  changedClient,
  clientWithStatuses,
  createdClient,
  identifiedClient,
} from './schema/client.js';
import { callable, fresh } from './schema/callable.js';
import { checks } from './schema/checks.js';
import { comparedPhones } from './schema/contacts.js';
import { duplicatesByAny, duplicatesBySync, duplicatesOverTime } from './schema/duplicates.js';
import { campaign, report, sameCampaign, source } from './schema/sections.js';
import { checkDelta, delta, deltaWithCampaign } from './schema/delta.js';
import { blank, flag, value } from './schema/value.js';
import { where } from './schema/where.js';
import { QUALITY_PARTS, type QualityPart } from '../core/quality-parts.js';

/** What a mapping of every mode may have. */
const common = {
  $schema: z.string().optional().describe('Where an editor finds the JSON Schema of this file.'),
  source: source.optional(),
  blank: blank.optional(),
  where: where
    .optional()
    .describe('Rows for which this does not hold are skipped. Default: every row.'),
  uuid: value
    .optional()
    .describe('UUID of the row. Default: a UUIDv5 of the synchronization identifiers.'),
  checks: checks.optional(),
  report: report.optional(),
} as const;

const byAnything = duplicatesByAny('sync');
const byIdentifiers = duplicatesBySync('sync');
const overTime = duplicatesOverTime('sync');

const weight = z.number().min(0).max(100).optional();

const weights = z.strictObject({
  phones: weightOf('phones'),
  unique: weightOf('unique'),
  suppressed: weightOf('suppressed'),
  zone: weightOf('zone'),
  fresh: weightOf('fresh'),
  complete: weightOf('complete'),
} satisfies Record<QualityPart, z.ZodType>);

/** How the score of a list is made up. */
const quality = z
  .strictObject({
    weights: weights.describe(
      'What each part counts for, in relation to the others; 0: not at all.',
    ),
  })
  .describe('How the score of the list, from 0 to 100, is made up.');

const creating = {
  ...common,
  recovery: z
    .boolean()
    .optional()
    .describe('Whether a deleted client is restored when it is created again. Default: false.'),
  client: createdClient,
  callable: callable.optional(),
  fresh: fresh.optional(),
  quality: quality.optional(),
  duplicates: overTime,
  campaign: campaign.optional(),
  delta: deltaWithCampaign.optional(),
} as const;

/** A mapping file, by its mode: how the columns of one kind of spreadsheet become what is sent for each row. */
export const mappingSchemas = {
  create: z
    .strictObject({
      mode: z
        .literal('create')
        .default('create')
        .describe('Clients are created, and added to the campaign when there is one.'),
      ...creating,
    })
    .check(checkDelta),
  upsert: z
    .strictObject({
      mode: z
        .literal('upsert')
        .describe('As create; where a client exists, its fields are changed and contacts added.'),
      ...creating,
    })
    .check(checkDelta),
  update: z
    .strictObject({
      mode: z.literal('update').describe('Existing clients are changed, and get missing contacts.'),
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
      mode: z.literal('enqueue').describe('Existing clients are added to the campaign.'),
      ...common,
      client: identifiedClient,
      phones: comparedPhones.optional(),
      fresh: fresh.optional(),
      duplicates: overTime,
      campaign: campaign.optional(),
    })
    .check(({ value, issues }) => {
      if (value.phones || ![value.duplicates.by].flat().includes('phone')) return;
      issues.push({ code: 'custom', path: ['duplicates', 'by'], input: value.duplicates.by });
    }),
  dequeue: z.strictObject({
    mode: z.literal('dequeue').describe('Call applications of clients are removed.'),
    ...common,
    client: identifiedClient,
    cancelCallbacks: flag
      .optional()
      .describe(
        'Whether callbacks go with the call application: true, false, or a column. Default: false.',
      ),
    duplicates: byIdentifiers,
    campaign: sameCampaign.optional(),
  }),
  contacts: z.strictObject({
    mode: z.literal('contacts').describe('Phones, e-mail addresses and addresses get a status.'),
    ...common,
    client: clientWithStatuses,
    duplicates: duplicatesByAny('none'),
  }),
  callbacks: z.strictObject({
    mode: z.literal('callbacks').describe('Callbacks are created for clients of the campaign.'),
    ...common,
    client: identifiedClient,
    callback,
    duplicates: duplicatesBySync('none'),
    campaign: sameCampaign.optional(),
  }),
  rekey: z.strictObject({
    mode: z
      .literal('rekey')
      .describe('Clients, identified by their internal ids, get new synchronization identifiers.'),
    ...common,
    clientId: value.describe('Internal id of the client: a whole number, 1 or more.'),
    client: identifiedClient,
    duplicates: byIdentifiers,
  }),
  delete: z.strictObject({
    mode: z.literal('delete').describe('Clients are deleted.'),
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
