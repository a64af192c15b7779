import { boolean } from './boolean.js';
import { date } from './date/date.js';
import { byDefault } from './default.js';
import { lookup } from './lookup.js';
import { map } from './map.js';
import { number } from './number.js';
import { phone } from './phone/phone.js';
import { replace } from './replace.js';
import { split } from './split.js';
import { template } from './template.js';
import { collapse, digits, lower, title, trim, upper } from './text.js';

/** Every transform, by the name that a mapping gives it. The schema of mappings is made of it. */
export const TRANSFORMS = {
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
};

type Transforms = typeof TRANSFORMS;
export type TransformName = keyof Transforms;

/** Transforms that need no options, and may be written as a bare name. */
export type BareName = {
  [Name in TransformName]: 'bare' extends keyof Transforms[Name] ? Name : never;
}[TransformName];

export const TRANSFORM_NAMES = Object.keys(TRANSFORMS) as TransformName[];

export function isBare(name: TransformName): name is BareName {
  return 'bare' in TRANSFORMS[name];
}

/** The schemas of all options, by the name of their transform. */
export const transformOptions = Object.fromEntries(
  TRANSFORM_NAMES.map((name) => [name, TRANSFORMS[name].options]),
) as { readonly [Name in TransformName]: Transforms[Name]['options'] };
