import type { CardField } from '../../installation/installation.js';
import { type DateForm, dateForm } from '../contents/dates.js';
import { numberForm } from '../contents/numbers.js';
import { zoneOf } from '../contents/kinds.js';
import { meaningsOfValue } from '../contents/kinds.js';
import type { Column } from '../choose/columns.js';
import { mapValues } from '../choose/values.js';
import { type Concept, DATE_CONCEPTS } from '../words/concepts.js';
import type { Plain } from './flow.js';

/** A value of the mapping, with what a person should know of it. */
export interface DraftedValue {
  /** Keys beside the column: `transform`, `map`, … */
  readonly keys: Readonly<Record<string, Plain>>;
  /** Values of the column that the map lacks. */
  readonly unknown?: ReadonlyMap<string, number>;
  /** What only a person can decide. */
  readonly decision?: Decision;
  readonly note?: string;
}

/** Two ways to read a column, between which its cells do not decide. */
export interface Decision {
  readonly sentence: string;
  readonly choices: readonly {
    readonly note: string;
    readonly keys: Readonly<Record<string, Plain>>;
  }[];
}

/** Which of two ways the other date columns of the file show; `null` where none does. */
export type DayOrder = 'day' | 'month' | null;

export const plainValue: DraftedValue = { keys: {} };

/** How the cells of a column become the values of a field. */
export function fieldValue(
  column: Column,
  field: CardField,
  order: DayOrder,
  about: string,
  concepts: readonly Concept[],
): DraftedValue {
  if (field.values !== undefined) return listed(column, field.values);
  if (field.type === 'Number') return numbered(column, field.sync);
  if (isDomainOfLink(column, concepts))
    return { keys: { transform: DOMAIN_OF_LINK }, note: 'the domain of the link' };
  if (isDateColumn(column)) return dated(column, order, about);
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

function isDateColumn({ meanings, cells }: Column): boolean {
  return cells.share('date') > 0.6 && meanings.some(({ concept }) => DATE_CONCEPTS.has(concept));
}

function listed({ cells }: Column, values: readonly string[]): DraftedValue {
  const { pairs, unknown } = mapValues(cells, values);
  if (pairs.size === 0) return unknown.size === 0 ? plainValue : { keys: {}, unknown };
  return { keys: { map: Object.fromEntries(pairs) }, ...(unknown.size > 0 ? { unknown } : {}) };
}

/** Placeholders for nothing, taken away before they are read as something. */
export function withoutPlaceholders({ cells }: Column): Plain[] {
  if (cells.placeholders.length === 0) return [];
  const words = [...new Set(cells.placeholders.map((text) => text.toLowerCase()))];
  const pattern = `(?i)^(?:${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`;
  return ['trim', { replace: { pattern } }];
}

function numbered(column: Column, isIdentifier: boolean): DraftedValue {
  const empty = withoutPlaceholders(column);
  const form = numberForm(column.cells.values);
  if (!form || isIdentifier || form.isPlain)
    return empty.length > 0 ? { keys: { transform: empty } } : plainValue;
  const units: Plain[] = form.hasUnits ? [{ replace: { pattern: "[^0-9.,'\\s+-]" } }, 'trim'] : [];
  const isDefault = form.decimal === '.' && form.thousands === null;
  const options: Plain = {
    decimal: form.decimal,
    ...(form.thousands === null ? {} : { thousands: form.thousands }),
  };
  return { keys: { transform: [...empty, ...units, isDefault ? 'number' : { number: options }] } };
}

function dated(column: Column, order: DayOrder, about: string): DraftedValue {
  const form = dateForm(column.cells.values);
  if (form.kind === 'unreadable')
    return { keys: {}, note: 'dates of several forms: they stay as they are' };
  if (form.kind === 'patterns') return { keys: dateKeys(form.names, column) };
  if (order !== null) {
    const name = order === 'day' ? form.dayFirst : form.monthFirst;
    return {
      keys: dateKeys([name], column),
      note: `${order} first, as in the other dates of the file`,
    };
  }
  return undecided(column, form, about);
}

function undecided(
  column: Column,
  form: Extract<DateForm, { kind: 'ambiguous' }>,
  about: string,
): DraftedValue {
  const sentence = `All ${about} of "${column.header}" fit day/month and month/day`;
  return {
    keys: dateKeys([form.dayFirst], column),
    decision: {
      sentence,
      choices: [
        { note: 'the day comes first', keys: dateKeys([form.dayFirst], column) },
        { note: 'the month comes first', keys: dateKeys([form.monthFirst], column) },
      ],
    },
  };
}

function dateKeys(names: readonly string[], column: Column): Record<string, Plain> {
  const [first, ...others] = names;
  const hasTime = names.some((name) => name.includes('mm'));
  if (others.length === 0 && first === 'yyyy-MM-dd') return {};
  // A time is kept where every pattern has one.
  const to =
    hasTime && names.every((name) => name.includes('mm')) ? { to: 'yyyy-MM-dd HH:mm' } : {};
  const from = others.length === 0 ? (first ?? '') : names;
  return { transform: [...withoutPlaceholders(column), { date: { from, ...to } }] };
}

/** The order of day and month that the dates of the file show where they show one. */
export function dayOrder(columns: readonly Column[]): DayOrder {
  const orders = new Set<DayOrder>();
  for (const { cells } of columns) {
    if (cells.share('date') < 0.6) continue;
    const form = dateForm(cells.values);
    if (form.kind !== 'patterns') continue;
    if (form.names.some((name) => /^d+[/-]/.test(name))) orders.add('day');
    if (form.names.some((name) => /^M+[/-]/.test(name))) orders.add('month');
  }
  const [only] = orders;
  return orders.size === 1 && only !== undefined ? only : null;
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
