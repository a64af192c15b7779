import { z } from 'zod';
import { QUALITY_PART_NAMES } from '../../core/quality-parts.js';
import { sentenceSchema } from './sentence.js';

/** What was found out about a list as a whole. */
export const listFactsSchema = z.object({
  /** How good it is, from 0 to 100; `null` in modes that call nobody, and before its rows are known. */
  quality: z
    .object({
      score: z.number(),
      rows: z.number(),
      /** Rows that are not sent for what is wrong with them. */
      lost: z.number(),
      /** Rows that do not count, since the mapping does not take them. */
      outside: z.number(),
      /** What was found about it beside its single rows; `null` where nothing was. */
      whole: z.object({ doubts: z.number(), notes: z.number(), points: z.number() }).nullable(),
      parts: z.array(
        z.object({
          part: z.enum(QUALITY_PART_NAMES),
          points: z.number(),
          of: z.number(),
          rows: z.number(),
        }),
      ),
    })
    .nullable(),
  /** What the checks of the mapping came to. */
  checks: z.array(z.object({ holds: z.boolean(), isStop: z.boolean(), sentence: sentenceSchema })),
});

export type ShownListFacts = z.output<typeof listFactsSchema>;
