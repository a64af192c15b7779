import { z } from 'zod';
import { columnName, filled, scalar, someText } from '../../config/scalar.js';
import { map } from '../transforms/map.js';
import { transforms } from './transform.js';

/** Words that mean nothing. */
export const blank = z
  .array(scalar)
  .min(1)
  .describe(
    'Cells that hold one of these words count as empty: in any case of letters, without white space at their ends.',
  );

/** Where a value comes from, and what is done with it on its way. Order: split, transform, map, default. */
export const valueShape = {
  value: scalar.optional().describe('A constant, the same for every row.'),
  column: columnName.optional(),
  columns: z
    .array(columnName)
    .min(1)
    .optional()
    .describe('Several columns, joined; blank cells are left out.'),
  join: z.string().optional().describe('Text between joined columns. Default: one space.'),
  template: filled
    .optional()
    .describe('Text with {Column} for cells of the row; {{ and }} are plain brackets.'),
  split: someText.optional().describe('Text between several values in one cell, such as ";".'),
  part: z
    .int()
    .min(1)
    .optional()
    .describe('Which part of a split cell is meant, from 1. Default: all.'),
  transform: transforms.optional().describe('What is done with the value, in order.'),
  map: map.options.optional(),
  default: scalar
    .optional()
    .describe('Used when there is no value, or the map does not know it. Default: none.'),
  required: z
    .boolean()
    .optional()
    .describe('Whether a row without it is rejected. Default: false.'),
  blank: blank.optional(),
  invalid: z
    .enum(['reject', 'drop'])
    .optional()
    .describe(
      'What becomes of a value that is wrong: reject: the row is rejected; drop: the value is left out, with a remark ' +
        'in the report. Default: reject.',
    ),
} as const;

const SOURCES = ['value', 'column', 'columns', 'template'] as const;

interface Written {
  readonly [key: string]: unknown;
}

/** What zod cannot say by keys alone; in plain words. */
export function valueMistakes(written: Written): string[] {
  const sources = SOURCES.filter((key) => written[key] !== undefined);
  const mistakes: string[] = [];
  if (sources.length === 0) {
    mistakes.push(
      'it does not say where the value comes from. Add column, columns, template or value.',
    );
  }
  if (sources.length > 1) mistakes.push(`it names ${sources.join(' and ')}. Keep one of them.`);
  if (written['join'] !== undefined && written['columns'] === undefined) {
    mistakes.push('"join" belongs beside "columns".');
  }
  if (written['part'] !== undefined && written['split'] === undefined) {
    mistakes.push('"part" belongs beside "split".');
  }
  if (written['value'] !== undefined && written['blank'] !== undefined) {
    mistakes.push('"blank" belongs beside a column.');
  }
  return mistakes;
}

export function checkValue(context: z.core.ParsePayload<Written>): void {
  report(valueMistakes(context.value), context);
}

/** Adds mistakes to those that are found of a value. */
export function report(mistakes: readonly string[], context: z.core.ParsePayload): void {
  for (const message of mistakes)
    context.issues.push({ code: 'custom', message, input: context.value });
}

const objectOfValue = z.strictObject(valueShape).check(checkValue).meta({ id: 'valueObject' });
type ObjectOfValue = typeof objectOfValue;

/** It has a name, so that declarations of types name it: spelled out wherever it is used, they are a megabyte. */
export interface ValueObjectSchema extends ObjectOfValue {}
export const valueObject: ValueObjectSchema = objectOfValue;

/** A value: a bare string names a column. */
export const value = z.union([columnName, valueObject]).meta({ id: 'value' });

export type ValueObject = z.output<typeof valueObject>;
export type ValueSpec = z.output<typeof value>;

/** Either one of a few fixed words, or a value that must come out as one of them. */
export function wordOrValue<const T extends readonly string[]>(words: T) {
  return z.union([z.enum(words), valueObject]);
}

/** True, false, or a value that must come out as one of them. */
export const flag = z.union([z.boolean(), columnName, valueObject]);
export type FlagSpec = z.output<typeof flag>;
