import { z } from 'zod';
import { READ, type RouteTable } from './route.js';
import { outcomesSchema } from './run.js';

export const pastRunSchema = z.object({
  run: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  mode: z.string(),
  state: z.enum(['running', 'stopped', 'finished']),
  files: z.array(z.string()),
  campaign: z.string().nullable(),
  rows: z.number(),
  outcomes: outcomesSchema,
  canResume: z.boolean(),
  notUndoable: z.string().nullable(),
  list: z.string().nullable(),
});

export const historyRoutes = {
  'GET /api/runs': {
    ...READ,
    query: z.object({
      text: z.string().max(200).optional(),
      state: z.enum(['running', 'stopped', 'finished']).optional(),
      mode: z.string().optional(),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ total: z.number(), offset: z.number(), runs: z.array(pastRunSchema) }),
  },
  'GET /api/compare': {
    ...READ,
    query: z.object({ one: z.string(), other: z.string() }),
    response: z.object({
      one: pastRunSchema,
      other: pastRunSchema,
      changes: z.array(z.object({ from: z.string(), to: z.string(), count: z.number() })),
    }),
  },
  /** How the runs of files named alike went, the oldest first. */
  'GET /api/trend': {
    ...READ,
    query: z.object({ run: z.string() }),
    response: z.object({
      runs: z.array(
        z.object({ run: z.string(), startedAt: z.string(), rows: z.number(), good: z.number() }),
      ),
    }),
  },
} as const satisfies RouteTable;

export type PastRun = z.output<typeof pastRunSchema>;
