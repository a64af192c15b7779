import { z } from 'zod';
import { sourceChoiceSchema } from '../../shared/list.js';
import { type ImportChoice, importChoiceSchema } from '../../shared/run.js';
import { STEPS } from '../../shared/steps.js';

/** What is chosen for a list that nothing was chosen for. */
export const NO_CHOICE: ImportChoice = {
  campaign: null,
  canary: null,
  requestsPerSecond: null,
  clientsPerSecond: null,
  recovery: null,
};

/** `list.json`: what is known of a list, and what was chosen for it. */
export const listFileSchema = z.object({
  version: z.literal(1),
  /** Name of the file, as the person knows it. */
  name: z.string(),
  /** Where the file lies, if that is not in the folder of the list. Such a file is read and never touched. */
  path: z.string().nullable(),
  bytes: z.number(),
  complete: z.boolean(),
  createdAt: z.string(),
  source: sourceChoiceSchema,
  mapping: z.string().nullable(),
  /** File whose text is that of the mapping; `null`: it was suggested, or has been changed since. */
  mappingFile: z.string().nullable().default(null),
  /** What was chosen for its import. */
  choice: importChoiceSchema
    .extend({ recovery: importChoiceSchema.shape.recovery.default(null) })
    .default(NO_CHOICE),
  /** Revision of the mapping that was suggested: while it is that, nobody has worked on it. */
  draft: z.string().nullable().default(null),
  /** Whether it began with the mapping that the last file with its columns had. */
  likeLast: z.boolean().default(false),
  run: z.string().nullable(),
  step: z.enum(STEPS),
});

export type ListFile = z.output<typeof listFileSchema>;
