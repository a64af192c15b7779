import { resolve } from 'node:path';
import { z } from 'zod';
import { MODES, type Mode } from '../../core/mode.js';
import { UsageError } from '../../core/errors.js';
import { defined } from '../../core/defined.js';
import type { CampaignSettings } from '../../pipeline/batch/batch.js';
import type { ImportRequest } from '../requests.js';

const settings = z.object({
  files: z.array(z.string()),
  mapping: z.string(),
  installation: z.string(),
  source: z
    .object({
      sheet: z.union([z.string(), z.number()]).optional(),
      allSheets: z.boolean().optional(),
      encoding: z.string().optional(),
      delimiter: z.string().optional(),
    })
    .optional(),
  /** The mode in force. */
  mode: z.enum([...MODES, 'reconcile']).optional(),
  /** Fields that are compared. */
  fields: z.array(z.string()).optional(),
  /** What the command wanted in place of the mapping. */
  wanted: z.object({ mode: z.enum(MODES).optional(), recovery: z.boolean().optional() }).optional(),
  /** Whether the embedded sandbox was used. */
  sandbox: z.boolean(),
  campaign: z
    .object({
      id: z.number(),
      maxCallCount: z.number(),
      disableDuplicatePhonesValidation: z.boolean().optional(),
    })
    .nullable(),
});

/** What is kept with a run so that it can be begun again without its command: paths are made absolute. */
export type RunSettings = z.infer<typeof settings>;

export function runSettings(
  request: ImportRequest,
  mode: Mode,
  campaign: CampaignSettings | null,
): RunSettings {
  return {
    mode,
    wanted: defined({ mode: request.mode, recovery: request.recovery }),
    files: request.files.map((file) => (file === '-' ? file : resolve(file))),
    mapping: resolve(request.mapping),
    installation: resolve(request.installation),
    ...(request.source ? { source: request.source } : {}),
    sandbox: request.baseUrl !== undefined,
    campaign: campaign && {
      id: campaign.id,
      maxCallCount: campaign.maxCallCount,
      ...defined({
        disableDuplicatePhonesValidation: campaign.disableDuplicatePhonesValidation,
      }),
    },
  };
}

const undoSettings = z.object({
  mode: z.literal('undo'),
  /** The run that is taken back. */
  undoes: z.string(),
  installation: z.string(),
  sandbox: z.boolean(),
  cancelCallbacks: z.boolean(),
});

/** What is kept with an undo. */
export type UndoSettings = z.infer<typeof undoSettings>;

const checkSettings = z.object({
  mode: z.literal('reconcile'),
  /** The run whose report is checked. */
  checks: z.string(),
  installation: z.string(),
  sandbox: z.boolean(),
});

/** What was kept with the check of a run; `null` when the run is none. */
export function readCheckSettings(kept: unknown): z.infer<typeof checkSettings> | null {
  return checkSettings.safeParse(kept).data ?? null;
}

/** What was kept with an undo; `null` when the run is none. */
export function readUndoSettings(kept: unknown): UndoSettings | null {
  return undoSettings.safeParse(kept).data ?? null;
}

/** Where a run was. @throws UsageError when another version began it. */
export function readPlace(run: string, kept: unknown): RunSettings {
  const read = settings.safeParse(kept);
  if (!read.success)
    throw new UsageError(`Run ${run} was begun by another version; run its command again.`);
  return read.data;
}

/**
 * Reads what was kept with a run.
 * @throws UsageError when it cannot be begun again without its command.
 */
export function readSettings(run: string, kept: unknown): RunSettings {
  const read = readPlace(run, kept);
  if (read.files.includes('-'))
    throw new UsageError(
      `Run ${run} read standard input; run its command again with the same input.`,
    );
  return read;
}
