import { z } from 'zod';
import { columnName, filled, scalar, someText } from '../../config/scalar.js';
import { map, isBare, TRANSFORM_NAMES, transformOptions } from '../transforms/registry.js';

/** Words that mean nothing. */
export const blank = z.array(scalar).min(1);

const part = z.int().min(1).optional();

const bare = z.enum(TRANSFORM_NAMES.filter(isBare));

const withOptions = z
  .strictObject(transformOptions)
  .partial()
  .extend({ part })
  .refine(
    (step) => namesOf(step).length === 1,
    'one step does one thing: write each transform as an entry of its own.',
  )
  .refine(
    (step) => step.part === undefined || step.split !== undefined,
    '"part" belongs beside "split".',
  );

const step = z.union([bare, withOptions]).meta({ id: 'transform' });

/** One step of a transform, as written. */
export const transform: TransformSchema = step;

/** One step or several, in order. */
export const transforms = z.union([transform, z.array(transform)]);

/** Where a value comes from, and what is done with it on its way. Order: split, transform, map, default. */
export const valueShape = {
  value: scalar.optional(),
  column: columnName.optional(),
  columns: z.array(columnName).min(1).optional(),
  join: z.string().optional(),
  template: filled.optional(),
  split: someText.optional(),
  part,
  transform: transforms.optional(),
  map: map.options.optional(),
  default: scalar.optional(),
  required: z.boolean().optional(),
  blank: blank.optional(),
  invalid: z.enum(['reject', 'drop']).optional(),
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
  addMistakes(valueMistakes(context.value), context);
}

/** Adds mistakes to those that are found of a value. */
export function addMistakes(mistakes: readonly string[], context: z.core.ParsePayload): void {
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

type Step = typeof step;

/** Named, as "valueObject" is. */
export interface TransformSchema extends Step {}
export type TransformStep = z.output<typeof transform>;

function namesOf(step: object): string[] {
  return Object.entries(step)
    .filter(([key, options]) => key !== 'part' && options !== undefined)
    .map(([key]) => key);
}

const OPERATORS = ['in', 'notIn', 'equals', 'notEquals', 'matches', 'empty'] as const;
const GROUPS = ['all', 'any', 'not'] as const;

/** A condition on a row. Cells are compared without white space at their ends; every operator given must hold. */
export interface Where {
  readonly column?: string | undefined;
  readonly in?: readonly (string | number | boolean)[] | undefined;
  readonly notIn?: readonly (string | number | boolean)[] | undefined;
  readonly equals?: string | number | boolean | undefined;
  readonly notEquals?: string | number | boolean | undefined;
  readonly matches?: string | undefined;
  readonly empty?: boolean | undefined;
  readonly all?: readonly Where[] | undefined;
  readonly any?: readonly Where[] | undefined;
  readonly not?: Where | undefined;
}

export const where: z.ZodType<Where> = z
  .strictObject({
    column: columnName.optional(),
    in: z.array(scalar).min(1).optional(),
    notIn: z.array(scalar).min(1).optional(),
    equals: scalar.optional(),
    notEquals: scalar.optional(),
    matches: someText.optional(),
    empty: z.boolean().optional(),
    get all() {
      return z.array(where).min(1).optional();
    },
    get any() {
      return z.array(where).min(1).optional();
    },
    get not() {
      return where.optional();
    },
  })
  .check((context) => {
    addMistakes(whereMistakes(context.value), context);
  })
  .meta({ id: 'where' });

function whereMistakes(written: Where): string[] {
  const operators = OPERATORS.filter((key) => written[key] !== undefined);
  const groups = GROUPS.filter((key) => written[key] !== undefined);
  if (groups.length > 0) {
    return groups.length > 1 || operators.length > 0 || written.column !== undefined
      ? [`"${groups[0] ?? ''}" stands alone. Put the other conditions into a list below "all".`]
      : [];
  }
  if (written.column === undefined) return ['it names no column. Add "column".'];
  return operators.length === 0
    ? [`it does not say what is asked of the column. Add one of: ${OPERATORS.join(', ')}.`]
    : [];
}
