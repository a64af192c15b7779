import { z } from 'zod';
import { READ, sentenceSchema, STREAM, type RouteTable, type Sent } from './route.js';
import { outcomesSchema, recordedRunSchema, RUN_STATES } from './run.js';

const pastRunSchema = recordedRunSchema.extend({
  /** Names of its files, or of those of the run that it takes back or checks. */
  files: z.array(z.string()),
  /** Name of its contact center, where that is not the page's. */
  otherCenter: z.string().nullable(),
  /** `null` where nobody has counted them yet. */
  rows: z.number().nullable(),
  /** The run that this one takes back or checks. */
  worksOn: z.string().nullable(),
  canUndo: z.boolean(),
});

const countsSchema = z.object({ rows: z.number(), outcomes: outcomesSchema });

const comparisonSchema = z.object({
  /** The one that began first. */
  earlier: pastRunSchema,
  later: pastRunSchema,
  counts: z.object({
    new: z.number(),
    gone: z.number(),
    changed: z.number(),
    same: z.number(),
    /** Rows that ended well before, and so are not in the rejects that the later run is of. */
    endedWell: z.number(),
    /** Rows of the earlier and the later run that cannot be matched. */
    withoutUuid: z.tuple([z.number(), z.number()]),
  }),
  /** What became of rows, the most frequent change first. `null`: the row is not in that run. */
  ways: z.array(
    z.object({
      before: z.string().nullable(),
      after: z.string().nullable(),
      rows: z.number(),
      /** Where the first of them are. */
      examples: z.array(
        z.object({ file: z.string(), sheet: z.string().nullable(), row: z.number() }),
      ),
    }),
  ),
  /** How much of it is done, 0 to 1; `null` where that is not known. */
  share: z.number().nullable(),
  done: z.boolean(),
  /** What does the same on the command line. */
  command: z.string(),
});

const trendSchema = z.object({
  /** Name of the files, with `#` for numbers. */
  source: z.string(),
  /** The earliest first. */
  points: z.array(
    z.object({
      run: z.string(),
      startedAt: z.string(),
      file: z.string(),
      rows: z.number(),
      outcomes: outcomesSchema,
      /** Shares of the rows, 0 to 1: those that were rejected, and all that did not end well. */
      rejectRate: z.number(),
      badRate: z.number(),
    }),
  ),
  /** Whether there are earlier runs that are left out. */
  isCut: z.boolean(),
  /** What does the same on the command line; `null` where no mapping file is known. */
  command: z.string().nullable(),
});

/** How the sources of the pickup file stand, as `watch --status` says it. */
const watchSchema = z.object({
  sources: z.array(
    z.object({
      name: z.string(),
      /** The file that was taken last; `null`: none yet. */
      last: z
        .object({
          file: z.string(),
          at: z.string(),
          run: z.string().nullable(),
          /** The kind of notice that told of it. */
          kind: z.string(),
          rows: z.number(),
          /** Rows that reached the contact center; `null` where nobody knows. */
          sent: z.number().nullable(),
          badRows: z.number(),
        })
        .nullable(),
      /** Files that are there, or are worked on, and why; without a name, why nothing is known of them. */
      waiting: z.array(z.object({ file: z.string(), why: sentenceSchema })),
      late: sentenceSchema.nullable(),
      /** 3: it does not go on; 2: it needs a person; 0: neither. */
      exitCode: z.number(),
    }),
  ),
});

export const historyRoutes = {
  'GET /api/runs': {
    ...READ,
    query: z.object({
      text: z.string().max(200).optional(),
      state: z.enum(RUN_STATES).optional(),
      mode: z.string().max(20).optional(),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(100).default(25),
    }),
    response: z.object({
      /** How many fit, and how many there are. */
      total: z.number(),
      all: z.number(),
      offset: z.number(),
      runs: z.array(pastRunSchema),
      /** What shows them on the command line. */
      command: z.string(),
    }),
  },
  'GET /api/watch': { ...READ, response: watchSchema },
  /** Counts the rows of a run whose process could not. */
  'GET /api/runs/:run/counts': { ...READ, response: countsSchema },
  'GET /api/runs/:run/compared/:other': { ...STREAM, response: comparisonSchema },
  /** How the runs of files named alike went. */
  'GET /api/runs/:run/trend': { ...READ, response: trendSchema },
} as const satisfies RouteTable;

export type PastRun = Sent<typeof pastRunSchema>;
export type Comparison = Sent<typeof comparisonSchema>;
export type RunTrend = Sent<typeof trendSchema>;
