import type { Installation } from '../../installation/installation.js';
import { type ValueKeys, valueKeys } from '../../mapping/edit/edit.js';
import type { ColumnTarget } from '../../mapping/edit/places.js';
import { knownFields } from '../choose/fields.js';
import type { Column } from '../choose/columns.js';
import { blankOf } from '../draft/lines.js';
import { fieldValue, typeValue, zoneValue } from '../draft/value.js';
import type { ReadTable } from '../suggest.js';

/** What belongs beside a column when it becomes this: transforms, a map, words for empty cells. */
export function keysFor(
  column: Column,
  target: ColumnTarget,
  read: ReadTable,
  { card }: Pick<Installation, 'card'>,
): ValueKeys {
  const own = ownKeys(column, target, read, card);
  return valueKeys.parse({ ...blankOf([column], valuesOf(target, card)), ...own });
}

function ownKeys(
  column: Column,
  target: ColumnTarget,
  { country, dayOrder }: ReadTable,
  card: Installation['card'],
): object {
  const { cells } = column;
  switch (target) {
    case 'phones':
      return {
        ...(column.phoneSeparator === null ? {} : { split: column.phoneSeparator }),
        transform: [country.code === undefined ? 'trim' : { phone: { country: country.code } }],
      };
    case 'emails':
      return { transform: ['lower'] };
    case 'timeZone':
      return cells.filled > 0 ? zoneValue(column).keys : {};
    case 'type':
      return typeValue(column, cells.share('yesNo') > ANSWERS).keys;
    default: {
      const field = knownFields(card).find(({ name }) => `fields.${name}` === target);
      if (!field || cells.filled === 0) return {};
      const concepts = field.meanings.map(({ concept }) => concept);
      return fieldValue(column, field.field, dayOrder, (what) => what, concepts).keys;
    }
  }
}

/** Share of answers from which a column asks whether a client is VIP. */
const ANSWERS = 0.8;

function valuesOf(target: ColumnTarget, card: Installation['card']): readonly string[] {
  const name = target.replace(/^fields\./, '');
  return Object.hasOwn(card, name) ? (card[name]?.values ?? []) : [];
}
