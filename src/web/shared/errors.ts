import { z } from 'zod';
import { sentenceSchema } from './sentence.js';

/** What went wrong, in words for the person. Holds nothing of the file's contents and no credentials. */
export const problemSchema = z.object({
  /** Short machine-readable word. */
  code: z.string(),
  sentence: sentenceSchema,
  /** What to do next. */
  next: sentenceSchema.optional(),
  /** Name of the field that is wrong, where one is. */
  field: z.string().optional(),
  /** Where in the file it is, which the sentence does not say. */
  place: z
    .object({
      sheet: z.string().optional(),
      line: z.number().optional(),
      row: z.number().optional(),
    })
    .optional(),
  /** What it is about, such as a run or a row. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export type PageProblem = z.output<typeof problemSchema>;
