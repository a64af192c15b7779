import {
  RUN_OPTIONS,
  type KeptOptions,
  type OptionKind,
  type OptionTable,
  type OptionValues,
  optionsWhere,
  pickOptions,
  type RunOption,
  type Use,
} from './run-options.js';
import { z } from 'zod';
import { defined } from '../core/text.js';
import { MODES } from '../core/outcome.js';

type Place = NonNullable<RunOption['kept']>;

const VALUES = {
  text: z.string(),
  flag: z.boolean(),
  count: z.number(),
  amount: z.number(),
  'count or auto': z.union([z.number(), z.literal('auto')]),
  duration: z.number(),
  'time of day': z.string(),
  failures: z.union([z.object({ count: z.number() }), z.object({ percent: z.number() })]),
  mode: z.enum(MODES),
  names: z.array(z.string()),
  'row range': z.object({ first: z.number(), last: z.number() }),
  sheet: z.union([z.string(), z.number()]),
} satisfies { [K in OptionKind]: z.ZodType<OptionValues[K]> };

/** The schema of the options that are kept in this place. */
export function keptSchema<T extends OptionTable, P extends Place>(
  table: T,
  place: P,
): z.ZodType<KeptOptions<T, P>> {
  const shape = optionsWhere(table, ({ kept }) => kept === place).map(
    ([name, { kind }]) => [name, VALUES[kind].optional()] as const,
  );
  // Object.fromEntries forgets the names; no check can bring them back.
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodType<KeptOptions<T, P>>;
}

/** The options of a request that are kept in this place. */
export const keptOptions = (request: object, place: Place): Record<string, unknown> =>
  defined(pickOptions(request, RUN_OPTIONS, ({ kept }) => kept === place));

/** The options of a request that are kept when it goes on with a run; `undefined`: not even the value before. */
export const renewedOptions = (request: object): Record<string, unknown> =>
  pickOptions(request, RUN_OPTIONS, ({ isRenewed }) => isRenewed === true);

/** The options of a request that distinguish its run from others. */
export const identifyingOptions = (request: object, use: Use): Record<string, unknown> =>
  pickOptions(
    request,
    RUN_OPTIONS,
    ({ identifies, help }) => identifies === true && help[use] !== undefined,
  );
