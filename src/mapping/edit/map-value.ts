import type { ColumnEvidence } from '../../core/table.js';
import { transforms } from '../schema/value.js';
import { compileTransforms } from '../transforms/registry.js';
import { type TransformContext, Watch } from '../transforms/step.js';
import { stepsOf, writeSteps } from './adjust.js';
import type { EditOf } from './edit.js';
import { keysOfColumn, setKey, isRecord, type Keys, RefusedEdit } from './places.js';

/**
 * Replaces one value of a column by another. Where the other values are known, by a map; else by a pattern that only
 * this value has, since a map rejects what it does not know.
 * @throws RefusedEdit
 */
export function mapValue(mapping: Keys, { column, at, from, to, keep }: EditOf<'mapValue'>): void {
  const keys = keysOfColumn(mapping, column, at);
  const value = stepsOnCells(stepsOf(keys))(from);
  const map = isRecord(keys['map']) ? keys['map'] : undefined;
  if (to === null) {
    withoutPatterns(keys, [from, value ?? from]);
    if (map) setKey(keys, 'map', withoutKeys(map, [from.trim(), (value ?? from).trim()]));
  } else if (value !== null && (map ?? keep)) {
    const known = map ?? Object.fromEntries((keep ?? []).map((one) => [one, one]));
    keys['map'] = { ...known, [value.trim()]: to };
  } else {
    setPattern(keys, value ?? from, String(to), value === null);
  }
}

/** What transforms make of a cell; `null` where they reject it, or need more than the cell. */
export function stepsOnCells(steps: readonly unknown[]): (cell: string) => string | null {
  const written = transforms.safeParse(steps);
  if (!written.success) return (cell) => cell;
  const open = new Set<string>();
  const context: TransformContext = {
    label: null,
    watch: (column: string | null, kind: ColumnEvidence['kind']) => new Watch(column, kind),
    mistake: (_path, message) => void open.add(message),
    column(name) {
      open.add(name);
      return 0;
    },
    table: (file) => void open.add(file),
  };
  const step = compileTransforms(written.data, [], context);
  return (cell) => {
    const value = step ? step(cell, [], { remark: () => undefined }) : cell;
    return typeof value === 'string' && open.size === 0 ? value : null;
  };
}

function withoutKeys(map: Keys, gone: readonly string[]): Keys | null {
  const left = Object.entries(map).filter(([key]) => !gone.includes(key.trim()));
  return left.length === 0 ? null : Object.fromEntries(left);
}

/** Signs that a pattern takes for something else. */
const SIGNS = /[\\^$.*+?()[\]{}|]/g;

/** The value alone, with any white space at its ends. */
const patternOf = (value: string): string =>
  `^[\\s\\pZ]*${value.trim().replace(SIGNS, '\\$&')}[\\s\\pZ]*$`;

/** Puts a pattern behind the transforms that let the value pass, or before those that reject it. */
function setPattern(keys: Keys, value: string, to: string, isFirst: boolean): void {
  if (/[$\\]/.test(to)) throw new RefusedEdit({ code: 'needs_keep', params: { value: to } });
  const steps = stepsOf(keys);
  const pattern = patternOf(value);
  const step = { replace: { pattern, with: to } };
  const same = steps.findIndex((one) => patternIn(one) === pattern);
  if (same >= 0) steps[same] = step;
  else if (isFirst) steps.unshift(step);
  else steps.push(step);
  writeSteps(keys, steps);
}

function patternIn(step: unknown): unknown {
  const replace = isRecord(step) ? step['replace'] : undefined;
  return isRecord(replace) ? replace['pattern'] : undefined;
}

function withoutPatterns(keys: Keys, values: readonly string[]): void {
  const gone = new Set<unknown>(values.map(patternOf));
  const steps = stepsOf(keys);
  const left = steps.filter((step) => !gone.has(patternIn(step)));
  if (left.length < steps.length) writeSteps(keys, left);
}
