import { TRANSFORM_NAMES, type TransformName } from '../transforms/registry.js';
import type { EditOf } from './edit.js';
import { keysOfColumn, sectionAt, setKey, isRecord, type Keys } from './places.js';

/** Transforms that come before all others, since they clean what the others read. */
const FIRST: ReadonlySet<TransformName> = new Set<TransformName>(['trim', 'collapse', 'replace']);

/** The name of a transform as it is written. */
export function nameOfStep(step: unknown): TransformName | undefined {
  return TRANSFORM_NAMES.find((name) => step === name || (isRecord(step) && name in step));
}

/** The transforms of a value, in order. */
export const stepsOf = ({ transform }: Keys): unknown[] =>
  transform === undefined || transform === null ? [] : [transform].flat();

/** Sets a transform in the place of the one of its name, else where it belongs. */
export function setStep(mapping: Keys, { column, at, step }: EditOf<'step'>): void {
  const keys = keysOfColumn(mapping, column, at);
  const steps = stepsOf(keys);
  const name = nameOfStep(step);
  const same = steps.findIndex((one) => nameOfStep(one) === name);
  if (same >= 0) steps[same] = step;
  else if (name !== undefined && FIRST.has(name)) steps.unshift(step);
  else steps.push(step);
  writeSteps(keys, steps);
}

export function withoutStep(mapping: Keys, { column, at, name }: EditOf<'withoutStep'>): void {
  const keys = keysOfColumn(mapping, column, at);
  writeSteps(
    keys,
    stepsOf(keys).filter((step) => nameOfStep(step) !== name),
  );
}

export function setSteps(mapping: Keys, { column, at, steps }: EditOf<'steps'>): void {
  writeSteps(keysOfColumn(mapping, column, at), [...steps]);
}

/** A single transform that is written without a list stays so. */
export function writeSteps(keys: Keys, steps: readonly unknown[]): void {
  const [only] = steps;
  const isBare = steps.length === 1 && !Array.isArray(keys['transform']);
  setKey(keys, 'transform', steps.length === 0 ? null : isBare ? only : steps);
}

export function setBlank(mapping: Keys, { column, at, words }: EditOf<'blank'>): void {
  const keys = column === undefined ? mapping : keysOfColumn(mapping, column, at);
  setKey(keys, 'blank', words.length === 0 ? null : words);
}

export function setInvalid(mapping: Keys, { column, at, invalid }: EditOf<'invalid'>): void {
  const keys = keysOfColumn(mapping, column, at);
  // To reject is what happens without the key.
  setKey(keys, 'invalid', invalid === 'drop' || 'invalid' in keys ? invalid : null);
}

export function setDefault(mapping: Keys, { column, at, value }: EditOf<'default'>): void {
  setKey(keysOfColumn(mapping, column, at), 'default', value);
}

export function setRequired(mapping: Keys, { column, at, required }: EditOf<'required'>): void {
  const keys = keysOfColumn(mapping, column, at);
  setKey(keys, 'required', required || 'required' in keys ? required : null);
}

export function setSplit(mapping: Keys, { column, at, split, part }: EditOf<'split'>): void {
  const keys = keysOfColumn(mapping, column, at);
  setKey(keys, 'split', split);
  setKey(keys, 'part', split === null ? null : part);
}

export function setSource(mapping: Keys, { options }: EditOf<'source'>): void {
  const section = sectionAt(mapping, ['source']);
  for (const [key, value] of Object.entries(options))
    if (value !== undefined) setKey(section, key, value);
  if (Object.keys(section).length === 0) Reflect.deleteProperty(mapping, 'source');
}

export function setWhere(mapping: Keys, { where }: EditOf<'where'>): void {
  setKey(mapping, 'where', where);
}
