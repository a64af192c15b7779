import { z } from 'zod';
import {
  listFactsSchema,
  CHANGE,
  DOWNLOAD,
  READ,
  type RouteTable,
  sentenceSchema,
  type Sent,
} from './route.js';
import { reasonSchema, recordedRunSchema } from './run.js';

/** A file that can be downloaded. */
const runFileSchema = z.object({
  /** Known to the download. */
  id: z.string(),
  name: z.string(),
  /** `null` for a report, which is written when it is asked for. */
  bytes: z.number().nullable(),
});

const countedReasonSchema = reasonSchema.extend({
  id: z.number(),
  /** Code of the problem; `null` for words of the contact center. */
  code: z.string().nullable(),
});

/** What to do first. */
const nextSchema = z.object({
  /** `wait` for a run under way, `resume` one that is not at its end, `recover` deleted clients, `mend` its rejects, `look` at its rows. */
  kind: z.enum(['wait', 'resume', 'recover', 'mend', 'look']),
  /** In English, in the words of report and command line. */
  sentence: z.string(),
  more: z.string(),
  /** Rows that did not end well. */
  bad: z.number(),
  /** The most frequent reason for that. */
  top: countedReasonSchema.nullable(),
});

const resultSchema = recordedRunSchema.extend({
  next: nextSchema,
  /** Names of its files, or of those of the run that it takes back or checks. */
  inputs: z.array(z.string()),
  rows: z.number(),
  /** Rows that were read and are yet to be sent, and those of them whose card exists. */
  waiting: z.object({ rows: z.number(), withCard: z.number() }),
  /** The most frequent ones, those of rows that did not end well first. */
  reasons: z.array(countedReasonSchema),
  moreReasons: z.number(),
  /** What was left out or corrected in rows that were sent all the same. */
  remarks: z.array(countedReasonSchema.omit({ outcome: true })),
  /** What was found out about its list as a whole. */
  facts: listFactsSchema,
  reports: z.array(runFileSchema),
  rejects: z.array(runFileSchema),
  /** The run that this one takes back or checks. */
  about: z.string().nullable(),
  /** Runs that check it, the latest first. */
  checks: z.array(z.string()),
  /** Whether one of the undos has come to its end: nothing is left to take back or to mend. */
  isTakenBack: z.boolean(),
  /** Why nothing of it can be taken back; `null` when it can. */
  notUndoable: sentenceSchema.nullable(),
  /** What shows the same on the command line. */
  command: z.string(),
});

const resultRowsSchema = z.object({
  total: z.number(),
  offset: z.number(),
  columns: z.array(z.object({ name: z.string(), part: z.string() })),
  rows: z.array(
    z.object({
      outcome: z.string(),
      cells: z.array(z.union([z.string(), z.number()]).nullable()),
    }),
  ),
});

/** What an undo would do. */
const undoPreviewSchema = z.object({
  /** Rows of which something would be taken back: the number to type. */
  rows: z.number(),
  cards: z.number(),
  applications: z.number(),
  fields: z.number(),
  /** Rows of which something stays, or is not known. */
  remaining: z.number(),
});

const started = z.object({ run: z.string() });
const id = z.coerce.number().int().min(0).optional();

export const resultRoutes = {
  'GET /api/runs/:run/result': { ...READ, response: resultSchema },
  'GET /api/runs/:run/rows': {
    ...READ,
    query: z.object({
      outcome: z.string().optional(),
      reason: id,
      remark: id,
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: resultRowsSchema,
  },
  'GET /api/runs/:run/files/:file': { ...DOWNLOAD, response: z.never() },
  /** Makes a list of rejects, to mend and send. */
  'POST /api/runs/:run/mend': {
    ...CHANGE,
    body: z.object({ file: z.string() }),
    response: z.object({ list: z.string() }),
  },
  'GET /api/runs/:run/undo': { ...READ, response: undoPreviewSchema },
  /** `rows`: what was typed; refused where an undo would take back another number. */
  'POST /api/runs/:run/undo': { ...CHANGE, body: z.object({ rows: z.int() }), response: started },
  'POST /api/runs/:run/reconcile': { ...CHANGE, response: started },
  'POST /api/runs/:run/resume': { ...CHANGE, response: started },
} as const satisfies RouteTable;

export type Result = Sent<typeof resultSchema>;
export type ResultRows = Sent<typeof resultRowsSchema>;
export type ResultReason = Sent<typeof countedReasonSchema>;
export type UndoPreview = Sent<typeof undoPreviewSchema>;
