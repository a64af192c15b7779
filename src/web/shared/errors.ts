import { z } from 'zod';

/** What went wrong, in words for the person. Holds nothing of the file's contents and no credentials. */
export const problemSchema = z.object({
  /** Short machine-readable word: the page has sentences of its own for those that it knows. */
  code: z.string(),
  sentence: z.string(),
  /** What to do next. */
  next: z.string().optional(),
  /** Name of the field that is wrong, where one is. */
  field: z.string().optional(),
  /** Values that the page puts into its own sentence. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export type PageProblem = z.output<typeof problemSchema>;
