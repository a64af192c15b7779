import { LANGUAGES, type Language, fill, formFor } from '../../shared/page.js';

/** The one that the address names, else the one that was switched to last, else the browser's. */
function chosenLanguage(): Language {
  const [, kept] = /(?:^|; )cardline-language=(\w+)/.exec(document.cookie) ?? [];
  const asked = [new URLSearchParams(location.search).get('lang'), kept, navigator.language];
  const known = asked.map((one) => LANGUAGES.find((language) => language === one?.slice(0, 2)));
  return known.find((one) => one !== undefined) ?? 'en';
}

/** Keeps a language for a year, whatever port the page has next. */
export const keepLanguage = (chosen: Language): void => {
  document.cookie = `cardline-language=${chosen}; path=/; max-age=31536000; samesite=strict`;
};

/** The language of the page, for as long as it is loaded. */
export const language = chosenLanguage();

/**
 * How numbers and dates are written: as in the browser's region. Of another language, dates alone are: sentences of the
 * server have their numbers as the language has them, and `1.200` beside `1,200` would be two numbers.
 */
const [numberLocale, dateLocale] = regional();

function regional(): [numbers: string, dates: string] {
  const own = navigator.languages.find((one) => new Intl.Locale(one).language === language);
  const { region } = new Intl.Locale(own ?? navigator.language);
  return [own ?? language, region === undefined ? language : `${language}-${region}`];
}

/** What the file of a language has for the page. */
interface Words {
  /** By the English template. */
  readonly page: Readonly<Record<string, string>>;
  /** Names of the outcomes. */
  readonly outcomes: Readonly<Record<string, string>>;
}

let words: Words = { page: {}, outcomes: {} };

/** Loads the words of the language, before anything is drawn: without them the page is in English. */
export async function loadWords(): Promise<void> {
  if (language === 'en') return;
  const response = await fetch(`/${language}.json`).catch(() => undefined);
  if (response?.ok === true) words = (await response.json()) as Words;
}

type Value = string | number;

/** As many values as a template has holes. */
type ValuesOf<T extends string> = T extends `${string}{4${string}`
  ? [Value, Value, Value, Value]
  : T extends `${string}{3${string}`
    ? [Value, Value, Value]
    : T extends `${string}{2${string}`
      ? [Value, Value]
      : T extends `${string}{1${string}`
        ? [Value]
        : [];

/** No text that is known only when the page runs: nobody could have translated it. */
type Template<T extends string> = string extends T ? never : T;

/** A message in the person's language, by its English template. What `{1}` stands for is written as that language has it. */
export function t<const T extends string>(
  template: T & Template<T>,
  ...values: ValuesOf<T>
): string {
  const put = (value: Value, kind: string | undefined): string => {
    if (typeof value === 'string') return value;
    if (kind === undefined) return number(value);
    if (kind === 'percent') return percent(value);
    return kind === 'size' ? size(value) : `${number(value)} ${formFor(language, value, kind)}`;
  };
  const all: readonly Value[] = values;
  const text = words.page[template] ?? template;
  return fill(text, ({ of, kind }) => put(all[of - 1] ?? '', kind)) ?? text;
}

/** What an outcome is called. In English that is its name in the reports. */
export const outcomeName = (outcome: string): string =>
  words.outcomes[outcome] ?? outcome.replaceAll('_', ' ');

/** A country by its two letters; what is none stays as it is. */
export const countryName = (code: string): string =>
  /^[A-Za-z]{2}$/.test(code)
    ? (new Intl.DisplayNames(language, { type: 'region' }).of(code.toUpperCase()) ?? code)
    : code;

const inNumbers = (options: Intl.NumberFormatOptions, value: number): string =>
  new Intl.NumberFormat(numberLocale, options).format(value);
const inDates = (options: Intl.DateTimeFormatOptions, date: Date): string =>
  new Intl.DateTimeFormat(dateLocale, options).format(date);

export const number = (value: number): string => inNumbers({}, value);

export const percent = (share: number, digits = 0): string =>
  inNumbers(
    { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits },
    share,
  );

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const options: Intl.NumberFormatOptions = {
    ...{ style: 'unit', unit: UNITS[power] ?? 'byte' },
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  };
  return inNumbers(options, bytes / 1000 ** power);
}

export const dateTime = (iso: string): string =>
  inDates({ dateStyle: 'medium', timeStyle: 'short' }, new Date(iso));

/** The same to the second, with its zone. */
export const exactTime = (iso: string): string =>
  inDates({ dateStyle: 'long', timeStyle: 'long' }, new Date(iso));

/** A day of the calendar, from YYYY-MM-DD. */
export const calendarDay = (date: string): string =>
  inDates({ dateStyle: 'medium', timeZone: 'UTC' }, new Date(`${date}T00:00:00Z`));

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A day of the week, from `Mon` to `Sun`. */
export function weekday(name: string): string {
  const index = WEEK.indexOf(name);
  // The first of January 2024 was a Monday.
  const date = new Date(Date.UTC(2024, 0, 1 + index));
  return index < 0 ? name : inDates({ weekday: 'short', timeZone: 'UTC' }, date);
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
    .map(([value, unit]) => inNumbers({ style: 'unit', unit, unitDisplay: 'short' }, value))
    .join(' ');
}

/** A day of this or a recent year, as it stands at an axis. */
export const shortDay = (date: Date): string => inDates({ day: 'numeric', month: 'short' }, date);

/** A day with its time. */
export const dayTime = (date: Date): string =>
  inDates({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }, date);

/** Parts of a sentence, with what stands between them. */
export const listOf = (parts: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(parts);

/** A difference, with its sign and one digit. */
export const withSign = (value: number): string =>
  inNumbers(
    { signDisplay: 'exceptZero', minimumFractionDigits: 1, maximumFractionDigits: 1 },
    value,
  );
