import { FieldList } from '../../core/client.js';
import type { CompiledMapping, MappedRow } from '../../mapping/compile.js';
import { isRecord } from '../../mapping/edit/record.js';
import type { Table } from '../suggestion.js';
import type { CardPart, CardView } from './columns-view.js';

/** Rows that are shown. */
const SHOWN = 3;

/**
 * The first rows that become clients, as they would be sent; where none does, the first ones with why. Pure.
 * @param isPlanned whether a plan of numbers, which is not read here, has a say in time zones
 */
export function cardViews(
  { map, identifierNames }: CompiledMapping,
  first: Table['first'],
  isPlanned: boolean,
): CardView[] {
  const cards: CardView[] = [];
  const others: CardView[] = [];
  for (const { row, cells } of first) {
    const mapped = map(cells);
    if (mapped.status === 'client')
      cards.push({ row, parts: partsOf(mapped, identifierNames, isPlanned), problems: [] });
    else if (others.length < SHOWN) others.push({ row, parts: [], problems: mapped.problems });
    if (cards.length === SHOWN) break;
  }
  return cards.length > 0 ? cards : others;
}

/** What makes each kind of contact, beside its type and marks. */
const CONTACTS: Readonly<Record<string, string>> = {
  phones: 'phoneNumber',
  emails: 'email',
  addresses: 'address',
};

function partsOf(
  { identifiers, payload, zoneFrom }: Extract<MappedRow, { status: 'client' }>,
  names: readonly string[],
  isPlanned: boolean,
): CardPart[] {
  const sent: Readonly<Record<string, unknown>> = { ...payload };
  const { uuid: _uuid, fields, ...others } = sent;
  const fieldValues =
    fields instanceof FieldList ? fields.toJSON() : isRecord(fields) ? fields : {};
  const entries = Object.entries(others);
  const isOpen = isPlanned && zoneFrom !== undefined && zoneFrom !== 'column';
  return [
    ...names.map((name, at) => part(`fields.${name}`, identifiers[at])),
    ...entries.flatMap(([kind, value]) => contactParts(kind, value)),
    ...entries
      .filter(([name, value]) => !Array.isArray(value) && !(isOpen && name === 'timeZone'))
      .map(([name, value]) => part('callAt' in sent ? `callback.${name}` : name, value)),
    ...Object.entries(fieldValues)
      .filter(([name]) => !names.includes(name))
      .map(([name, value]) => part(`fields.${name}`, value)),
  ];
}

const part = (target: string, value: unknown, marks: readonly string[] = []): CardPart => ({
  ...{ target, text: String(value), marks },
});

function contactParts(kind: string, contacts: unknown): CardPart[] {
  const key = CONTACTS[kind];
  if (key === undefined || !Array.isArray(contacts)) return [];
  return contacts.filter(isRecord).map((contact) => {
    const { [key]: text, type, ...marks } = contact;
    const words = Object.entries(marks).map(([name, value]) => `${name}: ${String(value)}`);
    return part(kind, text, [...(typeof type === 'string' ? [type] : []), ...words]);
  });
}
