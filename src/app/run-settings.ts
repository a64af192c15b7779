import { resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../core/errors.js';
import { defined } from '../core/defined.js';
import type { CampaignSettings } from '../pipeline/batch.js';
import type { ImportRequest } from './requests.js';

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
  campaign: CampaignSettings | null,
): RunSettings {
  return {
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

/**
 * Reads what was kept with a run.
 * @throws UsageError when it cannot be begun again without its command.
 */
export function readSettings(run: string, kept: unknown): RunSettings {
  const read = settings.safeParse(kept);
  if (!read.success)
    throw new UsageError(`Run ${run} was begun by another version; run its command again.`);
  if (read.data.files.includes('-'))
    throw new UsageError(
      `Run ${run} read standard input; run its command again with the same input.`,
    );
  return read.data;
}
