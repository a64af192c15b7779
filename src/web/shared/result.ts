import { z } from 'zod';
import { CHANGE, DOWNLOAD, READ, type RouteTable } from './route.js';
import { outcomesSchema } from './run.js';

export const runFileSchema = z.object({
  /** Known to the download. */
  id: z.string(),
  name: z.string(),
  kind: z.enum(['report', 'rejects', 'summary']),
  format: z.string(),
});

export const resultSchema = z.object({
  run: z.string(),
  list: z.string().nullable(),
  state: z.enum(['running', 'stopped', 'finished']),
  mode: z.string(),
  /** What to do first, in one sentence. */
  first: z.string(),
  rows: z.number(),
  outcomes: outcomesSchema,
  reasons: z.array(
    z.object({ id: z.string(), reason: z.string(), outcome: z.string(), count: z.number() }),
  ),
  files: z.array(runFileSchema),
  canResume: z.boolean(),
  /** Why it cannot be taken back; `null` when it can. */
  notUndoable: z.string().nullable(),
});

export const resultRowsSchema = z.object({
  total: z.number(),
  offset: z.number(),
  rows: z.array(
    z.object({
      sheet: z.string().nullable(),
      row: z.number(),
      outcome: z.string(),
      identifiers: z.array(z.union([z.string(), z.number()]).nullable()),
      reason: z.string().nullable(),
    }),
  ),
});

const started = z.object({ run: z.string() });

export const resultRoutes = {
  'GET /api/runs/:run/result': { ...READ, response: resultSchema },
  'GET /api/runs/:run/rows': {
    ...READ,
    query: z.object({
      outcome: z.string().optional(),
      reason: z.string().optional(),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: resultRowsSchema,
  },
  'GET /api/runs/:run/files/:file': { ...DOWNLOAD, response: z.never() },
  /** Makes a list of the rejects, to mend and send. */
  'POST /api/runs/:run/mend': { ...CHANGE, response: z.object({ list: z.string() }) },
  'POST /api/runs/:run/undo': { ...CHANGE, body: z.object({ rows: z.int() }), response: started },
  'POST /api/runs/:run/reconcile': { ...CHANGE, response: started },
  'POST /api/runs/:run/resume': { ...CHANGE, response: started },
} as const satisfies RouteTable;

export type Result = z.output<typeof resultSchema>;
export type ResultRows = z.output<typeof resultRowsSchema>;
