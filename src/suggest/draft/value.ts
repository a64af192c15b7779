import type { CardField } from '../../installation/installation.js';
import { numberForm } from '../contents/numbers.js';
import { isDate } from '../contents/dates.js';
import { meaningsOfValue, zoneOf } from '../contents/kinds.js';
import { NEARLY_ALL } from '../contents/share.js';
import type { Column } from '../choose/columns.js';
import { mapValues } from '../choose/values.js';
import { dateByForm } from '../../mapping/transforms/date/date-forms.js';
import { type Concept, DATE_CONCEPTS } from '../words/concepts.js';
import { dated, type DayOrder } from './dates.js';
import { type DraftedValue, plainValue } from './drafted-value.js';
import type { Plain } from '../../config/yaml-text.js';

/** How the cells of a column become the values of a field. */
export function fieldValue(
  column: Column,
  field: CardField,
  order: DayOrder,
  about: (what: string) => string,
  concepts: readonly Concept[],
): DraftedValue {
  if (field.values !== undefined) return listed(column, field.values);
  if (field.type === 'Number') return numbered(column, field.sync, about('numbers'));
  if (isDomainOfLink(column, concepts))
    return { keys: { transform: DOMAIN_OF_LINK }, note: 'the domain of the link' };
  if (isDateColumn(column)) return dated(column, order, about('dates'));
  return plainValue;
}

const DOMAIN_OF_LINK: readonly Plain[] = [
  'trim',
  'lower',
  { replace: { pattern: '^https?://(www[.])?' } },
  { split: '/', part: 1 },
];

function isDomainOfLink({ cells }: Column, concepts: readonly Concept[]): boolean {
  return concepts.includes('domain') && cells.shareOf((text) => /^https?:\/\//i.test(text)) > 0.5;
}

/** Nearly all cells say it whatever the name of the column, and most do where its name says so as well. */
function isDateColumn({ meanings, cells }: Column): boolean {
  const share = cells.shareOf((text) => isDate(text) || dateByForm(text) !== null);
  const isNamed = meanings.some(({ concept }) => DATE_CONCEPTS.has(concept));
  return share >= NEARLY_ALL || (isNamed && share > 0.6);
}

function listed({ cells }: Column, values: readonly string[]): DraftedValue {
  const { pairs, unknown } = mapValues(cells, values);
  if (pairs.size === 0) return unknown.size === 0 ? plainValue : { keys: {}, unknown };
  return { keys: { map: Object.fromEntries(pairs) }, ...(unknown.size > 0 ? { unknown } : {}) };
}

function numbered(column: Column, isIdentifier: boolean, about: string): DraftedValue {
  const form = numberForm(column.cells.values);
  if (!form || isIdentifier || form.isPlain) return plainValue;
  const { decimal, thousands, unit, odd } = form;
  const keys = form.hasSigns
    ? keysOf(decimal, thousands ?? (decimal === '.' ? ',' : '.'))
    : { transform: ['number'] };
  if (unit !== null) return withUnit(column, unit, about, keys);
  if (form.isAmbiguous) return undecided(column, about);
  return { keys, ...(odd > 0 ? { odd: { count: odd, what: 'numbers' } } : {}) };
}

const keysOf = (
  decimal: '.' | ',',
  thousands: '.' | ',' | "'",
): { readonly transform: Plain[] } => ({ transform: [{ number: { decimal, thousands } }] });

/** Whether a number is meant without its unit is not for a program to say. */
function withUnit(
  { header }: Column,
  unit: string,
  about: string,
  keys: { readonly transform: Plain[] },
): DraftedValue {
  const without = [{ replace: { text: unit, with: '' } }, ...keys.transform];
  return {
    keys,
    decision: {
      sentence: `Most ${about} of "${header}" have "${unit}" behind the digits`,
      choices: [
        { note: `5 ${unit} is 5`, keys: { transform: without } },
        { note: `rows with "${unit}" are rejected`, keys },
      ],
    },
  };
}

function undecided({ header }: Column, about: string): DraftedValue {
  const [comma, point] = [keysOf(',', '.'), keysOf('.', ',')];
  return {
    keys: comma,
    decision: {
      sentence: `All ${about} of "${header}" fit a decimal point and a decimal comma`,
      choices: [
        { note: '12.000 is twelve thousand, 12,5 is twelve and a half', keys: comma },
        { note: '12,000 is twelve thousand, 12.5 is twelve and a half', keys: point },
      ],
    },
  };
}

/** Zones by their IANA names, and a map for what is none. */
export function zoneValue({ cells }: Column): DraftedValue {
  const pairs: Record<string, string> = {};
  const unknown = new Map<string, number>();
  for (const [text, count] of cells.values) {
    const zone = zoneOf(text);
    if (zone === null) unknown.set(text, count);
    else pairs[text] = zone;
  }
  const isPlain = Object.entries(pairs).every(([text, zone]) => text === zone);
  const map = !isPlain ? { map: pairs } : {};
  return { keys: map, ...(unknown.size > 0 ? { unknown } : {}) };
}

/** VIP for what says so; everybody else is SIMPLE. */
export function typeValue({ cells }: Column, isQuestion: boolean): DraftedValue {
  const pairs: Record<string, string> = {};
  for (const text of cells.values.keys()) {
    const meanings = meaningsOfValue(text);
    const isVip = meanings.includes('vip') || (isQuestion && meanings.includes('yes'));
    if (isVip && text !== 'VIP') pairs[text] = 'VIP';
  }
  return { keys: { ...(Object.keys(pairs).length > 0 ? { map: pairs } : {}), default: 'SIMPLE' } };
}
