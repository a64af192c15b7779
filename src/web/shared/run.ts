import { z } from 'zod';
import { MODES } from '../../core/mode.js';
import { CHANGE, READ, STREAM, type RouteTable } from './route.js';

/** Rows by outcome, in the order of `src/core/outcome.ts`. Zeros are left out. */
export const outcomesSchema = z.array(z.object({ outcome: z.string(), count: z.number() }));

export const campaignSchema = z.object({
  id: z.number(),
  name: z.string(),
  state: z.string(),
  /** Calling window in words; `null` where the contact center names none. */
  window: z.string().nullable(),
});

/** What was chosen for the run. */
export const importChoiceSchema = z.object({
  campaign: z.number().int().nullable(),
  /** Rows that are sent first and looked at; 0: none. */
  canary: z.int().min(0),
  requestsPerSecond: z.number().positive().nullable(),
  clientsPerSecond: z.number().positive().nullable(),
});

export const importPlanSchema = z.object({
  mode: z.enum(MODES),
  /** Rows that would be sent. */
  clients: z.number(),
  /** Whether `clients` is an estimate. */
  estimated: z.boolean(),
  choice: importChoiceSchema,
  campaignNeeded: z.enum(['optional', 'required', 'unused']),
  /** Whether the number of rows has to be typed before it starts. */
  confirm: z.boolean(),
  /** Why it cannot start; empty when it can. */
  blockers: z.array(z.string()),
});

/** How a run stands. Events of a stream are the whole state, so that none has to be kept. */
export const liveSchema = z.object({
  run: z.string(),
  state: z.enum(['running', 'pausing', 'paused', 'stopping', 'stopped', 'finished', 'failed']),
  rows: z.number(),
  /** `null` while it is not known. */
  of: z.number().nullable(),
  share: z.number(),
  outcomes: outcomesSchema,
  rowsPerSecond: z.number(),
  inFlight: z.number(),
  secondsLeft: z.number().nullable(),
  seconds: z.number(),
  reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
  /** Why it stopped early, in words. */
  stopped: z.string().nullable(),
});

export const importRoutes = {
  'GET /api/lists/:list/import': { ...READ, response: importPlanSchema },
  'PUT /api/lists/:list/import': {
    ...CHANGE,
    body: importChoiceSchema,
    response: importPlanSchema,
  },
  'GET /api/campaigns': { ...READ, response: z.object({ campaigns: z.array(campaignSchema) }) },
  /** Starts the run. `rows`: what the person typed or saw; refused where the plan has changed since. */
  'POST /api/lists/:list/run': {
    ...CHANGE,
    body: z.object({ rows: z.int().min(0) }),
    response: z.object({ run: z.string() }),
  },
  'GET /api/runs/:run/live': { ...STREAM, response: liveSchema },
  'POST /api/runs/:run/control': {
    ...CHANGE,
    body: z.object({ what: z.enum(['pause', 'continue', 'stop']) }),
    response: liveSchema,
  },
} as const satisfies RouteTable;

export type Campaign = z.output<typeof campaignSchema>;
export type ImportChoice = z.output<typeof importChoiceSchema>;
export type ImportPlan = z.output<typeof importPlanSchema>;
export type Live = z.output<typeof liveSchema>;
