import { z } from 'zod';
import type { Path } from '../../config/path.js';

/** Parts of a client that several columns may fill, each with an entry of its own. */
export const LISTS = ['phones', 'emails', 'addresses'] as const;
export type ListTarget = (typeof LISTS)[number];

const SINGLE = ['timeZone', 'type', 'clientRoleId', 'uuid', 'clientId'] as const;
const CALLBACK = ['name', 'description', 'phone', 'operatorId', 'callAt'] as const;

/** What a column becomes: a part of the client, `fields.<name>` of the card, or a part of a callback. */
export const columnTarget = z.union([
  z.enum([...LISTS, ...SINGLE]),
  z.templateLiteral(['fields.', z.string().min(1)]),
  z.templateLiteral(['callback.', z.enum(CALLBACK)]),
]);
export type ColumnTarget = z.output<typeof columnTarget>;

export const isList = (target: ColumnTarget): target is ListTarget =>
  LISTS.some((list) => list === target);

const FIELD = 'fields.';
const OF_CALLBACK = 'callback.';

/** Where in a mapping a target stands; of a list, where the list does. */
export function pathOf(target: ColumnTarget): readonly string[] {
  if (target.startsWith(FIELD)) return ['client', 'fields', target.slice(FIELD.length)];
  if (target.startsWith(OF_CALLBACK)) return ['callback', target.slice(OF_CALLBACK.length)];
  return target === 'uuid' || target === 'clientId' ? [target] : ['client', target];
}

/** The targets that a mapping of any mode may have at these places, but for the fields of the card. */
export const FIXED_TARGETS: readonly ColumnTarget[] = [
  ...LISTS,
  ...SINGLE,
  ...CALLBACK.map((part) => `callback.${part}` as const),
];

export const samePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);
