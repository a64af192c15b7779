import type { Plain } from '../config/yaml-text.js';
import { isCountry, phoneMetadata } from '../mapping/transforms/phone/library.js';
import type { Profile } from './contents.js';
import type { Meaning, Recognised } from './header.js';
import { normalForm } from './normal-form.js';
import { callingCodeOf, countryOfPhone, isPhone, writtenAbroad } from './phones.js';
import type { Table } from './suggestion.js';
import { LANGUAGES, wordsOf } from './words.js';

/*
 * Columns beside phones that say how their numbers begin: an area code, the code of a country, the country itself. What
 * they say is tried on the rows: a number that exists with it shows that it is meant so.
 */

/** What is looked at of a column. */
interface Column {
  readonly index: number;
  readonly header: string;
  readonly name: Recognised;
  readonly meanings: readonly Pick<Meaning, 'concept' | 'score'>[];
  readonly cells: Profile;
  readonly texts: readonly (string | null)[];
  readonly phoneSeparator: string | null;
  readonly isNameless: boolean;
}

/** What columns are called that hold the beginning of the numbers beside them. */
const CODES =
  /\b(?:(?:country|area|dial\w*|phone|calling|isd|std|trunk|city)\s?(?:code|prefix)|prefix|\w*vorwahl|indicatif|prefijo|prefisso|prefixo|kierunkowy|predvolba|netnummer|ddd|ddi|lada)\b|код (?:города|страны|оператора)|код міста|区号|국가번호|지역번호/u;
/** And those that hold countries, where they are not called so alone: `Phone country`. */
const COUNTRIES = /\b(?:country|land|pays|pais|paese|kraj|ulke|nation)\b|страна|країна|国|국가/u;

const isCodeName = (header: string): boolean => CODES.test(normalForm(header));

/** Rows that are tried. */
const TRIED = 300;

/** Columns of area codes by the columns of the numbers that go on behind them. */
export type AreaCodes = ReadonlyMap<number, number>;

const AREA = /^[(]?0?\d{1,5}[)]?$/;
/** A number without its area code; longer ones are whole. */
const LOCAL = /^[\d\s./-]{4,12}$/;
/** Share of the cells that have to be of one form. */
const MOSTLY = 0.8;

/** The columns of area codes of a table, each with that of the numbers it belongs to. */
export function areaCodesIn({ headers, sample }: Table): AreaCodes {
  const found = new Map<number, number>();
  headers.forEach((header, at) => {
    if (!isCodeName(header)) return;
    const texts = sample.slice(0, TRIED).map((row) => row[at]?.trim() ?? '');
    const filled = texts.filter((text) => text !== '');
    if (filled.length === 0 || share(filled, (text) => AREA.test(text)) < MOSTLY) return;
    const beside = [at + 1, at - 1].find((each) => holdsLocal(headers[each], each, sample));
    if (beside === undefined) return;
    // The code of a country makes numbers that exist.
    const pairs = sample.slice(0, TRIED).flatMap((row): [string, string][] => {
      const [code, number] = [callingCodeIn(row[at] ?? ''), row[beside]?.trim() ?? ''];
      return code === null || number === '' ? [] : [[code, number]];
    });
    const whole = share(pairs, ([code, number]) => isPhone(`${code} ${number}`, undefined));
    if (pairs.length < filled.length * MOSTLY || whole < MOSTLY) found.set(beside, at);
  });
  return found;
}

function holdsLocal(header: string | undefined, at: number, sample: Table['sample']): boolean {
  if (header === undefined || isCodeName(header)) return false;
  const texts = sample.slice(0, TRIED).flatMap((row) => row[at]?.trim() || []);
  return texts.length > 0 && share(texts, (text) => LOCAL.test(text)) >= MOSTLY;
}

const share = <T>(all: readonly T[], holds: (one: T) => boolean): number =>
  all.length === 0 ? 0 : all.filter(holds).length / all.length;

/** The table with whole numbers in place of those that go on behind an area code. */
export function withAreaCodes(table: Table, areas: AreaCodes): Table {
  if (areas.size === 0) return table;
  const sample = table.sample.map((row) =>
    row.map((cell, at) => {
      const area = areas.get(at);
      const text = cell?.trim() ?? '';
      if (area === undefined || text === '' || text.startsWith('+')) return cell;
      return `${row[area]?.trim() ?? ''}${text}`;
    }),
  );
  return { ...table, sample };
}

/** What a column says of the countries of the numbers of another one. */
export interface CountryBeside {
  readonly column: Column;
  /** Its cells by the code of the country that they mean, with a plus. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
  /** Numbers without a country code. */
  readonly national: number;
  /** Of these, those with a country beside them, and those of them that exist in it. */
  readonly told: number;
  readonly fitting: number;
  /** Those with something beside them that is no country. */
  readonly unknown: readonly string[];
  /** Those that exist in the country that is taken for all. */
  readonly plain: number;
}

/** Share of the numbers that have to exist with what stands beside them, for it to be meant so. */
const FITTING = 0.9;
/** Columns away from the numbers, at most, that a code of a country is. */
const NEAR = 3;

/** The column that says of which countries the numbers of a column are; `null` where none does. */
export function countryBeside(
  phone: Column,
  columns: readonly Column[],
  country: string | undefined,
): CountryBeside | null {
  if (phone.cells.filled === 0 || phone.phoneSeparator !== null) return null;
  const found = columns
    .filter((column) => mayTell(column, phone))
    .flatMap((column) => told(column, phone, country) ?? []);
  const distance = ({ column: { index } }: CountryBeside): number =>
    Math.abs(phone.index - index) + (index > phone.index ? 0.5 : 0);
  const isCode = ({ column: { header } }: CountryBeside): number => (isCodeName(header) ? 0 : 1);
  return (
    found.toSorted(
      (a, b) =>
        b.fitting / b.national - a.fitting / a.national ||
        isCode(a) - isCode(b) ||
        distance(a) - distance(b),
    )[0] ?? null
  );
}

function mayTell(column: Column, phone: Column): boolean {
  const { index, header, name, meanings, cells, isNameless } = column;
  if (column === phone || isNameless || cells.filled === 0) return false;
  const isCountryColumn =
    meanings.some(({ concept, score }) => concept === 'country' && score >= 0.5) ||
    COUNTRIES.test(name.form);
  const isNear = Math.abs(index - phone.index) <= NEAR;
  if (!isCountryColumn && !(isCodeName(header) && isNear)) return false;
  return cells.shareOf((text) => callingCodeIn(text) !== null) >= 0.5;
}

function told(column: Column, phone: Column, country: string | undefined): CountryBeside | null {
  const codes = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  const counts = { national: 0, told: 0, fitting: 0, plain: 0 };
  column.texts.forEach((cell, row) => {
    const [text, number] = [cell?.trim() ?? '', phone.texts[row]?.trim() ?? ''];
    const code = callingCodeIn(text);
    if (code !== null) codes.set(code, (codes.get(code) ?? new Set()).add(text));
    if (counts.national >= TRIED || !/\d{4}/.test(number.replace(/\D/g, ''))) return;
    if (writtenAbroad(number) !== null) return;
    counts.national++;
    if (country !== undefined && isPhone(number, country)) counts.plain++;
    if (code === null) {
      if (text !== '') unknown.add(text);
      return;
    }
    counts.told++;
    if (isPhone(`${code} ${number}`, undefined)) counts.fitting++;
  });
  if (counts.told === 0) return null;
  const texts = new Map([...codes].map(([code, all]) => [code, [...all]] as const));
  return { column, codes: texts, unknown: [...unknown], ...counts };
}

/** Whether the numbers exist with what stands beside them. */
export const isProven = ({ told, fitting }: CountryBeside): boolean => fitting >= told * FITTING;

/** Numbers that nothing tells the country of. */
export const untold = ({ national, told }: CountryBeside): number => national - told;

/** The country of one code, as most numbers of the column show it. */
export function countryOfCode(beside: CountryBeside, phone: Column): string | undefined {
  const [code] = beside.codes.keys();
  const [text = ''] = beside.codes.get(code ?? '') ?? [];
  const named = countryNamed(text);
  if (named !== null) return named;
  const numbers = phone.texts.flatMap((cell) => (cell ? [`${code ?? ''} ${cell}`] : []));
  const found = numbers.slice(0, TRIED).flatMap((number) => countryOfPhone(number) ?? []);
  return found[0];
}

/** What a cell says of a country as the code that calls to it begin with, with a plus. */
export function callingCodeIn(text: string): string | null {
  const digits = DIGITS.exec(text.trim()) ?? WITH_PLUS.exec(text);
  if (digits) {
    const code = (digits[1] ?? '').replace(/\D/g, '');
    const isCode = Object.hasOwn(phoneMetadata().country_calling_codes, code);
    return isCode || /^1\d{3}$/.test(code) ? `+${code}` : null;
  }
  const country = countryNamed(text);
  return country === null ? null : callingCodeOf(country);
}

const DIGITS = /^\(?\s*(?:\+|00)?\s*([1-9]\d{0,2}(?:[ -]?\d{3})?)\s*\)?$/;
const WITH_PLUS = /\+\s?([1-9]\d{0,3})\)?\s*$/;

let named: Map<string, string> | undefined;

/** The country that a text names, in two letters; `null` where it names none. */
export function countryNamed(text: string): string | null {
  const trimmed = text.trim();
  if (/^[A-Za-z]{2}$/.test(trimmed) && isCountry(trimmed.toUpperCase()))
    return trimmed.toUpperCase();
  named ??= namesOfCountries();
  return named.get(normalForm(trimmed)) ?? null;
}

function namesOfCountries(): Map<string, string> {
  const names = new Map<string, string>();
  const codes = Object.keys(phoneMetadata().countries);
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region' });
    for (const code of codes) names.set(normalForm(display.of(code) ?? code), code);
  }
  for (const { of: code, words } of wordsOf('country name'))
    for (const word of words) names.set(normalForm(word), code);
  return names;
}

/** Countries beside phones that are written into a mapping; of more, nobody would read the lines. */
const MAX_COUNTRIES = 25;

/**
 * The transforms that read numbers by the country beside them: `DE: 0151 …` becomes `+49 0151 …`. A number that has its code
 * keeps it; one beside something else is rejected, as is one with nothing beside it, unless a country is given for these.
 */
export function stepsBeside(
  { column, codes }: CountryBeside,
  area: string | undefined,
  given: string | undefined,
): Plain[] | null {
  const texts = [...codes.values()].flat();
  const sign = [':', '=', '~', '#'].find((each) => texts.every((text) => !text.includes(each)));
  const names = [column.header, ...(area === undefined ? [] : [area])];
  if (sign === undefined || codes.size > MAX_COUNTRIES || names.some((name) => /[{}]/.test(name)))
    return null;
  const own = `{${column.header}}${sign} ${area === undefined ? '' : `{${area}}`}{value}`;
  return [
    { template: own },
    { replace: { pattern: `^[^${sign}]*${sign} *(?:[\\d() ]{0,6}\\+|00)`, with: '+' } },
    ...[...codes].map(([code, all]) => ({
      replace: { pattern: `^ *(?i:${all.map(escaped).join('|')}) *${sign} *`, with: `${code} ` },
    })),
    ...(given === undefined
      ? ['phone']
      : [
          { replace: { pattern: `^[^+${sign}]+${sign} *`, with: '+0 ' } },
          { replace: { pattern: `^${sign} *`, with: '' } },
          { phone: { country: given } },
        ]),
  ];
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The transform that puts an area code before a number. */
export function areaSteps(area: string): Plain[] | null {
  if (/[{}]/.test(area)) return null;
  return [
    { template: `{${area}}{value}` },
    // A number that has its country code has its area code as well.
    { replace: { pattern: '^[^+]+\\+', with: '+' } },
  ];
}
