import type { TransformStep } from '../../mapping/schema/transform.js';
import type { ColumnUse } from '../../mapping/columns/column-uses.js';

/** The steps that a mapping writes for the value of a column, in order; its map is the last one. */
export function stepsOf({ value }: ColumnUse): readonly TransformStep[] {
  const { transform, map } = value ?? {};
  const written = transform === undefined ? [] : [transform].flat();
  return map === undefined ? written : [...written, { map }];
}

/** The options of the first step that has this name, with `{}` for a bare name. */
export function stepNamed<N extends 'date' | 'phone' | 'boolean' | 'map' | 'lookup' | 'number'>(
  use: ColumnUse,
  name: N,
): Partial<NonNullable<Extract<TransformStep, object>[N]>> | undefined {
  for (const step of stepsOf(use)) {
    if (step === name) return {};
    const options = typeof step === 'string' ? undefined : step[name];
    if (options !== undefined) return options;
  }
  return undefined;
}
