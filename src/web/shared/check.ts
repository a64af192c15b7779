import { z } from 'zod';
import { CHANGE, READ, STREAM, type RouteTable } from './route.js';

/** Problems of one column with one code, as rows have them. */
export const problemGroupSchema = z.object({
  /** Known to `check/rows`. */
  id: z.string(),
  column: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  count: z.number(),
  firstRow: z.number(),
  /** The values that occur most. */
  values: z.array(z.object({ value: z.string().nullable(), count: z.number() })),
  /** Whether rows are sent all the same, without the value. */
  isRemark: z.boolean(),
});

/** How far a check is. The last event has `done`. */
export const checkStateSchema = z.object({
  /** Changes when mapping, corrections or file do. */
  revision: z.string(),
  done: z.boolean(),
  /** Share of the file that was read, from 0 to 1. */
  share: z.number(),
  rows: z.number(),
  clients: z.number(),
  rejected: z.number(),
  skipped: z.number(),
  groups: z.array(problemGroupSchema),
  /** Single cells that the person has corrected. */
  corrections: z.number(),
});

export const checkedRowSchema = z.object({
  sheet: z.string().nullable(),
  row: z.number(),
  cells: z.array(z.string().nullable()),
  /** Indexes of bad cells, with what is wrong. */
  bad: z.array(z.object({ column: z.number().nullable(), message: z.string() })),
  /** Indexes of the cells that were corrected. */
  corrected: z.array(z.number()),
});

export const checkedRowsSchema = z.object({
  header: z.array(z.string()),
  total: z.number(),
  offset: z.number(),
  rows: z.array(checkedRowSchema),
});

/** One cell as it should be. The file itself is never touched. */
export const correctionSchema = z.object({
  sheet: z.string().nullable(),
  row: z.int().min(1),
  column: z.string(),
  value: z.string().nullable(),
});

/** A rule for all rows with the same value, which becomes a part of the mapping. */
export const ruleSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('replace'), column: z.string(), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('blank'), column: z.string(), value: z.string() }),
  z.object({ kind: z.literal('drop'), column: z.string() }),
]);

export const checkRoutes = {
  /** Begins a check where none fits, and shows its progress. */
  'GET /api/lists/:list/check': { ...STREAM, response: checkStateSchema },
  'GET /api/lists/:list/check/rows': {
    ...READ,
    query: z.object({
      group: z.string().optional(),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: checkedRowsSchema,
  },
  'POST /api/lists/:list/check/rules': {
    ...CHANGE,
    body: z.object({ revision: z.string(), rule: ruleSchema }),
    response: z.object({ revision: z.string() }),
  },
  'PUT /api/lists/:list/corrections': {
    ...CHANGE,
    body: correctionSchema,
    response: z.object({ revision: z.string(), corrections: z.number() }),
  },
  'DELETE /api/lists/:list/corrections': {
    ...CHANGE,
    body: correctionSchema.omit({ value: true }),
    response: z.object({ revision: z.string(), corrections: z.number() }),
  },
} as const satisfies RouteTable;

export type CheckState = z.output<typeof checkStateSchema>;
export type ProblemGroup = z.output<typeof problemGroupSchema>;
export type CheckedRows = z.output<typeof checkedRowsSchema>;
export type Correction = z.output<typeof correctionSchema>;
export type Rule = z.output<typeof ruleSchema>;
