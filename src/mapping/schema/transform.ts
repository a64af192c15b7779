import { z } from 'zod';
import { isBare, TRANSFORM_NAMES, transformOptions } from '../transforms/registry.js';

const bare = z.enum(TRANSFORM_NAMES.filter(isBare));

const part = z
  .int()
  .min(1)
  .optional()
  .describe('Which part of a split is kept, from 1. Default: 1.');

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
type Step = typeof step;

/** Named, as "valueObject" is. */
export interface TransformSchema extends Step {}
/** One step of a transform, as written. */
export const transform: TransformSchema = step;
export type TransformStep = z.output<typeof transform>;

/** One step or several, in order. */
export const transforms = z.union([transform, z.array(transform)]);

function namesOf(step: object): string[] {
  return Object.entries(step)
    .filter(([key, options]) => key !== 'part' && options !== undefined)
    .map(([key]) => key);
}
