import { z } from 'zod';
import { MODES } from '../../core/mode.js';
import { problemSchema } from './errors.js';
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

const LIVE_STATES = [
  ...(['opening', 'running', 'pausing', 'paused', 'stopping'] as const),
  ...(['finished', 'open', 'stopped', 'failed', 'broken_off'] as const),
] as const;

/** Why rows do not end well. */
const reasonSchema = z.object({
  outcome: z.string(),
  /** Column of a rejected row's problem; `null` for words of the contact center. */
  column: z.string().nullable(),
  message: z.string(),
  rows: z.number(),
});

/** How a run stands. Events of a stream are the whole state, so that none has to be kept. */
export const liveSchema = z.object({
  run: z.string(),
  /** The mode of an import, `undo` or `reconcile`. */
  mode: z.string(),
  /**
   * `stopped`: it can be continued, as can `broken_off`, whose process died; `open`: all is sent, and of some rows it is
   * not known how they ended; `failed`: an internal error.
   */
  state: z.enum(LIVE_STATES),
  /** Whether another process works on it: it cannot be paused or stopped from here. */
  elsewhere: z.boolean(),
  /** Rows that have ended. */
  rows: z.number(),
  /** Rows of the input; `null` while it is not known. */
  of: z.number().nullable(),
  /** Whether `of` is an estimate. */
  estimated: z.boolean(),
  /** From 0 to 1. */
  share: z.number(),
  outcomes: outcomesSchema,
  /** Rows that have been read and have not ended. */
  waiting: z.number(),
  rowsPerSecond: z.number(),
  inFlight: z.number(),
  secondsLeft: z.number().nullable(),
  seconds: z.number(),
  /** The latest first. */
  reasons: z.array(reasonSchema),
  /** What the person should know, in words. */
  warnings: z.array(z.string()),
  /** Why it ended early. */
  problem: problemSchema.nullable(),
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
