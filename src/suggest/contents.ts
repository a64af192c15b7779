import { dateByForm, compileDate } from '../mapping/transforms/date/dates.js';
import { timeZone } from '../core/time.js';
import { amountOf, numberText } from '../mapping/transforms/number.js';
import { plainSigns } from '../mapping/transforms/phone/words.js';
import { type ValueMeaning, byForm, normalForm, remembering, wordSet } from './words.js';

const PLAIN = /^-?\d+$/;
const UNIT = /\d\s*(%|\p{L}[\p{L}.]*)$/u;

/** Styles by the sign before decimals; the first that reads nearly all cells is taken. */
const STYLES: readonly (readonly ['.' | ',', '.' | ',' | "'" | null, RegExp])[] = [
  ['.', null, /^[-+−]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
  [',', null, /^[-+−]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:,\d+)?$|^[-+−]?\d+(?:,\d+)?$/],
  ['.', ',', /^[-+−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
  [',', '.', /^[-+−]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^[-+−]?\d+(?:,\d+)?$/],
  ['.', "'", /^[-+−]?\d{1,3}(?:'\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
];

/** Share of the numbers that one style has to read where another might read more. */
const ENOUGH = 0.98;

/** How the numbers of a column are written: the style that reads nearly all cells; `null` where none does. */
export function numberForm(values: ReadonlyMap<string, number>) {
  const total = sum(values);
  const { numbers, unit } = numbersIn(values, total);
  if (total === 0 || sum(numbers) < total * NEARLY_ALL) return null;
  const readBy = (form: RegExp): number => sum(numbers, (digits) => form.test(digits));
  const style =
    STYLES.find(([, , form]) => readBy(form) >= sum(numbers) * ENOUGH) ??
    STYLES.find(([, , form]) => readBy(form) >= total * NEARLY_ALL);
  if (!style) return null;
  const [decimal, thousands, form] = style;
  const signed = numbers.filter(([digits]) => /[.,']/.test(digits));
  return {
    ...{ decimal, thousands },
    /** What stands behind the digits, such as a percent sign, where no transform reads it; money is read. */
    unit,
    /** Whether there are signs before decimals or between thousands, beside spaces. */
    hasSigns: signed.length > 0,
    /** Whether every cell with a sign is one number with a decimal point and another with a decimal comma. */
    isAmbiguous:
      signed.length > 0 && signed.every(([digits]) => numberText(digits)?.look === 'either'),
    /** Whether they are read as they stand, without a transform. */
    isPlain: signed.length === 0 && [...values.keys()].every((text) => PLAIN.test(text)),
    /** Cells that are no numbers of this form. */
    odd: total - readBy(form),
  };
}

type Counted = readonly [text: string, count: number];

/** How many cells these are, each value as often as it occurs; or those of them for which something holds. */
function sum(cells: Iterable<Counted>, holds: (text: string) => boolean = () => true): number {
  let total = 0;
  for (const [text, count] of cells) if (holds(text)) total += count;
  return total;
}

/** The digits of the cells that are numbers; with one unit that stands behind most of them, where it needs that to be numbers. */
function numbersIn(
  values: ReadonlyMap<string, number>,
  total: number,
): { readonly numbers: readonly Counted[]; readonly unit: string | null } {
  const digitsOf = (end: string): Counted[] =>
    [...values].flatMap(([text, count]): Counted[] => {
      const amount = amountOf(text.endsWith(end) ? text.slice(0, -end.length || undefined) : text);
      return amount === null ? [] : [[amount.digits, count]];
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
export type Profile = ReturnType<typeof profileOf>;

/** What is to be known of one column. Kinds are counted when they are first asked for. */
export function profileOf(cells: readonly (string | null)[]) {
  const values = new Map<string, number>();
  for (const cell of cells) {
    const text = cell?.trim() ?? '';
    if (text !== '') values.set(text, (values.get(text) ?? 0) + 1);
  }
  const isPlaceholder = (text: string): boolean => wordSet('placeholder').has(text.toLowerCase());
  const found = [...values.keys()].filter(isPlaceholder);
  // A column of yes and `нет` has an answer there, and no placeholder.
  const areAnswers =
    values.size <= 4 && values.size - found.length <= 2 && [...values.keys()].every(KINDS.yesNo);
  const placeholders = areAnswers ? [] : found;
  for (const text of placeholders) values.delete(text);
  const filled = sum(values);
  const shareOf = (holds: (text: string) => boolean): number =>
    filled === 0 ? 0 : sum(values, holds) / filled;
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
    /** Distinct values with how often they occur, in the order of the file. */
    values,
    /** Cells that hold something, placeholders such as `n/a` left out. */
    filled,
    rows: cells.length,
    /** Placeholders that occur. */
    placeholders,
    /** Share of the filled cells for which this holds; 0 where none is filled. */
    shareOf,
    /** The same by some of the values where these agree: one in a hundred may be another one. */
    roughly,
    /** Share of the filled cells that look like this. */
    share: (kind: Kind): number => {
      const share = known.get(kind) ?? (COUNTED.has(kind) ? shareOf : roughly)(KINDS[kind]);
      known.set(kind, share);
      return share;
    },
  };
}

/** Values that show what all are, where they agree. */
const MANY = 150;
/** A person is told how many of the cells are these. */
const COUNTED: ReadonlySet<Kind> = new Set<Kind>(['email', 'zone', 'url']);

const EMAIL = /^[^\s@,;<>]+@[^\s@,;.<>]+(?:\.[^\s@,;.<>]+)+$/;
const UUID = /^\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i;
const NUMBER =
  /^[-+−]?[\p{Sc}]?\s?\d[\d\s\u00a0\u202f.,']*\s?(?:[\p{Sc}%]|[A-Z]{3}|руб\.?|р\.|zł|kr|тг|грн\.?)?$/u;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?$/i;
const URL = /^(?:https?:\/\/|www\.)\S+$|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\/\S*)?$/i;
/** Its parts have no zeros before them, as the area codes of phones do. */
const IP = /^(?!.*(?<!\d)0\d)\d{1,3}(?:\.\d{1,3}){3}$/;
const PHONE = /^\+?[\d\s().\-/\u00a0]{7,}(?:\s*(?:x|ext\.?|доб\.?)\s*\d+)?$/i;
/** Of a phone among other things. */
const SEVEN_DIGITS = /(?<![\p{L}\d])(?:\d[\s().\-/\u00a0]*){7}/u;
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

const DAYS = [
  ...[
    'yyyy-MM-dd',
    'yyyy/M/d',
    'yyyy.MM.dd',
    'd.M.yyyy',
    'd/M/yyyy',
    'M/d/yyyy',
    'd-M-yyyy',
    'M-d-yyyy',
  ],
  ...['d.M.yy', 'd/M/yy', 'M/d/yy', 'yyyyMMdd', 'd. M. yyyy', 'd.M.yyyy.', 'd. M. yyyy.'],
];

const TIMES = [
  ...['', ' H:mm', ' H:mm:ss', "'T'HH:mm:ss", ' h:mm a', ' h:mm:ss a', ' h:mma'],
  ...[', H:mm', ', H:mm:ss', ', h:mm a', ', h:mm:ss a'],
];

/** Patterns in the order in which they are tried; each reads cells with and without leading zeros. */
const PATTERNS = DAYS.flatMap((day) =>
  TIMES.map((time) => {
    const pattern = compileDate(day + time);
    return { name: day + time, reads: (text: string) => pattern.read(usual(text)) !== null };
  }),
);

/** Whether a text is a date in one of the known patterns. */
export const isDate = remembering((written: string): boolean => {
  const text = usual(written);
  const isInDigits =
    /^\d{1,4}[./-] ?\d{1,2}[./-] ?\d{1,4}/.test(text) &&
    (OTHER_DATE.test(text) ||
      dateByForm(text) !== null ||
      PATTERNS.some(({ reads }) => reads(text)));
  return isInDigits || isInWords(written);
});

/** Whether a cell is a number of degrees, or two of them. */
export const isPlace = (text: string): boolean => PLACE.test(text);

/** `2024-02-9612` of an invoice, `01310-200` of a postcode in Brazil, `123456-7` of a bank account. */
const NUMBERED = /^(?:(?:19|20)\d\d([-/.])(?:0[1-9]|1[0-2])\1\d{3,}|\d{5}-\d{3}|\d{4,9}-[\dX])$/;

/** What has the signs of a phone and is none. */
export const isNoPhone = (text: string): boolean =>
  IP.test(text) || isPlace(text) || NUMBERED.test(text);

/** `19800312`: digits alone, which are a date where the name of the column says so. */
const COMPACT_DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** Digits and signs of other scripts, and of full width, as every other program writes them. */
export const usual = (text: string): string => (/^[ -~]*$/.test(text) ? text : plainText(text));
const plainText = remembering(plainSigns);

/** What a single cell looks like. A cell may look like several things. */
const KINDS = {
  email: (text) => text.split(/[;,]\s*/).every((part) => EMAIL.test(part)),
  uuid: (text) => UUID.test(text),
  number: (text) => NUMBER.test(usual(text)),
  integer: (text) => /^\d+$/.test(text),
  time: (text) => TIME.test(text),
  date: isDate,
  url: (text) => URL.test(text) && !EMAIL.test(text),
  ip: (text) => IP.test(text),
  /** By its signs; whether such a number exists is asked of the library. */
  phoneLike: (written) => {
    const text = usual(written);
    const digits = text.replace(/\D/g, '').length;
    return PHONE.test(text) && digits >= 7 && digits <= 15 && !isDate(text) && !isNoPhone(text);
  },
  /** The same among words or beside other numbers: `0171 2345678 (privat)`, `030 123456 oder 0172 9876543`. */
  holdsPhone: (text) => SEVEN_DIGITS.test(usual(text)) && !isDate(text) && !isNoPhone(text),
  compactDate: (text) => COMPACT_DATE.test(usual(text)),
  zone: (text) => zoneOf(text) !== null,
  yesNo: (text) => means(text, 'yes', 'no') && !/^\p{L}$/u.test(text),
  name: (text) => NAME.test(text) && text.length <= 60,
  address: (text) => ADDRESS.test(text) && text.length >= 10 && !isDate(text),
  salutation: (text) => wordSet('salutation').has(text.toLowerCase().replace(/\.$/, '')),
  company: (text) =>
    text
      .toLowerCase()
      .split(/[\s.,"«»“”]+/)
      .some((word) => wordSet('legal form').has(word)),
  /** How far something has come. */
  status: (text) => means(text, 'new', 'open', 'won', 'lost', 'closed'),
  letters: (text) => /\p{L}{2}/u.test(text),
} as const satisfies Record<string, (text: string) => boolean>;

type Kind = keyof typeof KINDS;

/**
 * The IANA name for what a cell says of a time zone; `null` when it says nothing of one.
 * @param country of the clients: letters such as IST mean another zone in some
 */
export function zoneOf(text: string, country = ''): string | null {
  const trimmed = text.trim();
  if (/^[A-Z][A-Za-z]+\/[A-Za-z_+\-0-9/]+$/.test(trimmed)) return timeZone(trimmed)?.name ?? null;
  const name = normalForm(trimmed.replace(/^\((?:utc|gmt)[^)]*\)\s*/i, ''));
  const [own] = byForm('zone in country').get(`${country.toLowerCase()} ${name}`) ?? [];
  const known = own ?? byForm('zone').get(name)?.at(-1);
  if (known !== undefined) return known;
  const offset = /^\(?(utc|gmt|msk|мск)?\s*([+\-−]\d{1,2})(?:[:.]?(00|0))?\)?$/i.exec(trimmed);
  if (!offset) return null;
  const base = /^(?:msk|мск)$/i.test(offset[1] ?? '') ? 3 : 0;
  const hours = base + Number((offset[2] ?? '0').replace('−', '-'));
  if (hours < -12 || hours > 14) return null;
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** What a value says of its column, such as a stage. */
export const meaningsOfValue = (text: string): readonly string[] =>
  byForm('value').get(normalForm(text) || text) ?? [];

/** Whether a value says one of these. */
export const means = (text: string, ...wanted: readonly ValueMeaning[]): boolean =>
  meaningsOfValue(text).some((each) => wanted.some((meaning) => meaning === each));

/** How the dates of a column are written. */
type DateForm =
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
  if (form.kind === 'own') return sum(cells, (text) => dateByForm(text) === null);
  const names = form.kind === 'patterns' ? form.names : [form.dayFirst];
  const readers = PATTERNS.filter(({ name }) => names.includes(name));
  return sum(cells, (text) => !readers.some(({ reads }) => reads(text)));
}

const STORED = /^\d{4}-\d{2}-\d{2}$/;

/** Where nearly all cells can be read without a pattern; else one pattern after the other, each the one that reads most of what is left. */
function formFor(cells: ReadonlyMap<string, number>, enough: number): DateForm {
  const total = sum(cells);
  const own = new Set([...cells.keys()].filter((text) => dateByForm(text) !== null));
  if (total > 0 && sum(cells, (text) => own.has(text)) >= total * enough) {
    if (own.size === cells.size && [...own].every((text) => STORED.test(text)))
      return { kind: 'stored' };
    return { kind: 'own', hasTime: [...own].every((text) => /\d:\d\d/.test(text)) };
  }
  const names: string[] = [];
  let left = cells;
  for (let turn = 0; turn < 3 && left.size > 0; turn++) {
    const counts = PATTERNS.map((each) => ({
      ...each,
      count: sum(left, (text) => each.reads(text)),
    }));
    const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
    if (best.count === 0) break;
    if (turn === 0 && best.count >= total * enough) {
      const equal = counts.filter(({ count }) => count === best.count).map(({ name }) => name);
      const [dayFirst] = equal.filter(isDayFirst);
      const [monthFirst] = equal.filter(isMonthFirst);
      if (dayFirst !== undefined && monthFirst !== undefined)
        return { kind: 'ambiguous', dayFirst, monthFirst };
    }
    names.push(best.name);
    left = new Map([...left].filter(([text]) => !best.reads(text)));
  }
  return total - sum(left) >= total * enough && names.length > 0
    ? { kind: 'patterns', names }
    : { kind: 'unreadable' };
}

/** Whether a pattern has the day, or the month, before the other and the year, where signs do not say which is which. */
export const isDayFirst = (name: string): boolean => /^d+[/-]/.test(name);
/** The same of the month before the day. */
export const isMonthFirst = (name: string): boolean => /^M+[/-]/.test(name);

/** Share of the cells from which a column is what they are: the others are mistakes. */
export const NEARLY_ALL = 0.8;
