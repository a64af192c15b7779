import { dateByForm } from '../mapping/transforms/date/dates.js';
import { type ValueKeys, valueKeys } from '../mapping/edit.js';
import type { Table } from './read-file.js';
import {
  type Totals,
  NEARLY_ALL,
  dateForm,
  isDate,
  isDayFirst,
  isMonthFirst,
  means,
  numberForm,
  oddDates,
  zoneOf,
} from './contents.js';
import type { ChosenCountry } from './phones.js';
import type { Installation } from '../installation/installation.js';
import type { Plain } from '../config/document.js';
import { isRecord } from '../core/text.js';
import type { ColumnTarget } from '../mapping/column-uses.js';
import { type Assigned, type KnownField, fieldFor, knownFields } from './assign.js';
import { type Candidate, mapValues } from './columns.js';
import type { Column } from './understand.js';
import { type Concept, DATE_CONCEPTS, type Language, NAME_CONCEPTS, orderIn } from './words.js';

/* How the cells of a column become values: what stands beside it in a mapping, and what a person has to decide there. */

/** A table as it was understood: what its columns hold, and what each is used for. */
export interface ReadTable {
  /** Without the totals that end it. */
  readonly table: Table;
  readonly totals: Totals | null;
  readonly language: Language;
  readonly country: ChosenCountry;
  readonly columns: readonly Column[];
  readonly assigned: readonly Assigned[];
  readonly dayOrder: DayOrder;
}

/** What belongs beside a column when it becomes this: transforms, a map, words for empty cells. */
export function keysFor(
  column: Column,
  target: ColumnTarget,
  read: Pick<ReadTable, 'country' | 'dayOrder'>,
  { card }: Pick<Installation, 'card'>,
): ValueKeys {
  const field = knownFields(card).find(({ name }) => `fields.${name}` === target);
  const own = ownKeys(column, target, read, field);
  return valueKeys.parse({ ...blankOf([column], field?.field.values), ...own });
}

function ownKeys(
  column: Column,
  target: ColumnTarget,
  { country, dayOrder }: Pick<ReadTable, 'country' | 'dayOrder'>,
  field: KnownField | undefined,
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
      return typeValue(column).keys;
    default: {
      if (!field || cells.filled === 0) return {};
      return fieldValue(column, field, dayOrder, (what) => what).keys;
    }
  }
}

/** How the cells of a column become the values of a field. */
export function fieldValue(
  column: Column,
  { field, meanings }: Pick<KnownField, 'field' | 'meanings'>,
  order: DayOrder,
  about: (what: string) => string,
): DraftedValue {
  const concepts = meanings.map(({ concept }) => concept);
  if (field.values !== undefined) return listed(column, field.values);
  if (field.type === 'Number') return numbered(column, field.sync, about('numbers'));
  if (isDomainOfLink(column, concepts))
    return { keys: { transform: DOMAIN_OF_LINK }, note: 'the domain of the link' };
  if (isDateColumn(column)) {
    const value = dated(column, order, about('dates'));
    const isBirth = [...concepts, column.meanings[0]?.concept].includes('birthDate');
    return isBirth ? withCentury(column, value, about('dates')) : value;
  }
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
  const isNamed = meanings.some(({ concept, score }) => DATE_CONCEPTS.has(concept) && score > 0.5);
  return share >= NEARLY_ALL || (isNamed && share > 0.6);
}

function listed({ cells }: Column, values: readonly string[]): DraftedValue {
  const { pairs, unknown } = mapValues(cells, values);
  if (pairs.size === 0) return unknown.size === 0 ? plainValue : { keys: {}, unknown };
  return { keys: { map: Object.fromEntries(pairs) }, ...(unknown.size > 0 ? { unknown } : {}) };
}

function numbered({ header, cells }: Column, isIdentifier: boolean, about: string): DraftedValue {
  const form = numberForm(cells.values);
  if (!form || isIdentifier || form.isPlain) return plainValue;
  const { decimal, thousands, unit, odd } = form;
  const transform: Plain[] = form.hasSigns
    ? [numberStep(decimal, thousands ?? (decimal === '.' ? ',' : '.'))]
    : ['number'];
  // Whether a number is meant without its unit is not for a program to say.
  if (unit !== null)
    return undecided(
      { transform },
      `Most ${about} of "${header}" have "${unit}" behind the digits`,
      [`5 ${unit} is 5`, { transform: [{ replace: { text: unit, with: '' } }, ...transform] }],
      [`rows with "${unit}" are rejected`, { transform }],
    );
  const [comma, point] = [numberStep(',', '.'), numberStep('.', ',')];
  if (form.isAmbiguous)
    return undecided(
      { transform: [comma] },
      `All ${about} of "${header}" fit a decimal point and a decimal comma`,
      ['12.000 is twelve thousand, 12,5 is twelve and a half', { transform: [comma] }],
      ['12,000 is twelve thousand, 12.5 is twelve and a half', { transform: [point] }],
    );
  return { keys: { transform }, ...(odd > 0 ? { odd: { count: odd, what: 'numbers' } } : {}) };
}

const numberStep = (decimal: '.' | ',', thousands: '.' | ',' | "'"): Plain => ({
  number: { decimal, thousands },
});

/** A column between whose two readings its cells do not decide. @param keys those of the likelier one */
const undecided = (
  keys: Keys,
  sentence: string,
  ...choices: readonly (readonly [means: string, keys: Keys])[]
): DraftedValue => ({ keys, decision: { sentence, choices } });

/** Zones by their IANA names, and a map for what is none. */
export function zoneValue({ cells }: Column): DraftedValue {
  const found = [...cells.values].map(([text, count]) => ({ text, count, zone: zoneOf(text) }));
  const pairs = found.flatMap(({ text, zone }) => (zone === null ? [] : [[text, zone] as const]));
  const unknown = found.flatMap(({ text, count, zone }) =>
    zone === null ? [[text, count] as const] : [],
  );
  const isPlain = pairs.every(([text, zone]) => text === zone);
  return {
    keys: isPlain ? {} : { map: Object.fromEntries(pairs) },
    ...(unknown.length > 0 ? { unknown: new Map(unknown) } : {}),
  };
}

/** Share of answers from which a column asks whether a client is VIP. */
const ANSWERS = 0.8;

/** VIP for what says so; everybody else is SIMPLE. */
export function typeValue({ cells }: Column): DraftedValue {
  const isQuestion = cells.share('yesNo') > ANSWERS;
  const pairs: Record<string, string> = {};
  for (const text of cells.values.keys()) {
    const isVip = means(text, 'vip') || (isQuestion && means(text, 'yes'));
    if (isVip && text !== 'VIP') pairs[text] = 'VIP';
  }
  return { keys: { ...(Object.keys(pairs).length > 0 ? { map: pairs } : {}), default: 'SIMPLE' } };
}

/** Which of two ways the other date columns of the file show; `null` where none does. */
type DayOrder = 'day' | 'month' | null;

function dated({ header, cells }: Column, order: DayOrder, about: string): DraftedValue {
  const form = dateForm(cells.values);
  if (form.kind === 'unreadable')
    return { keys: {}, note: 'dates of several forms: they stay as they are' };
  if (form.kind === 'stored') return { keys: {} };
  const isTimed = !isMidnight(cells.values.keys());
  const count = oddDates(cells.values, form);
  const odd = count > 0 ? { odd: { count, what: 'dates' } } : {};
  if (form.kind === 'own') {
    const step = form.hasTime && isTimed ? { date: { to: WITH_TIME } } : 'date';
    return { keys: { transform: [step] }, ...odd };
  }
  const keysOf = (names: readonly string[]): Keys => dateKeys(names, isTimed);
  if (form.kind === 'patterns') {
    const { names } = form;
    if (!names.some(isDayFirst) || !names.some(isMonthFirst))
      return { keys: keysOf(names), ...odd };
    // Those that fit both may be either.
    const dayFirst = keysOf(names.filter((name) => !isMonthFirst(name)));
    const monthFirst = keysOf(names.filter((name) => !isDayFirst(name)));
    const sentence = `Some ${about} of "${header}" have the day first and others the month`;
    const value = undecided(
      keysOf(names),
      sentence,
      ['the day comes first, others are rejected', dayFirst],
      ['the month comes first, others are rejected', monthFirst],
    );
    return { ...value, ...odd };
  }
  const [day, month] = [keysOf([form.dayFirst]), keysOf([form.monthFirst])];
  if (order !== null) {
    const note = `${order} first, as in the other dates of the file`;
    return { ...odd, keys: order === 'day' ? day : month, note };
  }
  const which = count > 0 ? `All but ${count} of ${about}` : `All ${about}`;
  const sentence = `${which} of "${header}" fit day/month and month/day`;
  return undecided(day, sentence, ['the day comes first', day], ['the month comes first', month]);
}

/** Years of two digits that a small child was born in, or somebody who is over a hundred. */
const openYears = (): string =>
  Array.from({ length: 11 }, (_, at) => String(new Date().getFullYear() - at).slice(-2)).join('|');

/** What stands before such a year: day and month as numbers, or the month as a word. */
const BEFORE_YEAR = [String.raw`\d{1,2}[./-]\d{1,2}[./-]`, String.raw`\d{1,2}\D*[^\d./-]\D*`];

/** Dates of birth whose years may be of either century are read as those of children; a person may say otherwise. */
function withCentury({ header, cells }: Column, value: DraftedValue, about: string): DraftedValue {
  const { transform } = value.keys;
  for (const before of BEFORE_YEAR) {
    const pattern = `^(${before})(${openYears()})\\b`;
    const open = [...cells.values].filter(([text]) => new RegExp(pattern).test(text));
    const [text = ''] = open[0] ?? [];
    const year = new RegExp(pattern).exec(text)?.[2];
    if (year === undefined || !Array.isArray(transform)) continue;
    const count = open.reduce((sum, [, times]) => sum + times, 0);
    const steps = transform.map((step: Plain) => withWholeYears(step));
    // Digits behind a group would be a part of its number.
    const century = [
      { replace: { pattern, with: '$1#$2' } },
      { replace: { text: '#', with: '19' } },
    ];
    const keys = { transform: [...century, ...steps] };
    const sentence = `The years of ${count} of ${about} of "${header}" may be of either century; "${text}" is read as 20${year}, not 19${year}`;
    return { ...value, also: { sentence, keys } };
  }
  return value;
}

/** A date that is read by patterns with years of two digits, with years of four as well. */
function withWholeYears(step: Plain): Plain {
  if (!isRecord(step) || !isRecord(step['date'])) return step;
  const names = [step['date']['from'] ?? []].flat().map(String);
  const whole = names
    .filter((name) => !name.includes('yyyy'))
    .map((name) => name.replace('yy', 'yyyy'));
  return whole.length === 0 ? step : { date: { ...step['date'], from: [...names, ...whole] } };
}

const WITH_TIME = 'yyyy-MM-dd HH:mm';

const MIDNIGHT = /\b(?:0?0:00(?::00)?|12:00(?::00)? ?a\.?m\.?)(?:\.0+)?\b/i;

/** Whether no cell has another time than that of the beginning of a day, which programs add to dates. */
function isMidnight(cells: Iterable<string>): boolean {
  for (const text of cells) if (/\d:\d\d/.test(text) && !MIDNIGHT.test(text)) return false;
  return true;
}

function dateKeys(names: readonly string[], isTimed: boolean): Keys {
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
    if (form.names.some(isDayFirst)) orders.add('day');
    if (form.names.some(isMonthFirst)) orders.add('month');
  }
  const [only] = orders;
  return orders.size === 1 && only !== undefined ? only : null;
}

/** Placeholders that are codes as well: `NA` and `ND` are a country and a state. */
const CODES: ReadonlySet<string> = new Set(['na', 'nd']);
const SHORT = 3;

/** The key `blank` for the words that stand for nothing in these columns; those that a list has are values. */
export function blankOf(
  columns: readonly Column[],
  values: readonly string[] = [],
): Record<string, Plain> {
  const own = new Set(values.map((value) => value.toLowerCase()));
  const words = new Set(columns.flatMap(placeholdersOf));
  const blank = [...words].filter((word) => !own.has(word));
  return blank.length === 0 ? {} : { blank };
}

/** Words of errors, such as `#N/A`, are left to be rejected: what should stand there is not known. */
function placeholdersOf(column: Column): string[] {
  const { cells } = column;
  const holdsCodes = cells.shareOf((text) => text.length <= SHORT) > 0.5;
  const names = namesLikeNothing(column);
  return cells.placeholders
    .filter((text) => !names.includes(text))
    .map((text) => text.toLowerCase())
    .filter((word) => !word.startsWith('#') && !(holdsCodes && CODES.has(word)));
}

/** Words of a column of names that stand for nothing elsewhere, and are names of people as well. */
export function namesLikeNothing({ meanings, cells }: Column): string[] {
  const [best] = meanings;
  if (!best || !NAME_CONCEPTS.has(best.concept)) return [];
  return cells.placeholders.filter((text) => /^(?:null|none|na|nil|nd)$/i.test(text));
}

/** What stands beside a column: `transform`, `map`, … */
type Keys = Readonly<Record<string, Plain>>;

/** A value of the mapping, with what a person should know of it. */
export interface DraftedValue {
  readonly keys: Keys;
  /** Values of the column that the map lacks. */
  readonly unknown?: ReadonlyMap<string, number>;
  /** What only a person can decide, with what each choice means. */
  readonly decision?: {
    readonly sentence: string;
    readonly choices: readonly (readonly [means: string, keys: Keys])[];
  };
  readonly note?: string;
  /** Another way to read some cells, which a person may take. */
  readonly also?: { readonly sentence: string; readonly keys: Keys };
  /** Cells that the transform rejects, and what they should be. */
  readonly odd?: { readonly count: number; readonly what: string };
}

export const plainValue: DraftedValue = { keys: {} };

/** The columns that a target has, the parts of a name in their order; those of a full name may have fields of their own. */
export function usesFor(
  target: string,
  { assigned, language }: { readonly assigned: readonly Assigned[]; readonly language: Language },
  { card }: Pick<Installation, 'card'>,
): Candidate[] {
  const own = usesIn(assigned, target);
  const fields = knownFields(card);
  const isFull = `fields.${fieldFor(fields, 'fullName')?.name ?? ''}` === target;
  if (own.length > 0 || !isFull) return inOrder(own, language, 'name order');
  const parts = (['firstName', 'middleName', 'lastName'] as const).flatMap((part) => {
    const field = fieldFor(fields, part);
    const [use] = field ? usesIn(assigned, `fields.${field.name}`) : [];
    return use ? [{ ...use, part }] : [];
  });
  return inOrder(parts, language, 'name order');
}

/** The columns that a target has. */
export const usesIn = (assigned: readonly Assigned[], target: string): Candidate[] =>
  assigned.flatMap(({ use }) => (use?.target === target ? [use] : []));

/** The parts of a name or an address as they are written where the language is spoken. */
export function inOrder(
  parts: readonly Candidate[],
  language: Language,
  kind: Parameters<typeof orderIn>[1],
): Candidate[] {
  const order = orderIn(language, kind);
  const place = ({ part }: Candidate): number =>
    part === undefined ? order.length : order.indexOf(part);
  return parts.toSorted((a, b) => place(a) - place(b) || a.column.index - b.column.index);
}

/** One column, or several with a sign between them. */
export function joined(parts: readonly Candidate[], join: string): Record<string, Plain> {
  const names = parts.map(({ column }) => column.header);
  const [only = ''] = names;
  if (names.length === 1) return { column: only };
  return { columns: names, ...(join === ' ' ? {} : { join }) };
}
