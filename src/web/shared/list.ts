import { z } from 'zod';
import { CHANGE, READ, type RouteTable, sentenceSchema, STREAM, type Sent } from './route.js';
import { STEPS } from './in-browser.js';

const sheet = z.string().nullable();
const headerRow = z.union([z.int().min(1), z.literal('none')]).nullable();
const encoding = z.string().max(40).nullable();
const delimiter = z.string().min(1).max(8).nullable();

/** How the file is read: what is not set is found out. */
export const sourceChoiceSchema = z.object({
  sheet: sheet.default(null),
  headerRow: headerRow.default(null),
  encoding: encoding.default(null),
  delimiter: delimiter.default(null),
});

/** A change of it: what is not named stays. A schema with defaults, made partial, would set it back. */
const sourceChangeSchema = z.object({ sheet, headerRow, encoding, delimiter }).partial();

/** Where rows of rejects come from: the run that rejected them, and the name of its file. */
export const rejectsOfSchema = z.object({ run: z.string(), file: z.string() });

export type RejectsOf = Sent<typeof rejectsOfSchema>;

/** A spreadsheet, and what was chosen for it. */
export const listSchema = z.object({
  id: z.string(),
  /** Name of the file. */
  name: z.string(),
  bytes: z.number(),
  /** Whether all of the file is there. */
  complete: z.boolean(),
  /** ISO 8601. */
  createdAt: z.string(),
  source: sourceChoiceSchema,
  /** Name under which its mapping was saved or from which it was taken; `null` while it has none. */
  mapping: z.string().nullable(),
  /** Whether no file outside of the list has its mapping as it is now. */
  isUnsaved: z.boolean(),
  /** Whether it began with the mapping that the last file with its columns had. */
  likeLast: z.boolean(),
  /** The run that was started with it. */
  run: z.string().nullable(),
  /** The last step that was reached. */
  step: z.enum(STEPS),
  /** What does the same on the command line. */
  command: z.string(),
});

const cell = z.string().nullable();

/** A file as far as its beginning shows it. */
const previewSchema = z.object({
  list: listSchema,
  format: z.string(),
  formatName: sentenceSchema,
  /** How the file was packed. */
  packing: z.enum(['gzip', 'zip']).nullable(),
  /** Sheets with rows, in the order of their tabs; none where the format has none. */
  sheets: z.array(z.object({ name: z.string(), isHidden: z.boolean(), isRead: z.boolean() })),
  /** `null` where the format has none. */
  encoding: z.string().nullable(),
  /** Set while the encoding is not sure: the runner-up, and a word in both. */
  doubt: z.object({ runnerUp: z.string(), word: z.string(), otherWord: z.string() }).nullable(),
  delimiter: z.string().nullable(),
  /** `null` where the format names its columns itself. */
  headerRow: z.union([z.number(), z.literal('none')]).nullable(),
  /** Whether the row above it is a part of the header. */
  isJoined: z.boolean(),
  header: z.array(z.string()),
  /** What is wrong with the header: it can be chosen anew. */
  headerProblem: sentenceSchema.nullable(),
  /** Rows above the header, for choosing another one. */
  above: z.array(z.object({ row: z.number(), cells: z.array(cell) })),
  /** The first data rows. */
  rows: z.array(z.object({ row: z.number(), cells: z.array(cell) })),
  /** Number of data rows, where the preview has seen all of them. */
  count: z.number().nullable(),
});

/** How far the rows of a file go, as far as they have been counted. */
const extentSchema = z.object({
  rows: z.number(),
  isWhole: z.boolean(),
  /** Numbers of the last rows that look like totals. */
  totals: z.array(z.number()),
  /** Sheets that are not read and have the same columns; `sheet`: the choice that reads them too, where there is one. */
  continuation: z.object({ sheets: z.array(z.string()), sheet: z.string().nullable() }).nullable(),
});

export const fileRoutes = {
  'GET /api/lists': {
    ...READ,
    response: z.object({
      /** The latest first. `isDone`: its import has come to its end. */
      lists: z.array(listSchema.extend({ isDone: z.boolean() })),
    }),
  },
  /** Makes a list for a file that is uploaded next, or of a sample. */
  'POST /api/lists': {
    ...CHANGE,
    body: z.union([
      z.object({ name: z.string().min(1).max(255), bytes: z.int().min(0) }),
      z.object({ sample: z.string() }),
    ]),
    response: listSchema,
  },
  'PUT /api/lists/:list/file': {
    ...{ kind: 'upload', access: 'session', changes: true },
    response: listSchema,
  },
  'GET /api/lists/:list': { ...READ, response: listSchema },
  'DELETE /api/lists/:list': { ...CHANGE, response: z.object({}) },
  'GET /api/lists/:list/preview': { ...READ, response: previewSchema },
  /** Counts the rows of the file to its end. */
  'GET /api/lists/:list/extent': { ...STREAM, response: extentSchema },
  /** Changes how the file is read; `null` has it found out again. Where that cannot be read, nothing is changed. */
  'PATCH /api/lists/:list/source': {
    ...CHANGE,
    body: sourceChangeSchema,
    response: previewSchema,
  },
} as const satisfies RouteTable;

export type List = Sent<typeof listSchema>;
export type Preview = Sent<typeof previewSchema>;
export type Extent = Sent<typeof extentSchema>;
export type SourceChoice = Sent<typeof sourceChoiceSchema>;
