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
  at: path
    .optional()
    .describe('Place of the value in the mapping. Default: the first one made of the column.'),
} as const;

const { map, default: fallback, required, blank, invalid, split, part } = valueShape;

/** What stands beside the column of a value. */
export const valueKeys = z
  .strictObject({
    split,
    part,
    blank,
    transform: asGiven(transforms).optional(),
    map,
    default: fallback,
    required,
    invalid,
  })
  .describe('What stands beside the column.');
export type ValueKeys = z.output<typeof valueKeys>;

const { sheet, headerRow, encoding, delimiter } = source.shape;
const orNone = <S extends z.ZodType>(schema: S) =>
  schema.nullable().describe('null: the option is taken out.');

/** One edit of a mapping, as the page makes it. */
export const mappingEdit = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('become'),
      column: columnName,
      target: columnTarget.nullable().describe('null: the column is not imported.'),
      at: z
        .union([path, z.literal('new')])
        .optional()
        .describe(
          'Place of the value that the column leaves; new: it leaves none. Default: all values that it is part of.',
        ),
      join: z
        .union([z.literal(true), z.string()])
        .optional()
        .describe(
          'Adds the column to those that the target has, with this text between them; true: a space. Default: it takes their place.',
        ),
      phoneType: z.enum(PHONE_TYPES).optional().describe('Default: MOB.'),
      addressType: z.enum(ADDRESS_TYPES).optional().describe('Default: HOME.'),
      keys: valueKeys.optional(),
    })
    .describe('Sets what a column becomes.'),
  z
    .strictObject({
      kind: z.literal('columns'),
      target: columnTarget,
      columns: z.array(columnName).min(1),
      join: z.string().optional().describe('Text between them. Default: a space.'),
    })
    .describe('Makes a value of several columns, which keep what else they become.'),
  z
    .strictObject({ kind: z.literal('constant'), target: columnTarget, value: orNone(scalar) })
    .describe('Gives every row the same value.'),
  z
    .strictObject({ kind: z.literal('step'), ...use, step })
    .describe('Sets a transform of a value; one of the same name is replaced.'),
  z
    .strictObject({ kind: z.literal('withoutStep'), ...use, name: z.enum(TRANSFORM_NAMES) })
    .describe('Takes the transforms of a name out.'),
  z
    .strictObject({ kind: z.literal('steps'), ...use, steps: z.array(step) })
    .describe('Sets all transforms of a value.'),
  z
    .strictObject({
      kind: z.literal('mapValue'),
      ...use,
      from: filled.describe('The cell, as it stands in the file.'),
      to: orNone(scalar),
      keep: z
        .array(z.string())
        .optional()
        .describe(
          'Values that stay as they are, since a map rejects what it does not know. Default: all others stay.',
        ),
    })
    .describe('Replaces one value of a column by another.'),
  z
    .strictObject({
      kind: z.literal('blank'),
      column: columnName.optional().describe('Default: all columns.'),
      at: use.at,
      words: z.array(scalar).describe('Empty: no word counts as an empty cell.'),
    })
    .describe('Sets the words that count as an empty cell.'),
  z
    .strictObject({ kind: z.literal('invalid'), ...use, invalid: z.enum(['reject', 'drop']) })
    .describe('Sets what becomes of a wrong value.'),
  z
    .strictObject({ kind: z.literal('default'), ...use, value: orNone(scalar) })
    .describe('Sets the value of rows that have none.'),
  z
    .strictObject({ kind: z.literal('required'), ...use, required: z.boolean() })
    .describe('Sets whether a row without the value is rejected.'),
  z
    .strictObject({ kind: z.literal('split'), ...use, split: orNone(someText), part })
    .describe('Sets what stands between several values in one cell.'),
  z
    .strictObject({ kind: z.literal('where'), where: orNone(asGiven(where)) })
    .describe('Sets which rows are taken. null: all of them.'),
  z
    .strictObject({
      kind: z.literal('source'),
      options: z.strictObject({
        sheet: sheet.nullable(),
        headerRow: headerRow.nullable(),
        encoding: encoding.nullable(),
        delimiter: delimiter.nullable(),
      }),
    })
    .describe('Sets how the spreadsheet is read. null: the option is taken out.'),
]);

export type MappingEdit = z.output<typeof mappingEdit>;
export type EditOf<Kind extends MappingEdit['kind']> = Extract<MappingEdit, { kind: Kind }>;
