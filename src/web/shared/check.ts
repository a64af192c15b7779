import { z } from 'zod';
import { MODES } from '../../core/mode.js';
import {
  problemSchema,
  listFactsSchema,
  CHANGE,
  READ,
  STREAM,
  type RouteTable,
  sentenceSchema,
  type Sent,
  mistakeSchema,
} from './route.js';
import { listSchema, rejectsOfSchema } from './list.js';

/** Rejected rows with the same problem in the same column. A row with several problems is in several groups. */
const problemGroupSchema = z.object({
  /** The same in every check of the list: it stands in the address. */
  key: z.string(),
  /** Header of the column, or of several with commas; `null` where the whole row is meant. */
  column: z.string().nullable(),
  /** `null` for problems of too many kinds to be told apart. */
  code: z.string().nullable(),
  message: sentenceSchema,
  rows: z.number(),
  /** The values that occur most. Personal data, hidden with `--mask`. */
  values: z.array(z.object({ value: z.string(), rows: z.number() })),
});

/** What is left out of rows that are sent all the same. */
const remarkSchema = z.object({
  column: z.string().nullable(),
  code: z.string(),
  message: sentenceSchema,
  rows: z.number(),
  firstRow: z.number(),
});

/** What is wrong with a cell or a row. */
const cellProblemSchema = z.object({ code: z.string(), message: sentenceSchema });

/** How far a check is. */
const checkStateSchema = z.object({
  list: listSchema,
  /** Set where the file holds rejects of a run: its rows have other numbers than in the file of that run. */
  rejectsOf: rejectsOfSchema.nullable(),
  /** Changes when the file, how it is read, the mapping or a corrected cell does. */
  revision: z.string(),
  /** Changes when the mapping does: a rule names the one that it was made on. */
  mapping: z.string(),
  phase: z.enum(['opening', 'reading', 'finished', 'stopped', 'failed']),
  /** Whether enough has been checked to be looked at. */
  hasFirstRows: z.boolean(),
  mode: z.enum(MODES).nullable(),
  /** Share of the file that was read, from 0 to 1. */
  share: z.number(),
  secondsLeft: z.number().nullable(),
  rows: z.number(),
  clients: z.number(),
  rejected: z.number(),
  skipped: z.number(),
  duplicates: z.number(),
  groups: z.array(problemGroupSchema),
  /** Why rejected rows cannot be shown, where some cannot. */
  notShown: sentenceSchema.nullable(),
  /** Single cells that the person has corrected. */
  corrections: z.number(),
  /** At the end: what is left out of rows that are sent. */
  remarks: z.array(remarkSchema),
  /** At the end: what was found out about the list as a whole. */
  facts: listFactsSchema,
  /** At the end: where the mapping, and not the file, seems to be wrong. */
  suspicions: z.array(sentenceSchema),
  /** At the end: what else is to be known of columns. */
  notes: z.array(sentenceSchema),
  /** Why the check has failed. */
  problem: problemSchema.nullable(),
  /** Why the mapping does not fit. */
  mistakes: z.array(mistakeSchema),
});

const checkedCellSchema = z.object({
  /** `null` for an empty cell. Personal data, hidden with `--mask`. */
  value: z.string().nullable(),
  /** What is wrong with it; empty for a good cell. */
  problems: z.array(cellProblemSchema),
  /** Whether only its beginning is shown. */
  isCut: z.boolean(),
  /** Whether the person has corrected it. */
  isCorrected: z.boolean(),
  /** Stands for the cell and what the file holds in it, for a correction; `null` where there is nothing to correct. */
  cell: z.string().nullable(),
});

const checkedRowSchema = z.object({
  sheet: z.string().nullable(),
  row: z.number(),
  /** In the order of `columns`. */
  cells: z.array(checkedCellSchema),
  /** What is wrong with the row as a whole. */
  problems: z.array(cellProblemSchema),
});

const checkedRowsSchema = z.object({
  revision: z.string(),
  /** Headers; those of the group come first. */
  columns: z.array(z.string()),
  /** Columns of the file that are not shown, since it has too many. */
  moreColumns: z.number(),
  /** Rows of the group that can be shown by now. */
  total: z.number(),
  offset: z.number(),
  rows: z.array(checkedRowSchema),
});

/** A rule that can be made, and what it would do. */
const ruleOffer = z.object({
  /** Stands for the rule, on the mapping as it is now. */
  rule: z.string(),
  /** Rows that it touches. */
  rows: z.number(),
  /** Rows among them in which nothing else is wrong. */
  mends: z.number(),
  /** Whether there may be more of both. */
  isMin: z.boolean(),
});

const mendsSchema = z.object({
  revision: z.string(),
  mapping: z.string(),
  values: z.array(
    z.object({
      value: z.string(),
      rows: z.number(),
      /** Another value in its place; `choices`: those that the card takes, `null` for any. */
      replace: ruleOffer.extend({ choices: z.array(z.string()).nullable() }).nullable(),
      /** It counts as an empty cell. */
      blank: ruleOffer.nullable(),
    }),
  ),
  hasMoreValues: z.boolean(),
});

const REMEDIES = ['number', 'date', 'small', 'capital', 'split', 'optional', 'drop'] as const;

const remediesSchema = z.object({
  revision: z.string(),
  /** Rows that they were tried on, the first ones of the list. */
  rows: z.number(),
  /** Whether these are all rows. */
  isAll: z.boolean(),
  /** The one that gains most first. */
  remedies: z.array(
    z.object({
      /** Stands for the change, on the mapping as it is now. */
      rule: z.string(),
      kind: z.enum(REMEDIES),
      /** The pattern of dates, the sign before decimals or between values that it chooses; empty: none. */
      choice: z.string(),
      /** A value that it mends. Personal data, hidden with `--mask`. */
      example: z.string().nullable(),
      /** How many more of these rows would be sent. */
      gain: z.number(),
    }),
  ),
});

/** A rule for all rows with the same value, which becomes a part of the mapping. */
const ruleSchema = z.object({
  rule: z.string(),
  /** What the value is replaced by; of no use to other rules. */
  to: z.string().max(4000).default(''),
});

const place = z.object({
  sheet: z.string().nullable(),
  row: z.int().min(1),
  column: z.string().min(1),
});

/** One cell as it should be; `null` for an empty one. The file itself is never touched. */
const correctionSchema = z.object({
  cell: z.string(),
  value: z.string().max(4000).nullable(),
});

/** A cell that was corrected, with what the file holds. Personal data, hidden with `--mask`. */
const correctedSchema = place.extend({
  was: z.string().nullable(),
  becomes: z.string().nullable(),
});

const corrections = z.object({ corrections: z.array(correctedSchema) });

const groupSchema = z.object({ group: z.string().max(1000) });

export const checkRoutes = {
  /** Begins a check where none fits, and shows its progress, to its end. */
  'GET /api/lists/:list/check': { ...STREAM, response: checkStateSchema },
  'GET /api/lists/:list/check/rows': {
    ...READ,
    query: groupSchema.extend({
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: checkedRowsSchema,
  },
  /** The rules that mend rows of a group. */
  'GET /api/lists/:list/check/mends': {
    ...READ,
    query: groupSchema,
    response: mendsSchema,
  },
  /** What mends rows of a group whatever their values are, tried on the first rows. */
  'GET /api/lists/:list/check/remedies': {
    ...READ,
    query: groupSchema,
    response: remediesSchema,
  },
  'POST /api/lists/:list/check/rules': {
    ...CHANGE,
    body: ruleSchema,
    response: z.object({ mapping: z.string() }),
  },
  'GET /api/lists/:list/corrections': { ...READ, response: corrections },
  'PUT /api/lists/:list/corrections': { ...CHANGE, body: correctionSchema, response: corrections },
  /** Takes corrections back. */
  'DELETE /api/lists/:list/corrections': { ...CHANGE, body: place, response: corrections },
} as const satisfies RouteTable;

export type CheckState = Sent<typeof checkStateSchema>;
export type ProblemGroup = Sent<typeof problemGroupSchema>;
export type CheckedRows = Sent<typeof checkedRowsSchema>;
export type CheckedRow = Sent<typeof checkedRowSchema>;
export type CheckedCell = Sent<typeof checkedCellSchema>;
export type Mends = Sent<typeof mendsSchema>;
export type Remedies = Sent<typeof remediesSchema>;
export type RuleOffer = Sent<typeof ruleOffer>;
export type Corrected = Sent<typeof correctedSchema>;
