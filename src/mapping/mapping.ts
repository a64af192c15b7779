import { z } from 'zod';
import { MODE_TRAITS, type Mode, MODES } from '../core/mode.js';
import { type PlacedDocument, type Path, pathText } from '../config/document.js';
import {
  checkDocument,
  type Wording,
  refuseOtherFile,
  keysAt,
  describedSchema,
} from '../config/check-document.js';
import {
  callback,
  changedClient,
  clientWithStatuses,
  createdClient,
  identifiedClient,
  comparedPhones,
} from './schema/client.js';
import {
  callable,
  fresh,
  checks,
  duplicatesByAny,
  duplicatesBySync,
  duplicatesOverTime,
  checkDelta,
  delta,
  deltaWithCampaign,
  campaign,
  report,
  sameCampaign,
  source,
} from './schema/rules.js';
import { blank, flag, value, where } from './schema/value.js';
import { QUALITY_PARTS, type QualityPart } from '../core/quality.js';

/** A mapping file that has been checked. */
export interface CheckedMapping {
  readonly mapping: Mapping;
  /** The file, without what is ignored. */
  readonly document: PlacedDocument;
  /** Whether the mapping was written for another mode. */
  readonly borrowed: boolean;
}

const ownMode = z.looseObject({ mode: z.enum(MODES).default('create') });

/**
 * Checks a mapping file against its mode, or against another one that is wanted. In its own mode a mapping has no part
 * that is not used, lest somebody believe that it is sent. What it has for its own mode alone is ignored when another
 * one is wanted, so that clients can be enqueued or deleted by the mapping that created them.
 * @throws ConfigurationError with every mistake; of a mode that does not exist no other, since nobody can tell them
 */
export function checkMapping(document: PlacedDocument, wanted?: Mode): CheckedMapping {
  refuseOtherFile(document, 'mapping');
  const own = checkDocument(document, ownMode).mode;
  const mode = wanted ?? own;
  const borrowed = mode !== own;
  const suited = borrowed ? { ...document, value: suitedTo(mode, document.value) } : document;
  const schema: (typeof mappingSchemas)[Mode] = mappingSchemas[mode];
  return { mapping: checkDocument(suited, schema, modeWording(mode)), document: suited, borrowed };
}

function suitedTo(mode: Mode, written: unknown): unknown {
  const { duplicates, ...value } = withoutUnused(mode, written, []) as Record<string, unknown>;
  const { hasPhones, enqueues } = MODE_TRAITS[mode];
  const inFile = enqueues ? duplicates : withinFile(duplicates);
  const kept = hasPhones ? inFile : withoutPhones(inFile);
  return { ...value, ...(kept === undefined ? {} : { duplicates: kept }), mode };
}

/** A rule of duplicates as a mode has it whose rows are not compared with earlier runs. */
function withinFile(duplicates: unknown): unknown {
  if (typeof duplicates !== 'object' || duplicates === null || !('within' in duplicates))
    return duplicates;
  const { within: _, ...kept } = duplicates;
  return kept;
}

/** A rule of duplicates as a mode has it that sends no phones; `undefined` where nothing is left of it. */
function withoutPhones(duplicates: unknown): unknown {
  if (typeof duplicates !== 'object' || duplicates === null || !('by' in duplicates))
    return duplicates;
  const { by } = duplicates;
  if (by === 'phone') return undefined;
  if (!Array.isArray(by)) return duplicates;
  const others = by.filter((kind) => kind !== 'phone');
  return others.length === 0 ? undefined : { ...duplicates, by: others };
}

/** Leaves out what other modes know and this one does not; what no mode knows is a mistake, and stays. */
function withoutUnused(mode: Mode, value: unknown, path: Path): unknown {
  if (Array.isArray(value)) {
    return value.map((inner, index) => withoutUnused(mode, inner, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return value;
  const used = keysAt(mappingSchemas[mode], path);
  const known = keysAt(mappingSchema, path);
  const kept = Object.entries(value).filter(([key]) => used.includes(key) || !known.includes(key));
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutUnused(mode, inner, [...path, key])]),
  );
}

type Issue = Parameters<Wording>[0];
type Words = ReturnType<Wording>;

/** A part of the mapping as such: at the top, in `client` or `callback`, or the status of a contact. */
const PART = /^(?:(?:client|callback)\.)?\w+(?:\[\d+\]\.active)?$/;

const BY = /^duplicates\.by(?:\[\d+\])?$/;

/** Says of a mistake that the mode is the reason for it, where it is. */
function modeWording(mode: Mode): Wording {
  return (issue, path, hint) => {
    const part = pathText(path);
    if (issue.code === 'unrecognized_keys') return notUsed(mode, path);
    if (issue.code === 'invalid_value' && BY.test(part) && issue.input === 'phone')
      return [`mode ${mode} sends no phones to compare.`, 'Use sync or none.'];
    if (mode === 'enqueue' && issue.code === 'custom' && part === 'duplicates.by')
      return [
        `mode ${mode} sends no phones to compare.`,
        'Name them, such as phones: [Mobile], or use sync or none.',
      ];
    if (issue.input === undefined && PART.test(part)) {
      return [`mode ${mode} needs ${part}.`, keysHint(mode, issue, path) ?? hint];
    }
    return mode === 'contacts' ? bareContact(issue, part) : undefined;
  };
}

/** A part that other modes have. Says what the mode uses in its place, and, where they are few, who uses the part. */
function notUsed(mode: Mode, path: Path): Words {
  const above = path.slice(0, -1);
  const keysOf = (of: Mode): string[] => keysAt(mappingSchemas[of], above);
  const users = MODES.filter((other) => keysOf(other).includes(String(path.at(-1))));
  if (users.length === 0) return undefined;
  const used = keysOf(mode).filter((key) => key !== '$schema');
  const place = above.length === 0 ? 'It' : `Of ${pathText(above)} it`;
  const others = users.length > FEW ? '' : ` It belongs to: ${users.join(', ')}.`;
  return [
    `mode ${mode} does not use ${pathText(path)}.${others}`,
    `${place} uses: ${used.join(', ')}.`,
  ];
}

/** So many modes can be named without wearying anybody. */
const FEW = 3;

/** Of a whole section that is missing, what it holds. */
function keysHint(mode: Mode, issue: Issue, path: Path): string | undefined {
  if (issue.code !== 'invalid_type' || issue.expected !== 'object') return undefined;
  return `It holds: ${keysAt(mappingSchemas[mode], path).join(', ')}.`;
}

/** The name of a column alone, as in other modes. */
function bareContact(issue: Issue, part: string): Words {
  const { input } = issue;
  return issue.code === 'invalid_type' && typeof input === 'string' && /\[\d+\]$/.test(part)
    ? [`mode contacts needs ${part}.active.`, `Write { column: ${input}, active: … }.`]
    : undefined;
}

/** JSON Schema of a mapping file. */
export const mappingJsonSchema = (): Record<string, unknown> =>
  describedSchema(
    mappingSchema,
    'cardline mapping',
    new URL('./data/mapping-keys.tsv', import.meta.url),
  );

/** What a mapping of every mode may have. */
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

/** How the score of a list is made up. */
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
const mappingSchemas = {
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
