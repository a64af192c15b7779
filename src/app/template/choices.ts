import { ADDRESS_TYPES, CLIENT_TYPES, PHONE_TYPES } from '../../core/client.js';
import type { Installation } from '../../installation/installation.js';
import type { ColumnTarget, ColumnUse } from '../../mapping/columns/column-uses.js';
import type { LoadedMapping } from '../../mapping/load.js';
import { isLarge, type Table } from '../../mapping/table.js';
import { stepNamed, stepsOf } from './steps.js';

/** What may be written into a column. */
export interface Choices {
  readonly values: readonly string[];
  /** Whether a default takes the place of what is not among them. */
  readonly isOpen: boolean;
}

/** A longer list helps nobody to choose. */
const MAX_CHOICES = 1_000;
const YES_AND_NO = ['yes', 'no'];

/** The values that a use of a column allows, before they are tried out; `undefined`: any. */
export function choicesOf(
  use: ColumnUse,
  mapping: Pick<LoadedMapping, 'tables'>,
  installation: Installation,
): Choices | undefined {
  if (use.where) return fromCondition(use.where);
  const { value } = use;
  // A cell with several values has no list to choose one from.
  if (value === undefined || value.split !== undefined) return undefined;
  const values = fromSteps(use, mapping.tables) ?? fromTarget(use, installation);
  if (values === undefined || values.length === 0 || values.length > MAX_CHOICES) return undefined;
  const fallback = defaultOf(use);
  // Only a map and a table know values, for others of which a default can stand in.
  const isOpen = fallback !== undefined && LISTS.some((name) => stepNamed(use, name) !== undefined);
  return { values: isOpen ? [...new Set([...values, fallback])] : values, isOpen };
}

const LISTS = ['map', 'lookup'] as const;

function fromCondition({
  in: among,
  equals,
}: NonNullable<ColumnUse['where']>): Choices | undefined {
  const values = among ?? (equals === undefined ? undefined : [equals]);
  return values && { values: values.map(String), isOpen: false };
}

/** The last step that knows certain values decides, as far as no other follows that changes texts. */
function fromSteps(
  use: ColumnUse,
  tables: ReadonlyMap<string, Table>,
): readonly string[] | undefined {
  const map = stepNamed(use, 'map');
  if (map !== undefined) return Object.keys(map);
  const lookup = stepNamed(use, 'lookup');
  if (lookup?.file !== undefined) return keysOf(tables.get(lookup.file), lookup.key);
  const words = stepNamed(use, 'boolean');
  if (words === undefined) return undefined;
  const [yes, no] = [words.true?.[0], words.false?.[0]];
  return [String(yes ?? YES_AND_NO[0]), String(no ?? YES_AND_NO[1])];
}

function keysOf(table: Table | undefined, key: string | undefined): string[] | undefined {
  // A large one has more values than anybody chooses from.
  if (table === undefined || isLarge(table)) return undefined;
  const at = table[0]?.findIndex((name) => name.trim() === key?.trim()) ?? -1;
  if (at < 0) return undefined;
  const keys = table.slice(1).map((row) => row[at]?.trim() ?? '');
  return [...new Set(keys.filter((one) => one !== ''))];
}

function fromTarget(
  { target, field }: ColumnUse,
  { card, clientRoles }: Installation,
): readonly string[] | undefined {
  if (target === 'field') return field === undefined ? undefined : card[field]?.values;
  if (target === 'clientRoleId') return clientRoles?.map(String);
  return WORDS[target];
}

const WORDS: Partial<Record<ColumnTarget, readonly string[]>> = {
  type: CLIENT_TYPES,
  'phone type': PHONE_TYPES,
  'address type': ADDRESS_TYPES,
  flag: YES_AND_NO,
};

function defaultOf(use: ColumnUse): string | undefined {
  const defaults = stepsOf(use).map((step) =>
    typeof step === 'string' ? undefined : step.default,
  );
  const found = use.value?.default ?? defaults.find((one) => one !== undefined);
  return found === undefined ? undefined : String(found);
}
