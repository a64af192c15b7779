import type { Language } from '../../shared/in-browser.js';
import { chosenLanguage } from './chosen-language.js';

/** The language of the page, for as long as it is loaded. */
export const language = chosenLanguage();

/** A message in every language: the compiler demands all of them. */
export type Message<A extends readonly unknown[] = []> = Readonly<
  Record<Language, A extends readonly [] ? string : (...values: A) => string>
>;

type AnyMessage = Readonly<Record<Language, string | ((...values: never[]) => string)>>;
/** A table of messages, for `satisfies`. */
export type Messages = Readonly<Record<string, AnyMessage>>;

type ValuesOf<M extends AnyMessage> = M['en'] extends (...values: infer A) => string ? A : [];

/** A message in the person's language. */
export function t<M extends AnyMessage>(message: M, ...values: ValuesOf<M>): string {
  // The build leaves the text alone of each message. The type says which values belong to it.
  const text = typeof message === 'object' ? message[language] : message;
  return typeof text === 'string' ? text : (text as (...values: unknown[]) => string)(...values);
}

/** The form of a word that goes with a number: `many` is Russian's, where English has `other` alone. */
export type Forms = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** A number with the word that goes with it. */
export function counted(count: number, forms: Forms): string {
  const rule = new Intl.PluralRules(language).select(count);
  return `${number(count)} ${forms[rule] ?? forms.other}`;
}

export const number = (value: number): string => new Intl.NumberFormat(language).format(value);

export const percent = (share: number, digits = 0): string =>
  new Intl.NumberFormat(language, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}

export const dateTime = (iso: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  );

/** A day of the calendar, from YYYY-MM-DD. */
export const calendarDay = (date: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** A Monday. */
const FIRST_MS = Date.UTC(2024, 0, 1);

/** A day of the week, from `Mon` to `Sun`. */
export function weekday(name: string): string {
  const index = WEEK.indexOf(name);
  const date = new Date(FIRST_MS + index * 86_400_000);
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  return index < 0 ? name : format.format(date);
}

/** A length of time, in its two largest units. */
export function duration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor((whole % 3600) / 60), 'minute'],
    [whole % 60, 'second'],
  ] as const;
  return parts
    .filter(([value]) => value > 0)
    .slice(0, 2)
    .map(([value, unit]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
    )
    .join(' ');
}

/** A day of this or a recent year, as it stands at an axis. */
export const shortDay = (date: Date): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(date);

/** A day with its time. */
export const dayTime = (date: Date): string =>
  new Intl.DateTimeFormat(language, {
    ...{ day: 'numeric', month: 'short' },
    ...{ hour: 'numeric', minute: '2-digit' },
  }).format(date);

/** A difference, with its sign and one digit. */
export const withSign = (value: number): string =>
  new Intl.NumberFormat(language, {
    signDisplay: 'exceptZero',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(value);
