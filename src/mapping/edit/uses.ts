import { headerName } from '../../core/cell-text.js';
import type { Path } from '../../config/path.js';
import { columnsInTemplate } from '../transforms/template-columns.js';
import { isRecord } from './record.js';
import { type ColumnTarget, FIXED_TARGETS, isList, pathOf } from './target.js';

/** A value of a mapping that is made of columns, as it is written. */
export interface WrittenUse {
  readonly target: ColumnTarget;
  /** Where it stands in the mapping. */
  readonly path: Path;
  /** A column by its name, or keys and values. */
  readonly spec: unknown;
  /** Headers of the columns, without white space at their ends. */
  readonly columns: readonly string[];
}

/** Every value of a mapping with the columns that it is made of; constants too. Takes what is wrong as it stands. */
export function writtenUses(mapping: unknown): WrittenUse[] {
  const fields = valueAt(mapping, ['client', 'fields']);
  const names = isRecord(fields) ? Object.keys(fields) : [];
  const targets = [...names.map((name): ColumnTarget => `fields.${name}`), ...FIXED_TARGETS];
  return targets.flatMap((target) => usesOf(mapping, target));
}

function usesOf(mapping: unknown, target: ColumnTarget): WrittenUse[] {
  const path = pathOf(target);
  const spec = valueAt(mapping, path);
  if (spec === undefined || spec === null) return [];
  const use = (one: unknown, at: Path): WrittenUse => ({
    ...{ target, path: at, spec: one },
    columns: columnsOf(one),
  });
  if (!isList(target)) return [use(spec, path)];
  return Array.isArray(spec) ? spec.map((one: unknown, index) => use(one, [...path, index])) : [];
}

/** What stands at a place of a mapping. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = (found as unknown[])[step];
    else if (isRecord(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** Columns that a value is made of. */
function columnsOf(spec: unknown): string[] {
  if (typeof spec === 'string') return [headerName(spec)];
  if (!isRecord(spec)) return [];
  const { column, columns, template } = spec;
  const listed: unknown[] = Array.isArray(columns) ? columns : [];
  return [
    ...(typeof column === 'string' ? [column] : []),
    ...listed.filter((one) => typeof one === 'string'),
    ...(typeof template === 'string' ? columnsInTemplate(template) : []),
  ].map(headerName);
}
