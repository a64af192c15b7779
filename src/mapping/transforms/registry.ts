import type { Path } from '../../config/path.js';
import {
  type BareTransform,
  transformOptions,
  type TransformName,
  type TransformOptions,
  type TransformStep,
} from '../schema/transform.js';
import { boolean } from './boolean.js';
import { date } from './date.js';
import { byDefault } from './default.js';
import type { Kind, Kinds, TransformContext } from './kind.js';
import { lookup } from './lookup.js';
import { map } from './map.js';
import { number } from './number.js';
import { phone } from './phone.js';
import { replace } from './replace.js';
import { split } from './split.js';
import { inOrder, type Step } from './step.js';
import { template } from './template.js';
import { collapse, digits, lower, title, trim, upper } from './text.js';

const kinds = {
  trim,
  collapse,
  upper,
  lower,
  title,
  digits,
  replace,
  split,
  date,
  number,
  boolean,
  phone,
  map,
  lookup,
  default: byDefault,
  template,
} satisfies Kinds;

/** What a bare name stands for; asked for where one stands, since a first look at a schema takes long. */
const BARE: { readonly [Name in BareTransform]: () => TransformOptions[Name] } = {
  trim: () => true,
  collapse: () => true,
  upper: () => true,
  lower: () => true,
  title: () => true,
  digits: () => true,
  date: () => transformOptions.date.parse({}),
  number: () => transformOptions.number.parse({}),
  boolean: () => ({}),
  phone: () => transformOptions.phone.parse({}),
};

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
  if (typeof step === 'string') return compileKind(step, BARE[step](), path, context, {});
  const name = names.find((candidate) => step[candidate] !== undefined);
  if (name === undefined) throw new Error('a transform that was checked has a name');
  return compileKind(name, step[name], [...path, name], context, step);
}

const names = Object.keys(kinds) as TransformName[];

/** The schema has checked that the options are those of the name; the types of a table cannot say so. */
function compileKind(
  name: TransformName,
  options: unknown,
  path: Path,
  context: TransformContext,
  beside: { readonly part?: number | undefined },
): Step {
  const kind = kinds[name] as Kind<unknown>;
  return kind(options, path, context, beside);
}
