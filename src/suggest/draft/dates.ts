import type { Column } from '../choose/columns.js';
import { type DateForm, dateForm, oddDates } from '../contents/dates.js';
import type { DraftedValue } from './drafted-value.js';
import type { Plain } from '../../config/yaml-text.js';

/** Which of two ways the other date columns of the file show; `null` where none does. */
export type DayOrder = 'day' | 'month' | null;

/** How a column of dates is read. */
export function dated(column: Column, order: DayOrder, about: string): DraftedValue {
  const form = dateForm(column.cells.values);
  if (form.kind === 'unreadable')
    return { keys: {}, note: 'dates of several forms: they stay as they are' };
  if (form.kind === 'stored') return { keys: {} };
  const isTimed = !isMidnight(column.cells.values.keys());
  const count = oddDates(column.cells.values, form);
  const odd = count > 0 ? { odd: { count, what: 'dates' } } : {};
  if (form.kind === 'own')
    return { keys: { transform: [ownForm(form.hasTime && isTimed)] }, ...odd };
  if (form.kind === 'patterns')
    return { ...withOneOrder(column, form.names, isTimed, about), ...odd };
  const which = count > 0 ? `All but ${count} of ${about}` : `All ${about}`;
  if (order === null) return undecided(column, form, which, isTimed);
  const name = order === 'day' ? form.dayFirst : form.monthFirst;
  return {
    ...odd,
    keys: dateKeys([name], isTimed),
    note: `${order} first, as in the other dates of the file`,
  };
}

const WITH_TIME = 'yyyy-MM-dd HH:mm';

const MIDNIGHT = /\b(?:0?0:00(?::00)?|12:00(?::00)? ?a\.?m\.?)(?:\.0+)?\b/i;

/** Whether no cell has another time than that of the beginning of a day, which programs add to dates. */
function isMidnight(cells: Iterable<string>): boolean {
  for (const text of cells) if (/\d:\d\d/.test(text) && !MIDNIGHT.test(text)) return false;
  return true;
}

/** Where some dates have the day first and others the month, those that fit both may be either: that is to be decided. */
function withOneOrder(
  { header }: Column,
  names: readonly string[],
  isTimed: boolean,
  about: string,
): DraftedValue {
  const [day, month] = [/^d+[/-]/, /^M+[/-]/].map((form) =>
    names.filter((name) => form.test(name)),
  );
  const keys = dateKeys(names, isTimed);
  if (!day?.[0] || !month?.[0]) return { keys };
  const without = (others: readonly string[]): Record<string, Plain> =>
    dateKeys(
      names.filter((name) => !others.includes(name)),
      isTimed,
    );
  return {
    keys,
    decision: {
      sentence: `Some ${about} of "${header}" have the day first and others the month`,
      choices: [
        { note: 'the day comes first, others are rejected', keys: without(month) },
        { note: 'the month comes first, others are rejected', keys: without(day) },
      ],
    },
  };
}

/** Dates that need no pattern. */
const ownForm = (hasTime: boolean): Plain => (hasTime ? { date: { to: WITH_TIME } } : 'date');

function undecided(
  { header }: Column,
  { dayFirst, monthFirst }: Extract<DateForm, { kind: 'ambiguous' }>,
  which: string,
  isTimed: boolean,
): DraftedValue {
  return {
    keys: dateKeys([dayFirst], isTimed),
    decision: {
      sentence: `${which} of "${header}" fit day/month and month/day`,
      choices: [
        { note: 'the day comes first', keys: dateKeys([dayFirst], isTimed) },
        { note: 'the month comes first', keys: dateKeys([monthFirst], isTimed) },
      ],
    },
  };
}

function dateKeys(names: readonly string[], isTimed: boolean): Record<string, Plain> {
  const [first = '', ...others] = names;
  // A time is kept where every pattern has one.
  const to = isTimed && names.every((name) => name.includes('mm')) ? { to: WITH_TIME } : {};
  return { transform: [{ date: { from: others.length === 0 ? first : names, ...to } }] };
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
