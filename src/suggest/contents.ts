import { timeZone } from '../core/hours.js';
import type { Cell } from '../core/table.js';
import { dateByForm } from '../mapping/transforms/date/date-forms.js';
import { type DatePattern, compileDate } from '../mapping/transforms/date/date-pattern.js';
import { amountOf, numberText } from '../mapping/transforms/number.js';
import {
  type ValueMeaning,
  expressionsOf,
  isValueMeaning,
  remembering,
  wordSet,
  wordsOf,
  normalForm,
} from './words.js';

/** How the numbers of a column are written. */
interface NumberForm {
  readonly decimal: '.' | ',';
  readonly thousands: '.' | ',' | "'" | null;
  /** What stands behind the digits, such as a percent sign, where no transform reads it; money is read. */
  readonly unit: string | null;
  /** Whether there are signs before decimals or between thousands, beside spaces. */
  readonly hasSigns: boolean;
  /** Whether every cell with a sign is one number with a decimal point and another with a decimal comma. */
  readonly isAmbiguous: boolean;
  /** Whether they are read as they stand, without a transform. */
  readonly isPlain: boolean;
  /** Cells that are no numbers of this form. */
  readonly odd: number;
}

const PLAIN = /^-?\d+$/;
const UNIT = /\d\s*(%|\p{L}[\p{L}.]*)$/u;

/** Styles by the sign before decimals; the first that reads nearly all cells is taken. */
const STYLES: readonly (readonly [NumberForm['decimal'], NumberForm['thousands'], RegExp])[] = [
  ['.', null, /^[-+−]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
  [',', null, /^[-+−]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:,\d+)?$|^[-+−]?\d+(?:,\d+)?$/],
  ['.', ',', /^[-+−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
  [',', '.', /^[-+−]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^[-+−]?\d+(?:,\d+)?$/],
  ['.', "'", /^[-+−]?\d{1,3}(?:'\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
];

/** Share of the numbers that one style has to read where another might read more. */
const ENOUGH = 0.98;

/** The style that reads nearly all cells; `null` where none does. */
export function numberForm(values: ReadonlyMap<string, number>): NumberForm | null {
  const total = sum([...values]);
  const { numbers, unit } = numbersIn(values, total);
  if (total === 0 || sum(numbers) < total * NEARLY_ALL) return null;
  const readBy = (form: RegExp): number => sum(numbers.filter(([digits]) => form.test(digits)));
  const style =
    STYLES.find(([, , form]) => readBy(form) >= sum(numbers) * ENOUGH) ??
    STYLES.find(([, , form]) => readBy(form) >= total * NEARLY_ALL);
  if (!style) return null;
  const [decimal, thousands, form] = style;
  const signed = numbers.filter(([digits]) => /[.,']/.test(digits));
  return {
    ...{ decimal, thousands, unit, hasSigns: signed.length > 0, odd: total - readBy(form) },
    isAmbiguous:
      signed.length > 0 && signed.every(([digits]) => numberText(digits)?.look === 'either'),
    isPlain: signed.length === 0 && [...values.keys()].every((text) => PLAIN.test(text)),
  };
}

type Counted = readonly (readonly [string, number])[];

const sum = (cells: Counted): number => cells.reduce((total, [, count]) => total + count, 0);

/** The digits of the cells that are numbers; with one unit that stands behind most of them, where it needs that to be numbers. */
function numbersIn(
  values: ReadonlyMap<string, number>,
  total: number,
): { readonly numbers: Counted; readonly unit: string | null } {
  const digitsOf = (end: string): Counted =>
    [...values].flatMap(([text, count]) => {
      const amount = amountOf(text.endsWith(end) ? text.slice(0, -end.length || undefined) : text);
      return amount === null ? [] : [[amount.digits, count] as const];
    });
  const numbers = digitsOf('');
  if (sum(numbers) >= total * NEARLY_ALL) return { numbers, unit: null };
  const others = [...values.keys()].filter((text) => amountOf(text) === null);
  const units = new Set(others.flatMap((text) => UNIT.exec(text)?.[1] ?? []));
  const [unit] = units;
  return unit === undefined || units.size > 1
    ? { numbers, unit: null }
    : { numbers: digitsOf(unit), unit };
}

/** What the cells of a column hold, over the rows that were looked at. */
export interface Profile {
  /** Cells that hold something, placeholders such as `n/a` left out. */
  readonly filled: number;
  readonly rows: number;
  /** Distinct values with how often they occur, in the order of the file. */
  readonly values: ReadonlyMap<string, number>;
  /** Placeholders that occur. */
  readonly placeholders: readonly string[];
  /** Share of the filled cells that look like this; 0 where none is filled. */
  readonly share: (kind: Kind) => number;
  /** Share of the filled cells for which this holds. */
  readonly shareOf: (holds: (text: string) => boolean) => number;
  /** The same by some of the values where these agree: one in a hundred may be another one. */
  readonly roughly: (holds: (text: string) => boolean) => number;
}

/** What is to be known of one column. Kinds are counted when they are first asked for. */
export function profileOf(cells: readonly (string | null)[]): Profile {
  const all = new Map<string, number>();
  for (const cell of cells) {
    const text = cell?.trim() ?? '';
    if (text !== '') all.set(text, (all.get(text) ?? 0) + 1);
  }
  const placeholders = [...all.keys()].filter((text) =>
    wordSet('placeholder').has(text.toLowerCase()),
  );
  // A column of yes and `нет` has an answer there, and no placeholder.
  const areAnswers =
    all.size <= 4 && all.size - placeholders.length <= 2 && [...all.keys()].every(KINDS.yesNo);
  if (areAnswers) return finished(all, cells.length, []);
  for (const text of placeholders) all.delete(text);
  return finished(all, cells.length, placeholders);
}

/** Values that show what all are, where they agree. */
const MANY = 150;
/** A person is told how many of the cells are these. */
const COUNTED: ReadonlySet<Kind> = new Set<Kind>(['email', 'zone', 'url']);

function finished(
  values: ReadonlyMap<string, number>,
  rows: number,
  placeholders: readonly string[],
): Profile {
  const filled = sum([...values]);
  const shareOf = (holds: (text: string) => boolean): number => {
    if (filled === 0) return 0;
    let count = 0;
    for (const [text, times] of values) if (holds(text)) count += times;
    return count / filled;
  };
  const all = [...values.keys()];
  const some =
    all.length <= MANY ? all : all.filter((_, at) => at % Math.ceil(all.length / MANY) === 0);
  const roughly = (holds: (text: string) => boolean): number => {
    if (some.length === all.length) return shareOf(holds);
    const first = some[0] !== undefined && holds(some[0]);
    return some.every((text) => holds(text) === first) ? Number(first) : shareOf(holds);
  };
  const known = new Map<Kind, number>();
  return {
    ...{ values, filled, rows, placeholders, shareOf, roughly },
    share: (kind) => {
      const share = known.get(kind) ?? (COUNTED.has(kind) ? shareOf : roughly)(KINDS[kind]);
      known.set(kind, share);
      return share;
    },
  };
}

const EMAIL = /^[^\s@,;<>]+@[^\s@,;.<>]+(?:\.[^\s@,;.<>]+)+$/;
const UUID = /^\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i;
const NUMBER =
  /^[-+−]?[\p{Sc}]?\s?\d[\d\s\u00a0\u202f.,']*\s?(?:[\p{Sc}%]|[A-Z]{3}|руб\.?|р\.|zł|kr|тг|грн\.?)?$/u;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?$/i;
const URL = /^(?:https?:\/\/|www\.)\S+$|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\/\S*)?$/i;
const IP = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const PHONE = /^\+?[\d\s().\-/\u00a0]{7,}(?:\s*(?:x|ext\.?|доб\.?)\s*\d+)?$/i;
/** Degrees of latitude or longitude, with so many decimals that a phone could be written so. */
const DEGREES = String.raw`[-+−]?(?:0|[1-9]\d?|1[0-7]\d)[.,]\d{4,}°?`;
const PLACE = new RegExp(String.raw`^\(?${DEGREES}(?:\s*[,;/\s]\s*${DEGREES})?\)?$`);
const NAME = /^\p{Lu}?[\p{L}\p{M}'’.-]+(?:[\s,]+[\p{L}\p{M}'’.-]+){0,4}$/u;
const ADDRESS = /^(?=.*\d)(?=.*\p{L}{3}).*[,\s].+$/u;

/** With the month as a word: `Nov 3, 2026`. */
const isInWords = (text: string): boolean =>
  text.length <= 40 && /\p{L}{3}/u.test(text) && /\d/.test(text) && dateByForm(text) !== null;

/** With a zone behind it, or am and pm in other forms: dates that hardly any pattern of a mapping reads. */
const OTHER_DATE =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})$|^\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}(?::\d{2})?\s?[ap]\.?m\.?$/i;

const DAYS =
  'yyyy-MM-dd yyyy/M/d yyyy.MM.dd d.M.yyyy d/M/yyyy M/d/yyyy d-M-yyyy M-d-yyyy d.M.yy d/M/yy M/d/yy';

const TIMES = [
  ...['', ' H:mm', ' H:mm:ss', "'T'HH:mm:ss", ' h:mm a', ' h:mm:ss a', ' h:mma'],
  ...[', H:mm', ', H:mm:ss', ', h:mm a', ', h:mm:ss a'],
];

interface Named {
  readonly name: string;
  readonly pattern: DatePattern;
}

/** Patterns in the order in which they are tried; each reads cells with and without leading zeros. */
const PATTERNS: readonly Named[] = DAYS.split(' ').flatMap((day) =>
  TIMES.map((time) => ({ name: day + time, pattern: compileDate(day + time) })),
);

/** Whether a text is a date in one of the known patterns. */
export const isDate = remembering(
  (text: string): boolean =>
    (/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(text) &&
      (OTHER_DATE.test(text) || PATTERNS.some(({ pattern }) => pattern.read(text) !== null))) ||
    isInWords(text),
);

/** Whether a cell is a number of degrees, or two of them. */
export const isPlace = (text: string): boolean => PLACE.test(text);

/** What has the signs of a phone and is none. */
export const isNoPhone = (text: string): boolean => IP.test(text) || isPlace(text);

/** What a single cell looks like. A cell may look like several things. */
const KINDS = {
  email: (text) => text.split(/[;,]\s*/).every((part) => EMAIL.test(part)),
  uuid: (text) => UUID.test(text),
  number: (text) => NUMBER.test(text),
  integer: (text) => /^\d+$/.test(text),
  time: (text) => TIME.test(text),
  date: isDate,
  url: (text) => URL.test(text) && !EMAIL.test(text),
  ip: (text) => IP.test(text),
  /** By its signs; whether such a number exists is asked of the library. */
  phoneLike: (text) => {
    const digits = text.replace(/\D/g, '').length;
    return PHONE.test(text) && digits >= 7 && digits <= 15 && !isDate(text) && !isNoPhone(text);
  },
  zone: (text) => zoneOf(text) !== null,
  yesNo: (text) => ['yes', 'no'].includes(meaningOfValue(text) ?? '') && !/^[\p{L}]$/u.test(text),
  name: (text) => NAME.test(text) && text.length <= 60,
  address: (text) => ADDRESS.test(text) && text.length >= 10 && !isDate(text),
  salutation: (text) => wordSet('salutation').has(text.toLowerCase().replace(/\.$/, '')),
  company: (text) =>
    text
      .toLowerCase()
      .split(/[\s.,"«»“”]+/)
      .some((word) => wordSet('legal form').has(word)),
  /** How far something has come. */
  status: (text) => meaningsOfValue(text).some((meaning) => STATUSES.includes(meaning)),
  letters: (text) => /\p{L}{2}/u.test(text),
} as const satisfies Record<string, (text: string) => boolean>;

const STATUSES: readonly ValueMeaning[] = ['new', 'open', 'won', 'lost', 'closed'];

type Kind = keyof typeof KINDS;

let zones: Map<string, string> | undefined;

const namedZones = (): Map<string, string> =>
  (zones ??= new Map(
    wordsOf('zone').flatMap(({ of: zone, words }) =>
      words.map((word): [string, string] => [normalForm(word), zone]),
    ),
  ));

/** The IANA name for what a cell says of a time zone; `null` when it says nothing of one. */
export function zoneOf(text: string): string | null {
  const trimmed = text.trim();
  if (/^[A-Z][A-Za-z]+\/[A-Za-z_+\-0-9/]+$/.test(trimmed)) return timeZone(trimmed)?.name ?? null;
  const known = namedZones().get(normalForm(trimmed.replace(/^\((?:utc|gmt)[^)]*\)\s*/i, '')));
  if (known !== undefined) return known;
  const offset = /^\(?(utc|gmt|msk|мск)?\s*([+\-−]\d{1,2})(?:[:.]?(00|0))?\)?$/i.exec(trimmed);
  if (!offset) return null;
  const base = /^(?:msk|мск)$/i.test(offset[1] ?? '') ? 3 : 0;
  const hours = base + Number((offset[2] ?? '0').replace('−', '-'));
  if (hours < -12 || hours > 14) return null;
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

let valueMeanings: Map<string, ValueMeaning[]> | undefined;

function meaningsOfValues(): Map<string, ValueMeaning[]> {
  const all = new Map<string, ValueMeaning[]>();
  for (const { of: meaning, words } of wordsOf('value')) {
    if (!isValueMeaning(meaning)) continue;
    const forms = words.map((word) => normalForm(word) || word);
    for (const form of forms) all.set(form, [...(all.get(form) ?? []), meaning]);
  }
  return all;
}

/** What a value says of its column, such as a stage or a language. */
export function meaningsOfValue(text: string): readonly ValueMeaning[] {
  valueMeanings ??= meaningsOfValues();
  return valueMeanings.get(normalForm(text) || text) ?? [];
}

function meaningOfValue(text: string): ValueMeaning | undefined {
  const meanings = meaningsOfValue(text);
  return meanings.find((meaning) => meaning === 'yes' || meaning === 'no') ?? meanings[0];
}

function namesFor(text: string): string[] {
  return PATTERNS.filter(({ pattern }) => pattern.read(text) !== null).map(({ name }) => name);
}

/** How the dates of a column are written. */
export type DateForm =
  /** `2026-11-03` in every cell, as dates are stored. */
  | { readonly kind: 'stored' }
  /** The form says what is year, month and day: no pattern is needed. */
  | { readonly kind: 'own'; readonly hasTime: boolean }
  | { readonly kind: 'patterns'; readonly names: readonly string[] }
  /** Every one can be read with the day first and with the month first. */
  | { readonly kind: 'ambiguous'; readonly dayFirst: string; readonly monthFirst: string }
  /** Dates that no pattern of a mapping can read. */
  | { readonly kind: 'unreadable' };

/** The form that reads nearly all cells of a column, given with how often each occurs. */
export function dateForm(cells: ReadonlyMap<string, number>): DateForm {
  const form = formFor(cells, ENOUGH);
  return form.kind === 'unreadable' ? formFor(cells, NEARLY_ALL) : form;
}

/** How many cells a form does not read. */
export function oddDates(cells: ReadonlyMap<string, number>, form: DateForm): number {
  if (form.kind === 'stored' || form.kind === 'unreadable') return 0;
  if (form.kind === 'own') return sum([...cells].filter(([text]) => dateByForm(text) === null));
  const names = form.kind === 'patterns' ? form.names : [form.dayFirst];
  const readers = PATTERNS.filter(({ name }) => names.includes(name));
  return sum(
    [...cells].filter(([text]) => readers.every(({ pattern }) => pattern.read(text) === null)),
  );
}

function formFor(cells: ReadonlyMap<string, number>, enough: number): DateForm {
  const own = ownForm(cells, enough);
  if (own) return own;
  const counts = new Map<string, number>();
  let total = 0;
  for (const [text, count] of cells) {
    total += count;
    for (const name of namesFor(text)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const readers = [...counts].sort((a, b) => b[1] - a[1]);
  const [best] = readers;
  if (!best) return { kind: 'unreadable' };
  const equal = readers.filter(([, count]) => count === best[1]).map(([name]) => name);
  const dayFirst = equal.find((name) => /^d+[/-]/.test(name));
  const monthFirst = equal.find((name) => /^M+[/-]/.test(name));
  if (dayFirst !== undefined && monthFirst !== undefined && best[1] >= total * enough)
    return { kind: 'ambiguous', dayFirst: dayFirst, monthFirst: monthFirst };
  return covering(cells, total, enough);
}

const STORED = /^\d{4}-\d{2}-\d{2}$/;

/** Where nearly all cells can be read without a pattern. */
function ownForm(cells: ReadonlyMap<string, number>, enough: number): DateForm | null {
  const all = [...cells];
  const read = all.filter(([text]) => dateByForm(text) !== null);
  const total = sum(all);
  if (total === 0 || sum(read) < total * enough) return null;
  if (sum(all.filter(([text]) => STORED.test(text))) === total) return { kind: 'stored' };
  return { kind: 'own', hasTime: read.every(([text]) => /\d:\d\d/.test(text)) };
}

/** One pattern after the other, each the one that reads most of what is left. */
function covering(cells: ReadonlyMap<string, number>, total: number, enough: number): DateForm {
  const names: string[] = [];
  let left = new Map(cells);
  for (let turn = 0; turn < 3 && left.size > 0; turn++) {
    const counts = PATTERNS.map(({ name, pattern }) => ({
      name,
      pattern,
      count: sum([...left].filter(([text]) => pattern.read(text) !== null)),
    }));
    const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
    if (best.count === 0) break;
    names.push(best.name);
    left = new Map([...left].filter(([text]) => best.pattern.read(text) === null));
  }
  return total - sum([...left]) >= total * enough && names.length > 0
    ? { kind: 'patterns', names }
    : { kind: 'unreadable' };
}

/** Share of the cells from which a column is what they are: the others are mistakes. */
export const NEARLY_ALL = 0.8;

/** Rows of totals at the end of a table, as `source.until` leaves them out. */
export interface Totals {
  readonly column: string;
  readonly startsWith: string;
  readonly rows: number;
}

/** Share of the cells that such a row fills at most: it sums up a few columns. */
const MAX_FILLED = 0.6;

/** The totals that the last rows of a table are; `null` where they are none. */
export function totalsAt(
  headers: readonly string[],
  last: readonly (readonly Cell[])[],
): Totals | null {
  const rows = last.toReversed().map((cells) => totalOf(headers, cells));
  const [total] = rows;
  if (!total) return null;
  const other = rows.findIndex((row) => row?.column !== total.column);
  return { ...total, rows: other < 0 ? rows.length : other };
}

/** Whether `source.until` with these totals holds for a row. */
export function isTotal(
  headers: readonly string[],
  cells: readonly Cell[],
  { column, startsWith }: Totals,
): boolean {
  const text = cells[headers.indexOf(column)]?.trim().toLowerCase() ?? '';
  return text.startsWith(startsWith.toLowerCase());
}

function totalOf(
  headers: readonly string[],
  cells: readonly Cell[],
): Omit<Totals, 'rows'> | undefined {
  const texts = cells.map((cell) => cell?.trim() ?? '');
  const filled = texts.filter((text) => text !== '').length;
  const at = texts.findIndex((text) => text !== '');
  const column = headers[at];
  const [word] = expressionsOf('total')[0]?.[1].exec(texts[at] ?? '') ?? [];
  return column === undefined || word === undefined || filled > MAX_FILLED * headers.length
    ? undefined
    : { column, startsWith: word };
}
