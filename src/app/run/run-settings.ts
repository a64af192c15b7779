import { resolve } from 'node:path';
import { z } from 'zod';
import { MODES, type Mode } from '../../core/mode.js';
import { UsageError } from '../../core/errors.js';
import { defined } from '../../core/defined.js';
import { QUALITY_PARTS, type QualityWeights } from '../../core/quality-parts.js';
import type { CampaignSettings } from '../../pipeline/batch.js';
import { keptOptions, keptSchema } from '../options/kept-options.js';
import { RUN_OPTIONS } from '../options/run-options.js';
import { observationSchema } from '../list/list-observations.js';
import { SOURCE_OPTIONS } from '../options/source-options.js';
import type { ImportRequest, RunOptions } from '../requests.js';
import { type ShownColumns, shownColumnsSchema } from './result/shown-columns.js';

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

const ofFiles = place
  .extend({
    files: z.array(z.string()),
    mapping: z.string(),
    source: keptSchema(SOURCE_OPTIONS, 'settings').optional(),
    /** The mode in force. */
    mode: z.enum([...MODES, 'reconcile']).optional(),
    /** What the command set in place of the mapping. */
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
    /** What the parts of the list's score count for. */
    weights: weightsSchema.optional(),
    /** What was found out about the list as a whole. */
    observations: z.array(observationSchema).optional(),
    /** Whether all rows were to be sent anew, whatever runs over the same files had sent. */
    anew: z.boolean().optional(),
    /** What the mapping did with each column: its target, or `null` where it left it out. */
    columns: z.record(z.string(), z.string().nullable()).optional(),
    /** Inputs that were changed while the run worked on them. */
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
export type FilesSettings = z.infer<typeof ofFiles>;

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

/** What was kept with the check of a run; `null` when the run is none. */
export const readCheckSettings = (kept: unknown): z.infer<typeof ofCheck> | null =>
  ofCheck.safeParse(kept).data ?? null;

/** What was kept with the removal of clients that a list lacks; `null` when the run is none. */
export const readMissingSettings = (kept: unknown): z.infer<typeof ofMissing> | null =>
  ofMissing.safeParse(kept).data ?? null;

/** The run on whose rows another one works; `null`: it works on files. */
export const runBehind = (kept: unknown): string | null =>
  readUndoSettings(kept)?.undoes ??
  readCheckSettings(kept)?.checks ??
  readMissingSettings(kept)?.misses ??
  null;

/** What was kept with an undo; `null` when the run is none. */
export const readUndoSettings = (kept: unknown): z.infer<typeof ofUndo> | null =>
  ofUndo.safeParse(kept).data ?? null;

/** The settings of an import or a comparison of files; `null` of other runs, and of those of another version. */
export const readSettingsForReport = (kept: unknown): FilesSettings | null =>
  ofFiles.safeParse(kept).data ?? null;

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
