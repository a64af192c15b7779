import { z } from 'zod';
import { listSchema } from './list.js';
import {
  CHANGE,
  READ,
  type RouteTable,
  sentenceSchema,
  type Sent,
  mistakeSchema,
} from './route.js';

/** A value and how often it occurs in the rows that were looked at. Personal data: hidden with `--mask`. */
const counted = z.object({ value: z.string(), count: z.number() });

/** Place of a value in the mapping. */
const path = z.array(z.union([z.string(), z.int().min(0)])).min(1);

/** Where a column can go: `fields.<name>` of the card, `phones`, `emails` and so on. */
const targetSchema = z.object({
  target: z.string(),
  /** Name of the card field and what people call it; `null` for parts that every client has. */
  name: z.string().nullable(),
  title: z.string().nullable(),
  aliases: z.array(z.string()),
  type: z.string().nullable(),
  /** Values that are allowed; empty: any. */
  values: z.array(z.string()),
  isRequired: z.boolean(),
  isIdentifier: z.boolean(),
  /** Columns that fill it now. */
  columns: z.array(z.string()),
  /** What all rows have where no column fills it; `null`: nothing, or it is found in another way. */
  constant: z.string().nullable(),
  /** Whether the mapping says something of it. */
  isFilled: z.boolean(),
});

/** A row as it would be sent. */
const cardSchema = z.object({
  row: z.number(),
  /** Identifiers first; empty for a row that becomes nothing. */
  parts: z.array(
    z.object({
      /** As of `targetSchema`, or what the interface calls it. */
      target: z.string(),
      /** Personal data, hidden with `--mask`. */
      text: z.string(),
      /** Type and marks of a contact. */
      marks: z.array(z.string()),
    }),
  ),
  /** Why it becomes nothing. */
  problems: z.array(
    z.object({ column: z.string().nullable(), code: z.string(), message: sentenceSchema }),
  ),
});

/** A value of the mapping that a column is part of. */
const useSchema = z.object({
  target: z.string(),
  at: path,
  /** All columns that it is made of, this one included. */
  columns: z.array(z.string()),
  phoneType: z.string().nullable(),
  /** What is done with the cells, one after the other. `options` are absent where it is written as a bare name. */
  steps: z.array(z.object({ name: z.string(), options: z.unknown() })),
  map: z.array(z.object({ from: z.string(), to: z.string(), count: z.number() })),
  blank: z.array(z.string()),
  invalid: z.enum(['reject', 'drop']),
  required: z.boolean(),
  default: z.string().nullable(),
  /** How many of the cells that were looked at can be used. */
  good: z
    .object({
      code: z.string(),
      params: z.object({ good: z.number(), filled: z.number() }),
    })
    .nullable(),
  /** What is wrong with the others, the most frequent first. */
  problems: z.array(
    z.object({
      code: z.string(),
      message: sentenceSchema,
      count: z.number(),
      values: z.array(counted),
    }),
  ),
  /** The first cells that differ, what is sent of each, and why it is not. Personal data, hidden with `--mask`. */
  examples: z.array(
    z.object({
      from: z.string(),
      to: z.string().nullable(),
      message: sentenceSchema.nullable(),
    }),
  ),
  /** What is wrong with how it is written; `null` where nothing is. */
  mistake: sentenceSchema.nullable(),
});

const columnSchema = z.object({
  index: z.number(),
  header: z.string(),
  filled: z.number(),
  /** Values that differ. */
  distinct: z.number(),
  /** The most frequent values where few differ, else the first ones. */
  examples: z.array(counted),
  /** Empty: it is not imported. */
  uses: z.array(useSchema),
  suggested: z.object({
    target: z.string().nullable(),
    phoneType: z.string().nullable(),
    /** From 0 to 1. */
    score: z.number(),
    why: sentenceSchema,
  }),
});

/** What is wrong with the mapping, with its place in the text. */
const placedMistakeSchema = mistakeSchema.extend({ column: z.number().nullable() });

const missingSchema = z.object({
  target: z.string(),
  isIdentifier: z.boolean(),
  /** Columns that are proposed. */
  columns: z.array(z.string()),
  /** The same value for all rows, where that is proposed. */
  value: z.string().nullable(),
});

/** A condition on rows. Values are personal data. */
const conditionSchema = z.object({
  column: z.string(),
  is: z.enum(['in', 'notIn', 'empty', 'filled']),
  values: z.array(z.string()),
});

/** What only a person can decide; `isAnswered`: somebody has. */
const asked = { id: z.string(), isAnswered: z.boolean() };
const decisionSchema = z.discriminatedUnion('kind', [
  /** Whether rows that say that nobody may call are taken; `condition` leaves them out, `null`: which ones is not known. */
  z.object({
    kind: z.literal('filter'),
    ...asked,
    column: z.string(),
    about: z.enum(['calls', 'messages', 'status']),
    answers: z.array(
      z.object({
        text: z.string(),
        count: z.number(),
        says: z.enum(['allows', 'forbids', 'open']),
      }),
    ),
    condition: conditionSchema.nullable(),
  }),
  /** Ways to read a column; `keys`: what stands beside it in the mapping then. */
  z.object({
    kind: z.literal('value'),
    ...asked,
    column: z.string(),
    target: z.string(),
    choices: z.array(z.object({ column: z.string(), keys: z.record(z.string(), z.unknown()) })),
    chosen: z.number().nullable(),
  }),
  /** Of which country numbers without a code are. */
  z.object({
    kind: z.literal('country'),
    ...asked,
    columns: z.array(z.string()),
    country: z.string().nullable(),
  }),
]);

const columnsSchema = z.object({
  list: listSchema,
  /** Changes with every change of the mapping: an edit names the one that it was made on. */
  revision: z.string(),
  /** The mapping as it was typed or clicked; `null` with `--mask`, since its maps and comments hold words of clients. */
  yaml: z.string().nullable(),
  /** Whether the text is no YAML: the columns are those of the last text that was. */
  isBroken: z.boolean(),
  mistakes: z.array(placedMistakeSchema),
  mode: z.string(),
  sheet: z.string().nullable(),
  /** Rows that were looked at, and rows of the file where they are known. */
  sampled: z.number(),
  rows: z.number().nullable(),
  /** How many of the first rows those are from; `null`: they are from the whole file. */
  beginning: z.number().nullable(),
  columns: z.array(columnSchema),
  missing: z.array(missingSchema),
  decisions: z.array(decisionSchema),
  /** Which rows are taken; `null`: it is written so that it can be changed in the text alone, or hidden. */
  conditions: z.array(conditionSchema).nullable(),
  targets: z.array(targetSchema),
  /** The first rows as they would be sent; none as long as something is missing or wrong. */
  cards: z.array(cardSchema),
  /** Countries that have phone numbers of their own, by their two letters. */
  countries: z.array(z.string()),
  /** Whether it is a suggestion that nobody has worked on. */
  isDraft: z.boolean(),
  /** Mappings that were saved under a name. */
  saved: z.array(z.string()),
});

const column = z.string().min(1);
const use = { column, at: path };

/** One click: what is to be changed in the mapping. */
const columnEditSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('become'),
    column,
    /** `null`: the column is not imported. */
    target: z.string().nullable(),
    /** The value that the column leaves; `new`: none. Absent: all that it is part of. */
    at: z.union([path, z.literal('new')]).optional(),
    /** Adds the column to those that the target has. */
    join: z.literal(true).optional(),
    phoneType: z.string().optional(),
    /** What stands beside it. Absent: what suits the cells of the column. */
    keys: z.record(z.string(), z.unknown()).optional(),
  }),
  /** Takes what is proposed for something that is missing. */
  z.object({ kind: z.literal('propose'), target: z.string() }),
  z.object({
    kind: z.literal('step'),
    ...use,
    step: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('withoutStep'), ...use, name: z.string() }),
  z.object({
    kind: z.literal('mapValue'),
    ...use,
    from: z.string(),
    to: z.string().nullable(),
    /** Values that stay as they are: a map rejects what it does not know. */
    keep: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('blank'), ...use, words: z.array(z.string()) }),
  z.object({ kind: z.literal('invalid'), ...use, invalid: z.enum(['reject', 'drop']) }),
  z.object({ kind: z.literal('default'), ...use, value: z.string().nullable() }),
  /** Takes the rows for which all of these hold. */
  z.object({ kind: z.literal('conditions'), conditions: z.array(conditionSchema).max(20) }),
  /** Gives every row the same value; `null`: none. */
  z.object({ kind: z.literal('constant'), target: z.string(), value: z.string().nullable() }),
]);

/** What a mapping begins anew with. `readable` is the last text that was YAML. */
const beginWithSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved'), name: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('suggested') }),
  z.object({ kind: z.literal('readable') }),
]);

const revision = z.object({ revision: z.string() });

export const columnsRoutes = {
  'GET /api/lists/:list/columns': { ...READ, response: columnsSchema },
  'POST /api/lists/:list/columns/edits': {
    ...CHANGE,
    body: revision.extend({
      edits: z.array(columnEditSchema).max(50),
      /** Ids of the decisions that it answers, as the first choice or another. */
      answers: z.array(z.string()).max(20).optional(),
      /** Shows what they would come to, and changes nothing. */
      trial: z.literal(true).optional(),
    }),
    response: columnsSchema,
  },
  /** The YAML as it was typed. With mistakes it is kept all the same, and the columns stay as they were. */
  'PUT /api/lists/:list/mapping': {
    ...CHANGE,
    body: revision.extend({ yaml: z.string().max(1_000_000) }),
    response: columnsSchema,
  },
  'POST /api/lists/:list/mapping/use': {
    ...CHANGE,
    body: revision.extend({ from: beginWithSchema }),
    response: columnsSchema,
  },
  /** Saves it under a name, in the place of the one that has it only where that was asked. */
  'POST /api/lists/:list/mapping/save': {
    ...CHANGE,
    body: z.object({
      /** `null`: as it is now. */
      revision: z.string().nullable(),
      name: z.string().min(1).max(100),
      overwrite: z.boolean(),
    }),
    response: columnsSchema,
  },
} as const satisfies RouteTable;

export type Columns = Sent<typeof columnsSchema>;
export type Column = Sent<typeof columnSchema>;
export type ColumnUse = Sent<typeof useSchema>;
export type ColumnEdit = Sent<typeof columnEditSchema>;
export type Condition = Sent<typeof conditionSchema>;
export type Decision = Sent<typeof decisionSchema>;
export type Card = Sent<typeof cardSchema>;
export type Target = Sent<typeof targetSchema>;
export type Missing = Sent<typeof missingSchema>;
export type Mistake = Sent<typeof placedMistakeSchema>;
export type BeginWith = Sent<typeof beginWithSchema>;
