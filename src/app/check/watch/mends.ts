import { CLIENT_TYPES } from '../../../core/client.js';
import { MODE_TRAITS } from '../../../core/mode.js';
import type { Installation } from '../../../installation/installation.js';
import { loadInstallation } from '../../../installation/load.js';
import { type ColumnUse, columnUses } from '../../../mapping/columns/column-uses.js';
import { loadMapping } from '../../../mapping/load.js';
import { lookupTable } from '../../../prepare/lookup-table.js';
import type { Scalar } from '../../../config/scalar.js';
import type { CheckRequest } from '../../requests.js';
import type { ProblemGroup, ProblemGroups } from './problem-groups.js';
import type { ValueCount } from './frequent-values.js';

/** An edit of the mapping, in the form in which mappings are edited. */
export type MendEdit =
  /** `to` is chosen by the person: what the value is replaced by. `keep`: values that stay as they are. */
  | {
      readonly kind: 'mapValue';
      readonly column: string;
      readonly from: string;
      readonly keep?: readonly string[];
    }
  | { readonly kind: 'blank'; readonly column: string; readonly words: readonly Scalar[] }
  | { readonly kind: 'invalid'; readonly column: string; readonly invalid: 'drop' };

/** A rule that mends all rows with a value, or all of a group. */
export interface Mend {
  readonly edit: MendEdit;
  /** Rows that the rule touches. */
  readonly rows: number;
  /** Rows among them in which nothing else is wrong: so many it mends at most. */
  readonly mends: number;
  /** Whether both numbers may be larger, since the value was not counted all the time. */
  readonly isMin: boolean;
  /** Values that the card takes in the place of this one; absent: any. */
  readonly choices?: readonly string[];
}

/** The mapping of a check, as far as mends depend on it. */
export interface MendContext {
  readonly uses: readonly ColumnUse[];
  readonly card: Installation['card'];
  /** Whether a row without any phone is rejected. */
  readonly needsPhone: boolean;
}

/** @throws ConfigurationError when mapping or installation cannot be read any more */
export async function mendContext({
  mapping,
  mode,
  installation,
}: Pick<CheckRequest, 'mapping' | 'mode' | 'installation'>): Promise<MendContext> {
  const loaded = await loadMapping(mapping, { readTable: lookupTable, mode });
  const card = installation === undefined ? {} : (await loadInstallation(installation)).card;
  return { uses: columnUses(loaded), card, needsPhone: MODE_TRAITS[loaded.mode].creates };
}

/** What can be left out of a client when it is wrong. */
const DROPPABLE: ReadonlySet<ColumnUse['target']> = new Set(['field', 'phone', 'email', 'address']);

/** Problems of cells that hold nothing: there is no value to replace. */
const EMPTY_CODES: ReadonlySet<string> = new Set(['required', 'ragged']);

/**
 * The rules that mend the rows of a group that have this value: the value replaced by another, counted as an empty cell,
 * or left out with all others that are wrong in the column.
 */
export function mendsOf(
  groups: ProblemGroups,
  id: number,
  value: string,
  { uses: all, card, needsPhone }: MendContext,
): Mend[] {
  const group = groups.get(id);
  const counted = groups.value(id, value);
  if (!group || !counted || group.column === null || isShort(value)) return [];
  if (group.code === null || EMPTY_CODES.has(group.code)) return [];
  const { column } = group;
  const uses = all.filter((use) => use.column === column);
  if (uses.length === 0) return [];
  const replaced = replacing(column, value, counted, uses, card);
  if (needsPhone && isOnlyPhone(column, all)) return [replaced];
  return [replaced, ...blankMends(uses, column, value, counted), ...dropMends(uses, group)];
}

/** A map rejects what it does not know, or gives it the default: with one, nothing would be rejected any more. */
function replacing(
  column: string,
  value: string,
  counted: ValueCount,
  uses: readonly ColumnUse[],
  card: Installation['card'],
): Mend {
  const [use] = uses.filter((one) => one.value !== undefined);
  const choices = use && choicesFor(use, card);
  const edit = { kind: 'mapValue', column, from: value } as const;
  if (!choices) return mend(edit, counted);
  const isKept = use.value?.default === undefined;
  return { ...mend(isKept ? { ...edit, keep: choices } : edit, counted), choices };
}

function choicesFor({ target, field }: ColumnUse, card: Installation['card']) {
  if (target === 'type') return CLIENT_TYPES;
  return target === 'field' && field !== undefined && Object.hasOwn(card, field)
    ? card[field]?.values
    : undefined;
}

/** Whether a client has no other phone than that of the column: without it, the row is rejected all the same. */
function isOnlyPhone(column: string, uses: readonly ColumnUse[]): boolean {
  const phones = uses.filter(({ target, value }) => target === 'phone' && value !== undefined);
  return phones.length > 0 && phones.every((use) => use.column === column);
}

/** Whether it is only the beginning of the value, as long ones are reported. */
const isShort = (value: string): boolean => value.endsWith('…');

const mend = (edit: MendEdit, { rows, alone, isMin }: Omit<ValueCount, 'value'>): Mend => ({
  ...{ edit, rows, mends: alone, isMin },
});

/** A cell that counts as empty is of no use where the row needs one. */
function blankMends(
  uses: readonly ColumnUse[],
  column: string,
  value: string,
  counted: ValueCount,
): Mend[] {
  if (uses.some((use) => use.value?.required === true)) return [];
  const own = uses.flatMap((use) => use.value?.blank ?? []);
  const words = [...new Set([...own, value.trim()])];
  return value.trim() === '' ? [] : [mend({ kind: 'blank', column, words }, counted)];
}

function dropMends(uses: readonly ColumnUse[], { column, rows, alone }: ProblemGroup): Mend[] {
  const [use] = uses.filter(({ target }) => DROPPABLE.has(target));
  if (!use || column === null || use.value?.required === true || use.value?.invalid === 'drop')
    return [];
  return [mend({ kind: 'invalid', column, invalid: 'drop' }, { rows, alone, isMin: false })];
}
