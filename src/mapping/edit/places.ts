import { headerName } from '../../core/cell-text.js';
import { pathText, type Path } from '../../config/path.js';
import { isRecord, type Keys } from './record.js';
import { RefusedEdit } from './refusal.js';
import { type ColumnTarget, isList, pathOf, samePath } from './target.js';
import { valueAt, type WrittenUse, writtenUses } from './uses.js';

/** The section at a place, made where there is none. @throws RefusedEdit where something else stands there */
export function sectionAt(mapping: Keys, path: Path): Keys {
  let section = mapping;
  for (const [depth, step] of path.entries()) {
    const inner = ownOr(section, step, {});
    if (!isRecord(inner)) throw notASection(path.slice(0, depth + 1));
    section = inner;
  }
  return section;
}

/** What a section has below a key; this, when it has nothing there. */
function ownOr(section: Keys, key: string | number, otherwise: unknown): unknown {
  const own = Object.hasOwn(section, key) ? section[key] : undefined;
  return own ?? (section[key] = otherwise);
}

/** The list of a target, made where there is none. @throws RefusedEdit where something else stands there */
export function listAt(mapping: Keys, target: ColumnTarget): unknown[] {
  const path = pathOf(target);
  const list = ownOr(sectionAt(mapping, path.slice(0, -1)), path.at(-1) ?? '', []);
  if (!Array.isArray(list)) throw notASection(path);
  return list;
}

const notASection = (path: Path): RefusedEdit =>
  new RefusedEdit({ code: 'not_a_section', params: { path: pathText(path) } }, path);

/** Writes a value at a place whose section is there. */
export function putAt(mapping: Keys, path: Path, value: unknown): void {
  const holder = valueAt(mapping, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (Array.isArray(holder)) holder[Number(last)] = value;
  else sectionAt(mapping, path.slice(0, -1))[last] = value;
}

/** Takes a value out; a list that has nothing left goes with it. */
export function dropAt(mapping: Keys, { path, target }: WrittenUse): void {
  const holder = valueAt(mapping, path.slice(0, -1));
  if (Array.isArray(holder)) {
    holder.splice(Number(path.at(-1)), 1);
    if (holder.length > 0) return;
  }
  const own = isList(target) ? path.slice(0, -1) : path;
  const section = sectionAt(mapping, own.slice(0, -1));
  Reflect.deleteProperty(section, own.at(-1) ?? '');
}

/** All values that are made of a column, or the one at a place. @throws RefusedEdit where there is none */
export function usesOfColumn(mapping: Keys, column: string, at?: Path): WrittenUse[] {
  const uses = writtenUses(mapping).filter(({ columns }) => columns.includes(headerName(column)));
  const found = at === undefined ? uses : uses.filter(({ path }) => samePath(path, at));
  if (at !== undefined && found.length === 0)
    throw new RefusedEdit({ code: 'not_used', params: { column } }, at);
  return found;
}

/**
 * The keys of the value that is made of a column: one that is written as a bare name is written out.
 * @throws RefusedEdit where there is none
 */
export function keysOfColumn(mapping: Keys, column: string, at?: Path): Keys {
  const [use] = usesOfColumn(mapping, column, at);
  if (!use) throw new RefusedEdit({ code: 'not_used', params: { column } });
  if (isRecord(use.spec)) return use.spec;
  const keys: Keys = { column: use.spec };
  putAt(mapping, use.path, keys);
  return keys;
}

/** Sets a key, or takes it out. */
export function setKey(keys: Keys, key: string, value: unknown): void {
  if (value === null || value === undefined) Reflect.deleteProperty(keys, key);
  else keys[key] = value;
}
