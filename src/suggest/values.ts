import { dateByForm } from '../mapping/transforms/date/dates.js';
import { type ValueKeys, valueKeys } from '../mapping/edit.js';
import type { Table, Totals } from './read-file.js';
import {
  NEARLY_ALL,
  dateForm,
  isDate,
  isDayFirst,
  isMonthFirst,
  means,
  numberForm,
  oddDates,
  zoneOf,
  meaningsOfValue,
} from './contents.js';
import type { ChosenCountry } from './phones.js';
import type { Installation } from '../installation/installation.js';
import type { Plain } from '../config/document.js';
import { isRecord } from '../core/text.js';
import type { ColumnTarget } from '../mapping/column-uses.js';
import { type Assigned, type KnownField, fieldFor, knownFields } from './assign.js';
import { type Candidate, mapValues } from './columns.js';
import { type Column, recognise } from './understand.js';
import {
  DATE_CONCEPTS,
  type Language,
  NAME_CONCEPTS,
  orderIn,
  concepts,
  holds as matches,
  isUnspaced,
  normalForm,
  remembering,
  wordSet,
  wordsOf,
} from './words.js';
import { among, plainWords } from '../mapping/transforms/phone/words.js';
import { forbidsCalls, isBareNo } from '../mapping/transforms/phone/forbidding.js';

/*
 * How the cells of a column become values: what stands beside it in a mapping, and what a person has to decide there.
 * And what columns say of who may be called.
 */

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
      return cells.filled > 0 ? zoneValue(column, country.code).keys : {};
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
  const { cells } = column;
  if (field.values !== undefined) {
    const { pairs, unknown } = mapValues(cells, field.values);
    const keys = pairs.size === 0 ? {} : { map: Object.fromEntries(pairs) };
    return unknown.size > 0 ? { keys, unknown } : { keys };
  }
  if (field.type === 'Number') return numbered(column, field.sync, about('numbers'));
  if (concepts.includes('domain') && cells.shareOf((text) => /^https?:\/\//i.test(text)) > 0.5)
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

/** Nearly all cells say it whatever the name of the column, and most do where its name says so as well. */
function isDateColumn({ meanings, cells }: Column): boolean {
  const share = cells.shareOf((text) => isDate(text) || dateByForm(text) !== null);
  const isNamed = meanings.some(({ concept, score }) => DATE_CONCEPTS.has(concept) && score > 0.5);
  return share >= NEARLY_ALL || (isNamed && Math.max(share, cells.share('compactDate')) > 0.6);
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
export function zoneValue({ cells }: Column, country: string | undefined): DraftedValue {
  const found = [...cells.values].map(([text, count]) => {
    return { text, count, zone: zoneOf(text, country) };
  });
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
  const keysOf = (names: readonly string[]): Keys => {
    const [first = '', ...others] = names;
    // A time is kept where every pattern has one.
    const to = isTimed && names.every((name) => name.includes('mm')) ? { to: WITH_TIME } : {};
    return { transform: [{ date: { from: others.length === 0 ? first : names, ...to } }] };
  };
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

/** What stands before such a year: day and month as numbers, or the month as a word. */
const BEFORE_YEAR = [String.raw`\d{1,2}[./-]\d{1,2}[./-]`, String.raw`\d{1,2}\D*[^\d./-]\D*`];

/** Dates of birth whose years may be of either century are read as those of children; a person may say otherwise. */
function withCentury({ header, cells }: Column, value: DraftedValue, about: string): DraftedValue {
  const { transform } = value.keys;
  const now = new Date().getFullYear();
  // Years of two digits that a small child was born in, or somebody who is over a hundred.
  const openYears = Array.from({ length: 11 }, (_, at) => String(now - at).slice(-2)).join('|');
  for (const before of BEFORE_YEAR) {
    const pattern = `^(${before})(${openYears})\\b`;
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

/*
 * Columns that say who may be called: consents, refusals, results of a dialler. What a header asks and what its cells
 * answer is found out word by word; what is not understood is asked, and never taken for the one or the other.
 */

/** What a cell says of calls; `open`: that is not known. */
type Says = 'allows' | 'forbids' | 'open';

interface Answer {
  /** Empty for cells without anything. */
  readonly text: string;
  readonly count: number;
  readonly says: Says;
}

/** One condition of `where`. */
export type Filter =
  | { readonly column: string; readonly in: readonly string[] }
  | { readonly column: string; readonly notIn: readonly string[] }
  | { readonly column: string; readonly empty: boolean };

/** What a column says of who may be called. */
export interface Permission {
  readonly column: string;
  /** `messages`: of e-mail, texts and the like, which says nothing of calls. `status`: some of its values forbid calls. */
  readonly about: 'calls' | 'messages' | 'status';
  /** The most frequent ones first, empty cells last. */
  readonly answers: readonly Answer[];
  /** Cells that hold a day in place of an answer. */
  readonly days: number;
  /** `null`: there is nothing to leave out, or which rows are to be left out cannot be known. */
  readonly filter: Filter | null;
  /** Whether some cells are not understood. */
  readonly isOpen: boolean;
}

/** From here on, a column is taken for one that says who may be called. */
const ASKED = 0.6;
/** Share of the cells from which they are days, and not answers. */
const MOSTLY = 0.8;
/** Answers to choose from. */
const MAX_CHOICES = 6;
/** Values of a list; a column with more holds texts. */
const MAX_VALUES = 30;

/** The columns of a table that say who may be called. */
export const permissionsIn = (columns: readonly Column[]): Permission[] =>
  columns.flatMap((column) => {
    const found = isAsking(column) ? permissionOf(column) : statusOf(column);
    return found ? [found] : [];
  });

function isAsking(column: Column): boolean {
  const { header, cells, meanings, isNameless } = column;
  if (isNameless || cells.filled === 0 || column.phoneShare > 0.3) return false;
  const [best] = meanings;
  if (best && best.score >= ASKED && PERMISSIONS.has(best.concept)) return true;
  // What no wording has is a question all the same, where the cells answer it or are few.
  if (cells.values.size > MAX_VALUES && cells.share('date') < MOSTLY) return false;
  const form = normalForm(header);
  // `No` and `№` are numbers, and no denial.
  if (form.split(' ').every((word) => wordSet('number').has(word))) return false;
  const words = plainWords(form);
  const isOfConsent = words.some(isConsent) || forbidsCalls(form);
  if (isOfConsent && isChoice(column)) return true;
  const isOfCalls = (words.some(isCall) || isUnspaced(form)) && holds(form, 'allows');
  return (isOfCalls || holds(form, 'forbids')) && answersShare(column) >= MOSTLY;
}

const PERMISSIONS = concepts('consent doNotCall');

/** Longest answer that may be one of a few. */
const ANSWER_LENGTH = 30;

const isChoice = (column: Column): boolean =>
  answersShare(column) >= MOSTLY ||
  (column.cells.values.size <= MAX_CHOICES &&
    column.cells.shareOf((text) => text.length <= ANSWER_LENGTH) === 1);

function answersShare({ cells, header }: Column): number {
  const asks = questionOf(header);
  return cells.shareOf((text) => sayOf(text, asks) !== 'open' || isDate(text));
}

function permissionOf(column: Column): Permission | null {
  const { header } = column;
  const asks = questionOf(header);
  const areCodes = [...column.cells.values.keys()].some((text) => /^(?:[2-9]|\d{2,})$/.test(text));
  const answers = answersOf(column, (text) =>
    areCodes && /^\d+$/.test(text) ? 'open' : sayOf(text, asks),
  );
  const days = answers.reduce((sum, { text, count }) => sum + (isDate(text) ? count : 0), 0);
  const about = asks.isOfMessages ? 'messages' : 'calls';
  const isOfDays = days >= column.cells.filled * MOSTLY;
  const filled = answers.filter(({ text }) => text !== '');
  const known = { column: header, about, answers, days: isOfDays ? days : 0 } as const;
  if (isOfDays) {
    const filter = asks.yes === null ? null : { column: header, empty: asks.yes === 'forbids' };
    return { ...known, filter, isOpen: asks.yes === null };
  }
  const isOpen = filled.some(({ says }) => says === 'open');
  // Who was not asked has not refused.
  const mayBeEmpty = asks.yes !== 'allows';
  const isLeft = answers.some(
    ({ text, says }) => says !== 'allows' && !(text === '' && mayBeEmpty),
  );
  if (!isLeft) return null;
  return { ...known, filter: about === 'messages' ? null : filterOf(header, filled, asks), isOpen };
}

/** Keeps what allows calls, or leaves out what forbids them: never a filter that is empty. */
function filterOf(column: string, answers: readonly Answer[], { yes }: Question): Filter | null {
  const of = (wanted: Says): string[] =>
    answers.filter(({ says }) => says === wanted).map(({ text }) => text);
  const [allowing, forbidding] = [of('allows'), of('forbids')];
  const isDefault = yes === 'forbids' || yes === null;
  if (isDefault && forbidding.length > 0) return { column, notIn: forbidding };
  if (allowing.length > 0) return { column, in: allowing };
  return forbidding.length > 0 ? { column, notIn: forbidding } : null;
}

/** Columns of a list or of remarks in which some cells say that nobody may call. */
const STATUS = concepts('status disposition state segment tags topic comment tier');

function statusOf(column: Column): Permission | null {
  const { header, cells, meanings, isNameless, phoneShare } = column;
  const [best] = meanings;
  if (isNameless || !best || !STATUS.has(best.concept) || phoneShare > 0.3) return null;
  if (cells.share('email') > 0.3 || cells.share('date') > 0.3) return null;
  // A mere no answers what the header asks, and is nothing in a column of remarks.
  const says = (text: string): Says =>
    // Nobody answered, which forbids nothing.
    forbidsCalls(text) && !isBareNo(text) && !matches('unreached', text.trim())
      ? 'forbids'
      : 'open';
  const answers = answersOf(column, says).filter(({ text }) => text !== '');
  const forbidding = answers.filter((answer) => answer.says === 'forbids');
  if (forbidding.length === 0) return null;
  const isListed = forbidding.length <= MAX_VALUES;
  const filter = isListed ? { column: header, notIn: forbidding.map(({ text }) => text) } : null;
  const known = { column: header, about: 'status', answers: forbidding, days: 0 } as const;
  return { ...known, filter, isOpen: !isListed };
}

function answersOf(column: Column, says: (text: string) => Says): Answer[] {
  const counts = new Map<string, number>();
  for (const cell of column.texts) {
    const text = cell?.trim() ?? '';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const answers = [...counts].map(([text, count]): Answer => ({
    ...{ text, count, says: text === '' ? 'open' : says(text) },
  }));
  const isEmpty = ({ text }: Answer): number => Number(text === '');
  return answers.sort((a, b) => isEmpty(a) - isEmpty(b) || b.count - a.count);
}

/** What the header of such a column asks. */
interface Question {
  /** What a yes says of calls; `null`: that is not known, as with `status`, or with a refusal that is denied. */
  readonly yes: 'allows' | 'forbids' | null;
  /** It is about another way to reach somebody. */
  readonly isOfMessages: boolean;
}

const [isNot, isRefusing, isApp] = [among('not'), among('refusing'), among('app')];
const [isCall, isContact, isConsent] = [among('call'), among('contact'), among('consent')];

type Word = 'forbids' | 'withdraws' | 'allows' | 'open' | 'messages' | 'granted' | 'refused';

/** Words of the table in normal form, with a blank before and behind where their script has any. */
const phrasesOf = remembering((wanted: Word): readonly string[] =>
  wordsOf('permission')
    .filter(({ of }) => of === wanted)
    .flatMap(({ words }) => words.map(normalForm).map(bounded)),
);

const bounded = (form: string): string => (isUnspaced(form) ? form : ` ${form} `);

const holds = (form: string, of: Word): boolean =>
  phrasesOf(of).some((phrase) => ` ${form} `.includes(phrase));

function questionOf(header: string): Question {
  const form = normalForm(header);
  const words = plainWords(form);
  const isOfMessages =
    (words.some(isApp) || holds(form, 'messages')) &&
    !words.some((word) => isCall(word) && !isContact(word));
  return { yes: meaningOfYes(form, words), isOfMessages };
}

function meaningOfYes(form: string, words: readonly string[]): Question['yes'] {
  const { isKnown, meanings } = recognise(form);
  const isBan = isKnown && meanings.every(({ concept }) => concept === 'doNotCall');
  const isRefused = holds(form, 'forbids') || holds(form, 'withdraws') || words.some(isRefusing);
  if (!isBan && deniesRefusal(words)) return null;
  if (holds(form, 'open') && !isRefused && !words.some(isConsent)) return null;
  if (isBan || forbidsCalls(form) || isRefused) return 'forbids';
  const isNegated = words.some(isNot);
  const isAllowing = holds(form, 'allows') || words.some(isConsent) || isKnown;
  // `Not allowed`, which no word for calls or consent stands beside.
  return !isAllowing ? null : isNegated ? 'forbids' : 'allows';
}

/** Words between what denies and what refuses, at most. */
const BETWEEN = 3;

/** Whether a refusal is denied, `not opted out`, which is no refusal; with a word for calls between, it is one. */
function deniesRefusal(words: readonly string[]): boolean {
  return words.some((word, at) => {
    if (!isNot(word)) return false;
    const behind = words.slice(at + 1, at + 1 + BETWEEN);
    const end = behind.findIndex((each) => isCall(each) || isConsent(each));
    const part = end < 0 ? behind : behind.slice(0, end);
    const text = part.join(' ');
    return (
      part.length > 0 && (part.some(isRefusing) || holds(text, 'forbids') || forbidsCalls(text))
    );
  });
}

/** An answer before what is added to it: `yes, by phone`. */
const ANSWER = /^\s*(\p{L}+)\s*[,;:(]/u;

function sayOf(text: string, { yes }: Question): Says {
  const form = normalForm(text) || text;
  const answers = meaningsOfValue(ANSWER.exec(text)?.[1] ?? text);
  const [isYes, isNo] = [answers.includes('yes'), answers.includes('no')];
  if (isYes !== isNo && yes !== null) return isYes === (yes === 'allows') ? 'allows' : 'forbids';
  if (isYes || isNo) return 'open';
  if (isDate(text)) return 'open';
  const words = plainWords(text);
  // Of a refusal it is not known what is granted.
  const isAnswer = yes === 'allows' || (yes === null && words.length > 1);
  const isRefused = holds(form, 'refused') || words.some(isRefusing);
  const mayBeOfRefusal = !isAnswer && isRefused && words.length === 1;
  if (!mayBeOfRefusal && forbidsCalls(text)) return 'forbids';
  const isGranted = holds(form, 'granted') || holds(form, 'allows');
  if (!isAnswer) return form === 'opt in' || form === 'opted in' ? 'allows' : 'open';
  const isNegated = words.some(isNot);
  if (isRefused)
    return isNegated && !phrasesOf('refused').includes(bounded(form)) ? 'open' : 'forbids';
  if (!isGranted) return 'open';
  return isNegated ? 'forbids' : 'allows';
}
