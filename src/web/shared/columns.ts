import { z } from 'zod';
import { problemSchema } from './errors.js';
import { CHANGE, READ, type RouteTable } from './route.js';

/** Where a column can go: `fields.<name>`, `phones`, `emails` and so on. */
export const targetSchema = z.object({
  target: z.string(),
  title: z.string(),
  required: z.boolean(),
  /** Values that the card allows; empty: any. */
  values: z.array(z.string()),
});

/** What is done with the values of a column, in words that the page has a sentence for. */
export const transformSchema = z.object({
  name: z.string(),
  /** Its options as they stand in the mapping. */
  options: z.record(z.string(), z.unknown()),
});

export const columnSchema = z.object({
  name: z.string(),
  /** A few values that differ. Personal data: as text, hidden with `--mask`. */
  examples: z.array(z.string()),
  /** Values that occur most, where there are few: for a value map. */
  values: z.array(z.object({ value: z.string(), count: z.number() })),
  target: z.string().nullable(),
  /** What the other columns of the same target are, where several are joined. */
  joinedWith: z.array(z.string()),
  transforms: z.array(transformSchema),
  /** From 0 to 1; `null` where the person has decided. */
  score: z.number().nullable(),
  why: z.string(),
  /** Rows tried, and those of them that fit. */
  tried: z.number(),
  fits: z.number(),
});

export const columnsSchema = z.object({
  /** Changes with every change of the mapping: an edit names the one that it was made on. */
  revision: z.string(),
  columns: z.array(columnSchema),
  targets: z.array(targetSchema),
  /** Required targets without a column, with what could fill them. */
  missing: z.array(z.object({ target: z.string(), suggestion: z.array(z.string()) })),
  yaml: z.string(),
  /** What is wrong with the mapping, with its place in the YAML. */
  mistakes: z.array(
    problemSchema.extend({ line: z.number().nullable(), column: z.number().nullable() }),
  ),
  /** Whether the mapping differs from the one saved under the list's `mapping`. */
  unsaved: z.boolean(),
  mode: z.string(),
});

/** One click: what is to be changed in the mapping. */
export const columnEditSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('target'), column: z.string(), target: z.string().nullable() }),
  z.object({ kind: z.literal('join'), columns: z.array(z.string()), target: z.string() }),
  z.object({
    kind: z.literal('transforms'),
    column: z.string(),
    transforms: z.array(transformSchema),
  }),
  z.object({
    kind: z.literal('value'),
    column: z.string(),
    from: z.string(),
    to: z.string().nullable(),
  }),
  z.object({ kind: z.literal('blank'), column: z.string(), value: z.string() }),
]);

const revision = z.object({ revision: z.string() });

export const columnsRoutes = {
  'GET /api/lists/:list/columns': { ...READ, response: columnsSchema },
  'POST /api/lists/:list/columns/edits': {
    ...CHANGE,
    body: revision.extend({ edits: z.array(columnEditSchema).min(1) }),
    response: columnsSchema,
  },
  /** The YAML as it was typed. With mistakes it is kept all the same, and the columns stay as they were. */
  'PUT /api/lists/:list/mapping': {
    ...CHANGE,
    body: revision.extend({ yaml: z.string().max(1_000_000) }),
    response: columnsSchema,
  },
  'GET /api/mappings': {
    ...READ,
    response: z.object({
      mappings: z.array(z.object({ name: z.string(), changedAt: z.string() })),
    }),
  },
  'POST /api/lists/:list/mapping/use': {
    ...CHANGE,
    body: z.object({ name: z.string() }),
    response: columnsSchema,
  },
  'POST /api/lists/:list/mapping/save': {
    ...CHANGE,
    body: revision.extend({ name: z.string().min(1).max(100), overwrite: z.boolean() }),
    response: columnsSchema,
  },
} as const satisfies RouteTable;

export type Columns = z.output<typeof columnsSchema>;
export type ColumnEdit = z.output<typeof columnEditSchema>;
