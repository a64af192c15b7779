import { resolve } from 'node:path';
import { z } from 'zod';
import { MODES, type Mode } from '../core/outcome.js';
import { UsageError } from '../core/errors.js';
import { defined } from '../core/text.js';
import { QUALITY_PARTS, type QualityWeights } from '../core/quality.js';
import type { CampaignSettings } from '../delivery/import.js';
import { RUN_OPTIONS, SOURCE_OPTIONS } from '../options/run-options.js';
import { keptOptions, keptSchema } from '../options/kept-options.js';
import { observationSchema } from './list.js';
import type { ImportRequest, RunOptions } from './requests.js';
import {
  headerName,
  type SourceInfo,
  type SourceOptions,
  type Corrections,
} from '../core/table.js';
import type { FileRows } from './rows.js';
import { createHash } from 'node:crypto';
import { type Installation, syncFields } from '../installation/installation.js';
import { DEFAULT_RECOVERY } from '../installation/installation.js';
import type { RunIdentity } from '../core/ledger.js';

const place = z.object({
  installation: z.string(),
  /** Whether another address was used than the installation's, such as that of the embedded sandbox. */
  sandbox: z.boolean(),
  /** Whether that address is of another machine, where a real contact center may be. */
  remote: z.boolean().optional(),
});

const weightsSchema = z.custom<QualityWeights>(
  (value) =>
    z.record(z.string(), z.number()).safeParse(value).success &&
    Object.keys(value as object).every((part) => part in QUALITY_PARTS),
);

const options = keptSchema(RUN_OPTIONS, 'settings');

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** How the columns that a mapping chooses for the report are found again in each input. Kept with the run. */
const shownColumnsSchema = z.object({
  names: z.array(z.string()),
  inputs: z.array(
    z.object({
      path: z.string(),
      /** Shows whether the file was changed since. */
      mark: z.string().nullable(),
      source: z.custom<SourceOptions>(isObject),
      info: z.custom<SourceInfo>(isObject),
      headerRow: z.number(),
      sheet: z.string().nullable(),
      columns: z.array(z.number()),
    }),
  ),
});

const ofFiles = place
  .extend({
    files: z.array(z.string()),
    mapping: z.string(),
    source: keptSchema(SOURCE_OPTIONS, 'settings').optional(),
    mode: z.enum([...MODES, 'reconcile']).optional(),
    wanted: keptSchema(RUN_OPTIONS, 'wanted').optional(),
    campaign: z
      .object({
        id: z.number(),
        maxCallCount: z.number(),
        disableDuplicatePhonesValidation: z.boolean().optional(),
        name: z.string().optional(),
      })
      .nullable(),
    shown: shownColumnsSchema.optional(),
    /** The moment that counts for rules that depend on the time. */
    asOf: z.number().optional(),
    weights: weightsSchema.optional(),
    observations: z.array(observationSchema).optional(),
    /** Whether all rows were to be sent anew, whatever runs over the same files had sent. */
    anew: z.boolean().optional(),
    /** What the mapping did with each column: its target, or `null` where it left it out. */
    columns: z.record(z.string(), z.string().nullable()).optional(),
    changedInputs: z
      .array(z.object({ name: z.string(), wasRead: z.boolean(), isMixed: z.boolean().optional() }))
      .optional(),
  })
  .and(options);

const ofUndo = place.extend({ mode: z.literal('undo'), undoes: z.string() }).and(options);

const ofMissing = place.extend({ mode: z.literal('dequeue'), misses: z.string() }).and(options);

const ofCheck = place.extend({ mode: z.literal('reconcile'), checks: z.string() });

/**
 * What is kept with a run so that it can be begun again without its command: paths are made absolute. An undo, and the
 * check of a run, name the run that they work on.
 */
type FilesSettings = z.infer<typeof ofFiles>;

/** The settings of a run over files. */
export function filesSettings(
  request: ImportRequest,
  mode: Mode | 'reconcile',
  campaign: CampaignSettings | null,
  shown: ShownColumns | undefined,
  columns?: Readonly<Record<string, string | null>>,
): object {
  return {
    ...placeSettings(request),
    mode,
    wanted: keptOptions(request, 'wanted'),
    ...keptOptions(request, 'settings'),
    ...defined({ corrections: request.corrections && resolve(request.corrections) }),
    ...(request.again ? { anew: true } : {}),
    files: request.files.map((file) => (file === '-' ? file : resolve(file))),
    mapping: resolve(request.mapping),
    ...(request.source ? { source: request.source } : {}),
    ...(columns ? { columns } : {}),
    campaign: campaign && {
      id: campaign.id,
      maxCallCount: campaign.maxCallCount,
      ...defined({
        disableDuplicatePhonesValidation: campaign.disableDuplicatePhonesValidation,
        name: campaign.name,
      }),
    },
    ...defined({ shown }),
  };
}

/** Where a run is, as every run keeps it. */
export const placeSettings = ({ installation, baseUrl }: RunOptions): z.infer<typeof place> => ({
  installation: resolve(installation),
  sandbox: baseUrl !== undefined,
  ...(baseUrl !== undefined && !isLoopback(baseUrl) ? { remote: true } : {}),
});

/** Whether a run was in a sandbox on this machine; `undefined` where its settings do not say it. */
export function wasInSandbox(kept: unknown): boolean | undefined {
  const read = place.safeParse(kept).data;
  return read && read.sandbox && read.remote !== true;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);

/** Reads settings of one kind; `null` of other runs, and of those of another version. */
const reader =
  <T>(schema: z.ZodType<T>) =>
  (kept: unknown): T | null =>
    schema.safeParse(kept).data ?? null;

export const readUndoSettings = reader(ofUndo);
export const readCheckSettings = reader(ofCheck);
/** Of the removal of clients that a list lacks. */
export const readMissingSettings = reader(ofMissing);
/** Of an import or a comparison of files. */
export const readSettingsForReport = reader(ofFiles);

/** The run on whose rows another one works; `null`: it works on files. */
export const runBehind = (kept: unknown): string | null =>
  readUndoSettings(kept)?.undoes ??
  readCheckSettings(kept)?.checks ??
  readMissingSettings(kept)?.misses ??
  null;

/** Where a run was. @throws UsageError when another version began it. */
export const readPlace = (run: string, kept: unknown): z.infer<typeof place> =>
  readUndoSettings(kept) ??
  readCheckSettings(kept) ??
  readMissingSettings(kept) ??
  readFilesSettings(run, kept);

/** What was kept with a run over files. @throws UsageError when another version began it. */
export function readFilesSettings(run: string, kept: unknown): FilesSettings {
  const read = ofFiles.safeParse(kept);
  if (!read.success)
    throw new UsageError(`Run ${run} was begun by another version; run its command again.`);
  return read.data;
}

export type ShownColumns = z.infer<typeof shownColumnsSchema>;

/** The columns that the mapping chooses, and where each input has them; nothing when it chooses none. */
export function shownColumns(rows: FileRows): ShownColumns | undefined {
  const names = rows.mapping.sections.report?.show;
  return (
    names && {
      names,
      inputs: rows.inputsAgain().map(({ file, input, source, mark }) => {
        const headers = input.headers.map(headerName);
        return {
          path: resolve(file.path),
          ...{ mark, source },
          ...{ info: input.info, headerRow: input.headerRow, sheet: input.sheet },
          columns: names.map((name) => headers.indexOf(headerName(name))),
        };
      }),
    }
  );
}

/**
 * What a run over files is bound to. Large ones are not digested yet.
 * @param wanted what the command wants in place of the mapping
 */
export function identityOf(
  { files, content, installation, mapping: { digests }, request, corrections }: FileRows,
  campaign: CampaignSettings | null,
  wanted: Readonly<Record<string, unknown>>,
  elsewhere: boolean,
): RunIdentity {
  if (!content) throw new Error('Nobody has looked at what the inputs hold.');
  const { fingerprint, known } = content;
  const { name, baseUrl, card, clientRoles, recovery = DEFAULT_RECOVERY } = installation;
  const source = Object.entries(defined(request.source ?? {})).sort();
  return {
    inputs: files.map(({ path, name }) => (path === name ? resolve(path) : name)),
    content: known,
    ...defined({ fingerprint }),
    // Nothing where nothing is wanted: the digest is that of the mapping alone then.
    mapping: digestOf([
      digests.document,
      ...(Object.keys(wanted).length === 0 ? [] : [JSON.stringify(wanted)]),
    ]),
    installation: centerOf(installation, elsewhere),
    campaignId: campaign?.id ?? null,
    parts: {
      'a lookup file of the mapping': digests.tables,
      '--sheet, --encoding or --delimiter': JSON.stringify(Object.fromEntries(source)),
      // Limits, transport and headers of the installation may change at any time.
      "the installation's name": name,
      "the installation's address (baseUrl)": elsewhere ? ELSEWHERE : baseUrl,
      "the installation's card": digestOf([JSON.stringify(card, withoutNames)]),
      "the installation's client roles": JSON.stringify(clientRoles ?? null),
      "the installation's recovery": JSON.stringify(recovery),
      'the settings of the campaign': JSON.stringify(
        campaign && [campaign.maxCallCount, campaign.disableDuplicatePhonesValidation ?? null],
      ),
      // Absent without any, as in runs of earlier versions.
      ...(corrections ? { 'the list of corrections': correctionsDigest(corrections) } : {}),
    },
  };
}

/** What a run over the rows of others is bound to: always the same where the same is done once more. */
export function identityOn(
  what: string,
  inputs: readonly string[],
  { installation, campaignId }: Pick<RunIdentity, 'installation' | 'campaignId'>,
): RunIdentity {
  const digest = digestOf([what]);
  return { inputs, content: digest, mapping: digest, installation, campaignId };
}

/** What people call a field changes nothing of what is sent. */
const withoutNames = (key: string, value: unknown): unknown =>
  key === 'title' || key === 'aliases' ? undefined : value;

// The sandbox of a command has another port each time, and is the same contact center all the same.
const ELSEWHERE = 'another address';

/** What distinguishes a contact center: its name, its address and what identifies its clients. */
export function centerOf(installation: Installation, elsewhere: boolean): string {
  const address = elsewhere ? ELSEWHERE : installation.baseUrl;
  return [installation.name, address, ...syncFields(installation.card)].join(' ');
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/** The same for corrections that make the same rows, in whatever order their lines stand. */
function correctionsDigest({ cells }: Corrections): string {
  const texts = cells
    .map(({ input, sheet, row, column, becomes }) =>
      JSON.stringify([input, sheet, row, column, becomes]),
    )
    .sort();
  return digestOf([texts.join('\n')]);
}
