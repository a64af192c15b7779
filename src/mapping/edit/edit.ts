import { z } from 'zod';
import { columnName, filled, scalar, someText } from '../../config/scalar.js';
import { ADDRESS_TYPES, PHONE_TYPES } from '../../core/client.js';
import { transform, transforms, valueShape, where } from '../schema/value.js';
import { source } from '../schema/rules.js';
import { TRANSFORM_NAMES } from '../transforms/registry.js';
import { columnTarget } from '../column-uses.js';

/** What a schema takes, as it was given: a mapping does not write out what holds without being said. */
const asGiven = <S extends z.ZodType>(schema: S) =>
  z.custom<z.input<S>>(
    (value) => schema.safeParse(value).success,
    'it is not written as a mapping has it.',
  );

const step = asGiven(transform);
const path = z.array(z.union([z.string(), z.int().min(0)])).min(1);

/** Which value is meant, where a column is used in several. */
const use = {
  column: columnName,
  /** Place of the value in the mapping. @default the first one made of the column */
  at: path.optional(),
} as const;

const { map, default: fallback, required, blank, invalid, split, part } = valueShape;

/** What stands beside the column of a value. */
export const valueKeys = z.strictObject({
  ...{ split, part, blank, transform: asGiven(transforms).optional() },
  ...{ map, default: fallback, required, invalid },
});
export type ValueKeys = z.output<typeof valueKeys>;

const { sheet, headerRow, encoding, delimiter } = source.shape;
/** `null`: the option is taken out. */
const orNone = <S extends z.ZodType>(schema: S) => schema.nullable();

/** One edit of a mapping, as the page makes it. */
export const mappingEdit = z.discriminatedUnion('kind', [
  // Sets what a column becomes.
  z.strictObject({
    kind: z.literal('become'),
    column: columnName,
    /** `null`: the column is not imported. */
    target: columnTarget.nullable(),
    /** Place of the value that the column leaves; `new`: it leaves none. @default all values that it is part of */
    at: z.union([path, z.literal('new')]).optional(),
    /** Adds the column to those that the target has, with this text between them; `true`: a space. @default it takes their place */
    join: z.union([z.literal(true), z.string()]).optional(),
    /** @default MOB */
    phoneType: z.enum(PHONE_TYPES).optional(),
    /** @default HOME */
    addressType: z.enum(ADDRESS_TYPES).optional(),
    keys: valueKeys.optional(),
  }),
  // Makes a value of several columns, which keep what else they become. `join`: text between them, by default a space.
  z.strictObject({
    kind: z.literal('columns'),
    target: columnTarget,
    columns: z.array(columnName).min(1),
    join: z.string().optional(),
  }),
  // Gives every row the same value.
  z.strictObject({ kind: z.literal('constant'), target: columnTarget, value: orNone(scalar) }),
  // Sets a transform of a value; one of the same name is replaced.
  z.strictObject({ kind: z.literal('step'), ...use, step }),
  // Takes the transforms of a name out.
  z.strictObject({ kind: z.literal('withoutStep'), ...use, name: z.enum(TRANSFORM_NAMES) }),
  // Sets all transforms of a value.
  z.strictObject({ kind: z.literal('steps'), ...use, steps: z.array(step) }),
  // Replaces one value of a column by another.
  z.strictObject({
    kind: z.literal('mapValue'),
    ...use,
    /** The cell, as it stands in the file. */
    from: filled,
    to: orNone(scalar),
    /** Values that stay as they are, since a map rejects what it does not know. @default all others stay */
    keep: z.array(z.string()).optional(),
  }),
  // Sets the words that count as an empty cell: none where there are no words. By default in all columns.
  z.strictObject({
    kind: z.literal('blank'),
    column: columnName.optional(),
    at: use.at,
    words: z.array(scalar),
  }),
  // Sets what becomes of a wrong value.
  z.strictObject({ kind: z.literal('invalid'), ...use, invalid: z.enum(['reject', 'drop']) }),
  // Sets the value of rows that have none.
  z.strictObject({ kind: z.literal('default'), ...use, value: orNone(scalar) }),
  // Sets whether a row without the value is rejected.
  z.strictObject({ kind: z.literal('required'), ...use, required: z.boolean() }),
  // Sets what stands between several values in one cell.
  z.strictObject({ kind: z.literal('split'), ...use, split: orNone(someText), part }),
  // Sets which rows are taken; `null`: all of them.
  z.strictObject({ kind: z.literal('where'), where: orNone(asGiven(where)) }),
  // Sets how the spreadsheet is read.
  z.strictObject({
    kind: z.literal('source'),
    options: z.strictObject({
      sheet: orNone(sheet),
      headerRow: orNone(headerRow),
      encoding: orNone(encoding),
      delimiter: orNone(delimiter),
    }),
  }),
]);

export type MappingEdit = z.output<typeof mappingEdit>;
export type EditOf<Kind extends MappingEdit['kind']> = Extract<MappingEdit, { kind: Kind }>;
