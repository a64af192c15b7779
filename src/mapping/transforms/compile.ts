import type { Path } from '../../config/document.js';
import type { TransformStep } from '../schema/value.js';
import { type Compile, type TransformContext, inOrder, type Step } from './step.js';
import { TRANSFORM_NAMES, TRANSFORMS, type TransformName } from './registry.js';

/** Compiles the steps that a mapping writes below `transform`, in order; `null` when there is none. */
export function compileTransforms(
  written: TransformStep | readonly TransformStep[] | undefined,
  path: Path,
  context: TransformContext,
): Step | null {
  if (written === undefined) return null;
  if (!isList(written)) return compileStep(written, path, context);
  return inOrder(written.map((step, index) => compileStep(step, [...path, index], context)));
}

function isList(
  written: TransformStep | readonly TransformStep[],
): written is readonly TransformStep[] {
  return Array.isArray(written);
}

function compileStep(step: TransformStep, path: Path, context: TransformContext): Step {
  if (typeof step === 'string')
    return compileNamed(step, TRANSFORMS[step].bare(), path, context, {});
  const name = TRANSFORM_NAMES.find((candidate) => step[candidate] !== undefined);
  if (name === undefined) throw new Error('a transform that was checked has a name');
  return compileNamed(name, step[name], [...path, name], context, step);
}

/** The schema has checked that the options are those of the name; the types of a table cannot say so. */
function compileNamed(
  name: TransformName,
  options: unknown,
  path: Path,
  context: TransformContext,
  beside: { readonly part?: number | undefined },
): Step {
  const compile = TRANSFORMS[name].compile as Compile<unknown>;
  return compile(options, path, context, beside);
}
