import { z } from 'zod';
import { MODES } from '../../core/mode.js';
import {
  problemSchema,
  CHANGE,
  READ,
  STREAM,
  type RouteTable,
  sentenceSchema,
  type Sent,
} from './route.js';
import { listSchema, rejectsOfSchema } from './list.js';

/** Rows by outcome, in the order of `src/core/outcome.ts`. Zeros are left out. */
export const outcomesSchema = z.array(z.object({ outcome: z.string(), count: z.number() }));

export const RUN_STATES = ['running', 'finished', 'open', 'stopped', 'broken_off'] as const;

/** A run on record. */
export const recordedRunSchema = z.object({
  run: z.string(),
  /** The mode of an import, `undo` or `reconcile`. */
  mode: z.string(),
  /** `running`: a process works on it; `open`: all is sent, something is unknown; `broken_off`: its process died. */
  state: z.enum(RUN_STATES),
  /** Whether this server works on it, and can pause and stop it. */
  isHere: z.boolean(),
  /** Whether this server takes it back at this moment. */
  isUndoing: z.boolean(),
  /** Set where its first file holds rejects of another run. */
  rejectsOf: rejectsOfSchema.nullable(),
  campaign: z.string().nullable(),
  sandbox: z.boolean(),
  /** ISO 8601. */
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  outcomes: outcomesSchema,
  /** Runs that take it back, or a part of it; in the History only those that have changed something. */
  undos: z.array(z.string()),
  canResume: z.boolean(),
  canReconcile: z.boolean(),
  /** The list that it was started with, where that is still there. */
  list: z.string().nullable(),
});

/** Why rows do not end well. */
export const reasonSchema = z.object({
  outcome: z.string(),
  /** Header of the column of a problem; `null` for words of the contact center. */
  column: z.string().nullable(),
  message: sentenceSchema,
  rows: z.number(),
});

/** How clients are called, as the page has words for it. */
const CALLING_MODES = ['PROGRESSIVE_NEW', 'PREDICTIVE_NEW', 'PREVIOUS_PREVIEW_NEW'] as const;

const span = z.object({ from: z.string(), to: z.string() });

/** A campaign as the contact center lists it (interface.md 4.19), which does not show whether it is started. */
const campaignSchema = z.object({
  id: z.number(),
  name: z.string(),
  /** Whether it starts by itself on its first day. */
  isAutomatic: z.boolean(),
  /** YYYY-MM-DD. */
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
  /** Calling windows, HH:MM: on weekdays, on weekends, and in the client's time zone; `null` where there is none. */
  weekdays: span.nullable(),
  weekends: span.nullable(),
  clientTime: span.nullable(),
  /** `Mon` to `Sun`; empty: any. */
  days: z.array(z.string()),
});

/** What was chosen for the run. */
export const importChoiceSchema = z.object({
  /** Id; `null`: as the mapping says. */
  campaign: z.int().nullable(),
  /** Whether a few rows are sent first, and the others only if these pass; `null`: where there are many. */
  canary: z.boolean().nullable(),
  requestsPerSecond: z.int().min(1).max(1_000_000).nullable(),
  clientsPerSecond: z.int().min(1).max(1_000_000).nullable(),
  /** Whether deleted clients are restored; `null`: as the mapping says. */
  recovery: z.boolean().nullable(),
});

/** Why an import cannot start: the page has words for each. */
const BLOCKERS = [
  ...(['no_center', 'no_mapping', 'wrong_mapping', 'no_campaign', 'not_counted'] as const),
  ...(['no_rows', 'read_only', 'check_failed', 'not_set'] as const),
] as const;

const importPlanSchema = z.object({
  list: listSchema,
  /** Changes with all that decides what is sent: a start names the one that the person saw. */
  revision: z.string(),
  /** `null` without a mapping that can be used. */
  mode: z.enum(MODES).nullable(),
  /** Rows that would be sent; `null` while nothing is known of them. */
  clients: z.number().nullable(),
  rejected: z.number(),
  /** Rows that the mapping leaves out, duplicates among them. */
  skipped: z.number(),
  /** Whether `clients` is an estimate, and so are the others. */
  estimated: z.boolean(),
  /** What earlier runs have to do with it; `null` while that is not known, or where it cannot be. */
  before: z
    .object({
      /** `done`: the same import has come to its end, and nothing is sent; `continue`: a run of it goes on. */
      kind: z.enum(['new', 'continue', 'done']),
      /** The run that is done or goes on. */
      run: z.string().nullable(),
      /** Rows among `clients` that were imported before, and are left out. */
      leftOut: z.number(),
      /** Rows whose card is there, and which are only added to the campaign. */
      cards: z.number(),
      /** Rows whose client was deleted, as by an undo. */
      deleted: z.number(),
    })
    .nullable(),
  /** Whether `before` is still being found out. */
  isComparing: z.boolean(),
  /** Single cells that the person has corrected. */
  corrections: z.number(),
  choice: importChoiceSchema,
  /** Rows that are sent first; 0: none. */
  canary: z.number(),
  /** What the installation permits in a second; `null`: anything. */
  limits: z.object({
    requestsPerSecond: z.number().nullable(),
    clientsPerSecond: z.number().nullable(),
  }),
  /** Whether deleted clients are restored; `null` where none is created. */
  recovery: z.boolean().nullable(),
  campaignNeeded: z.enum(['optional', 'required', 'unused']),
  /** The campaign of the mapping, by id or name; `null` where it has none. */
  mapped: z.object({ id: z.number().nullable(), name: z.string().nullable() }).nullable(),
  /** Whether the number of rows has to be typed before it starts. */
  confirm: z.boolean(),
  /** Why it cannot start; `null` when it can. */
  blocker: z.enum(BLOCKERS).nullable(),
  /** What is wrong, in the server's words, where it has some. */
  problem: problemSchema.nullable(),
});

const LIVE_STATES = [
  ...(['opening', 'running', 'pausing', 'paused', 'stopping'] as const),
  ...(['finished', 'open', 'stopped', 'failed', 'broken_off'] as const),
] as const;

/** How a run stands. Events of a stream are the whole state, so that none has to be kept. */
const liveSchema = z.object({
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
  warnings: z.array(sentenceSchema),
  /** Why it ended early. */
  problem: problemSchema.nullable(),
});

export const importRoutes = {
  /** How the import stands that would start; ends when no more becomes known of it. */
  'GET /api/lists/:list/import': { ...STREAM, response: importPlanSchema },
  'PATCH /api/lists/:list/import': {
    ...CHANGE,
    body: importChoiceSchema.partial(),
    response: z.object({}),
  },
  /** Makes a campaign: as another one, or with these settings. */
  'POST /api/campaigns': {
    ...CHANGE,
    body: z.object({
      name: z.string().trim().min(1).max(255),
      like: z.int().nullable(),
      callingMode: z.enum(CALLING_MODES),
      callingSearchSpaceId: z.int(),
      callStatusRuleProcessorId: z.int(),
      start: z.boolean(),
    }),
    /** `problem`: it was made, and not started, or nobody knows. */
    response: z.object({ id: z.number(), problem: problemSchema.nullable() }),
  },
  'GET /api/campaigns': { ...READ, response: z.object({ campaigns: z.array(campaignSchema) }) },
  /** Starts the run, or finds the one of the list that is at work. Refused where the plan has changed since. */
  'POST /api/lists/:list/run': {
    ...CHANGE,
    body: z.object({
      revision: z.string(),
      /** The number of rows, where it has to be typed. */
      typed: z.int().nullable(),
      /** Whether all rows are sent, also those that an earlier run has sent. */
      again: z.boolean(),
    }),
    /** `isDone`: the run has sent all of this before, and nothing is sent now. */
    response: z.object({ run: z.string(), isDone: z.boolean() }),
  },
  'GET /api/runs/:run/live': { ...STREAM, response: liveSchema },
  /** `resume` goes on with a run that was stopped or broke off. */
  'POST /api/runs/:run/control': {
    ...CHANGE,
    body: z.object({ what: z.enum(['pause', 'continue', 'stop', 'resume']) }),
    response: liveSchema,
  },
} as const satisfies RouteTable;

export type Campaign = Sent<typeof campaignSchema>;
export type CallingMode = (typeof CALLING_MODES)[number];
export type ImportChoice = Sent<typeof importChoiceSchema>;
export type ImportPlan = Sent<typeof importPlanSchema>;
export type Live = Sent<typeof liveSchema>;
