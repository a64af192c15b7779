import { OR, plainSigns } from '../mapping/transforms/phone/words.js';
import {
  hasForm,
  isCountry,
  parsePhone,
  phoneMetadata,
  planOf,
} from '../mapping/transforms/phone/plans.js';
import type { CountryCode, PhoneNumberType } from 'libphonenumber-js/core';
import { phoneReader, phoneSeeker } from '../mapping/transforms/phone/phone.js';
import type { Plain } from '../config/document.js';
import { isDate, isNoPhone, profileOf } from './contents.js';
import type { Table } from './read-file.js';
import {
  type Column,
  type CountryBeside,
  type PlainColumn,
  type Recognised,
  languagesOf,
  recognise,
} from './understand.js';
import {
  LANGUAGES,
  type Language,
  PHONE_CONCEPTS,
  byForm,
  holds,
  normalForm,
  remembering,
  wordSet,
  wordsFor,
} from './words.js';

/** The country of numbers without a country code. */
export interface ChosenCountry {
  readonly code: string | undefined;
  /** Why, or why not. */
  readonly why: string;
  readonly isGiven: boolean;
  /** Why a person has to say whether it is right, or which it is. */
  readonly doubt?: string;
}

const ASKED = 60;
const ENOUGH = 0.75;
/** The same for the country of most numbers with a plus: numbers of the others may be mistyped. */
const ENOUGH_ABROAD = 0.6;
/** Their numbers have so many lengths that those of other countries often fit too. */
const ALL_LENGTHS: ReadonlySet<string> = new Set(['DE', 'AT', 'LU', 'IT', 'ID']);
/** Share of the numbers with a country code from which their country is that of all, and of local ones that a language needs. */
const NEARLY_ALL = 0.8;
const FITTING = 0.9;
/** By how much more numbers have to fit a country than one before it in the order. */
const [MORE, CLEARLY_MORE] = [0.02, 0.25];

/** The country that most numbers of the table are numbers of. */
export function chooseCountry(table: Table, given: string | undefined): ChosenCountry {
  if (given !== undefined)
    return { code: given.toUpperCase(), why: 'given with --country', isGiven: true };
  const { international, national, mobile } = numbersOf(table);
  const known = international.flatMap((number) => countryOfPhone(number) ?? []);
  const abroad = commonest(known);
  const shown =
    abroad === undefined ? 'no phone shows it' : `the numbers with "+" are of ${abroad}`;
  if (national.length === 0) return { code: abroad, why: shown, isGiven: false };
  const isOne = known.filter((code) => code === abroad).length >= known.length * NEARLY_ALL;
  const named = countriesNamed(table);
  const text = table.sample.slice(0, LOOKED_AT).flat().join(' ');
  const ofPhones = table.headers.filter((header) => isPhoneName(recognise(header)));
  const languages = languagesOf(table.headers, text);
  const later = countriesOf(languagesOf(ofPhones, text));
  const sharesOf = (codes: readonly string[]): Share[] =>
    [...new Set(codes)].map((code) => ({
      code,
      share: share(national, (text) => seekerOf(code)(text)),
    }));
  const shares = sharesOf([
    ...(abroad ? [abroad] : []),
    ...named,
    ...countriesOf(languages),
    ...later,
  ]);
  const likeliest = fitting(shares, isOne && known.length > 1 ? abroad : undefined);
  const isByTable = likeliest !== undefined && [abroad, ...named].includes(likeliest.code);
  const ofKind = (kind: PhoneNumberType, code = ''): number =>
    share(mobile.length > 0 ? mobile : national, (text) => kindOf(plainSigns(text), code) === kind);
  const mobiles = ofKind('MOBILE', likeliest?.code);
  const mayBe = ({ share: its }: Share): boolean => !isByTable && its >= FITTING;
  const hinted = countriesHinted(table, languages);
  const hints = sharesOf([...hinted.mails, ...hinted.columns]).filter(mayBe);
  // People from elsewhere, and things with the names of countries, stand in lists too: the phones have to show it.
  const hint = hints.find(({ code }) => ofKind('MOBILE', code) > mobiles);
  const areFixed = national.length >= SOME && ofKind('FIXED_LINE', likeliest?.code) >= FITTING;
  const rival =
    hint || !areFixed
      ? undefined
      : shares.find((each) => mayBe(each) && ofKind('MOBILE', each.code) >= FITTING);
  // Where the language says little of a country, or its numbers have any length, mobile ones show more.
  const areas = new Set(national.map((text) => text.slice(0, 3)));
  const isVague = languages[0] === 'en' || ALL_LENGTHS.has(likeliest?.code ?? '');
  const isOpen = mobile.length > 0 || (isVague && areas.size > 1);
  const best = hint ?? (isOpen ? rival : undefined) ?? likeliest;
  if (!best || best.share < (best.code === abroad ? ENOUGH_ABROAD : ENOUGH)) {
    const why = 'no country fits the phones';
    return { code: abroad, why, isGiven: false, doubt: `${why} without a country code` };
  }
  const why = `${Math.round(best.share * 100)} % of the phones are numbers of ${best.code}`;
  const isProof = hint
    ? hinted.mails.includes(hint.code)
    : hints.some(({ code }) => code === best.code);
  const isSure =
    (best.code === abroad && isOne && (known.length >= SOME || !hinted.areMixed)) ||
    (named.includes(best.code) && new Set(named).size === 1) ||
    (!rival && !abroad && (isProof || isShown(best, national, shares, languages)));
  const other = best === likeliest ? rival : likeliest;
  const doubt = other === undefined ? why : `${why}, but they may be of ${other.code}`;
  return { code: best.code, why, isGiven: false, ...(isSure ? {} : { doubt }) };
}

/** Numbers that show of what kind most are. */
const SOME = 3;

const kindOf = (text: string, country: string | undefined) =>
  parsePhone(text, country !== undefined && isCountry(country) ? country : undefined)?.getType();

interface Share {
  readonly code: string;
  /** Of the numbers without a country code, those that are numbers of the country. */
  readonly share: number;
}

/** The country that the numbers fit best; one that others show gives way to none that fits little better. */
function fitting(shares: readonly Share[], shown: string | undefined): Share | undefined {
  let best: Share | undefined;
  for (const each of shares) {
    const isVague = best && ALL_LENGTHS.has(each.code) && !ALL_LENGTHS.has(best.code);
    const more = isVague || (best && best.code === shown) ? CLEARLY_MORE : MORE;
    if (each.share > (best?.share ?? 0) + more) best = each;
  }
  return best;
}

/** Numbers of other countries than those that speak it are written in English, too. */
const NOT_ENGLISH: ReadonlySet<string> = new Set(['NL', 'BE', 'DE']);

/** Whether the digits of local numbers are not all that speaks for a country: they have its code, or the table its language. */
function isShown(
  { code, share }: Share,
  national: readonly string[],
  shares: readonly Share[],
  [language, ...others]: readonly Language[],
): boolean {
  const withCode = national.filter(
    (text) => /^[1-9]/.test(text) && countryOfPhone(`+${text}`) === code,
  );
  if (withCode.length >= national.length * FITTING) return true;
  if (language === undefined || share < FITTING) return false;
  const countries = wordsFor('country', language);
  const isOfOthers = ({ code: other, share: its }: Share): boolean =>
    its >= FITTING &&
    !ALL_LENGTHS.has(other) &&
    others.some((each) => wordsFor('country', each)[0] === other);
  if (code === countries[0]) return !shares.some((each) => each.code !== code && isOfOthers(each));
  if (!countries.includes(code) || (language === 'en' && NOT_ENGLISH.has(code))) return false;
  return shares.every(
    (other) => other.share < ENOUGH || callingCodeOf(other.code) === callingCodeOf(code),
  );
}

/**
 * Numbers of the columns whose header says that they hold phones; where none does, of those that look like it. `mobile` are
 * the national ones of columns of mobile phones.
 */
function numbersOf({ headers, sample }: Table) {
  const [named, others, mobile]: [string[], string[], string[]] = [[], [], []];
  headers.forEach((header, index) => {
    const { meanings, isKnown } = recognise(header);
    const isNamed = meanings.some(
      ({ concept, score }) => PHONE_CONCEPTS.has(concept) && score > 0.5,
    );
    if (!isNamed && isKnown) return;
    const cells = sample.slice(0, ASKED * 4).map((row) => row[index] ?? null);
    const { values, share } = profileOf(cells);
    const isPhones = isPhoneName(recognise(header));
    if (share(isPhones ? 'holdsPhone' : 'phoneLike') < 0.6) return;
    if (!isNamed && share('integer') > 0.5) return;
    const separator = phoneSeparator(values, isPhones);
    const numbers = [...values.keys()]
      .flatMap((text) => text.split(separator ?? '\0'))
      .filter((text) => digitsIn(text) >= 5)
      .slice(0, ASKED)
      .map((text) => text.trim());
    (isNamed ? named : others).push(...numbers);
    if (isNamed && meanings[0]?.concept === 'mobile') mobile.push(...numbers);
  });
  const texts = named.length > 0 ? named : others;
  return {
    international: texts.flatMap((text) => writtenAbroad(text) ?? []),
    national: texts.filter((text) => writtenAbroad(text) === null),
    mobile: mobile.filter((text) => writtenAbroad(text) === null),
  };
}

const LOOKED_AT = 50;

/** The main countries of the languages first, then their second ones, and so on; English words stand in lists of all. */
function countriesOf(languages: readonly Language[]): string[] {
  if (languages.indexOf('en') > 0)
    return [
      ...countriesOf(languages.filter((each) => each !== 'en')),
      ...wordsFor('country', 'en'),
    ];
  const lists = languages.map((language) => wordsFor('country', language));
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => turn).flatMap((turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  );
}

function countriesNamed({ headers, sample }: Table): string[] {
  const index = headers.findIndex((header) => {
    const [best] = recognise(header).meanings;
    return best?.concept === 'country' && best.score > 0.5 && !isElsewhere(header);
  });
  if (index < 0) return [];
  const { values } = profileOf(sample.map((row) => row[index] ?? null));
  const top = [...values].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return top.flatMap(([text]) => countryNamed(text) ?? []);
}

/** Countries that e-mail addresses end with, and those that another column names, such as one of nationalities. */
function countriesHinted({ headers, sample }: Table, languages: readonly Language[]) {
  const rows = sample.slice(0, TRIED);
  const mails = rows.flat().flatMap((cell) => (cell?.includes('@') ? [countryOfMail(cell)] : []));
  const named = headers.flatMap((header, at) => {
    const texts = rows.flatMap((row) => row[at]?.trim() || []);
    const isOpen = new Set(texts).size > MAX_COUNTRIES;
    return isOpen || isElsewhere(header)
      ? []
      : [texts.map((text) => (text.length > 2 ? countryNamed(text, languages) : null))];
  });
  const commonOf = (codes: readonly (string | null)[]): string[] => {
    const best = commonest(codes.flatMap((code) => code ?? []));
    const isCommon = codes.length >= SOME && share(codes, (code) => code === best) >= MOSTLY;
    return isCommon && best !== undefined ? [best] : [];
  };
  const ends = mails.flatMap((code) => code ?? []);
  const areMixed = (codes: readonly (string | null)[]): boolean =>
    share(codes, (code) => code !== null) >= MOSTLY && new Set(codes).size > 1;
  return {
    /** Whether a column, or the ends of addresses, are of several countries. */
    areMixed: [...named, ends].some((codes) => areMixed(codes) && commonOf(codes).length === 0),
    mails: ends.length < mails.length * FEW ? [] : commonOf(ends),
    columns: named.flatMap(commonOf),
  };
}

/** Addresses whose ends are those of countries, at least, for them to say something. */
const FEW = 0.2;

function countryOfMail(text: string): string | null {
  const end = /@[^@\s]+\.([a-z]{2})$/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const code = end === 'uk' ? 'GB' : end.toUpperCase();
  return isCountry(code) && !wordSet('end for all').has(end) ? code : null;
}

function commonest(codes: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/*
 * Columns beside phones that say how their numbers begin: an area code, the code of a country, the country itself. What
 * they say is tried on the rows: a number that exists with it shows that it is meant so.
 */

/** Whether columns are called so that hold the beginning of the numbers beside them. */
const isCodeName = (header: string): boolean => holds('number code', normalForm(header));

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
    const isCode = (each: number): boolean => isCodeName(headers[each] ?? '');
    if (isOfCountry(at, { headers, sample })) return;
    // The code of the country stands before, between or behind the two.
    const near = [1, -1].map((step) => at + (isCode(at + step) ? 2 * step : step));
    // Where there is one code alone, postcode and town may stand between.
    const far = headers.filter(isCodeName).length === 1 ? [2, -2, NEAR, -NEAR] : [];
    const beside = [...near, ...far.map((step) => at + step)].find((each, turn) => {
      const name = recognise(headers[each] ?? '');
      const isOther = (turn >= near.length || name.isKnown) && !isPhoneName(name);
      return !isOther && !found.has(each) && holdsLocal(headers[each], each, sample);
    });
    if (beside === undefined) return;
    // The code of a country makes numbers that exist.
    const pairs = sample.slice(0, TRIED).flatMap((row): [string, string][] => {
      const [code, number] = [callingCodeIn(row[at] ?? ''), row[beside]?.trim() ?? ''];
      return code === null || number === '' ? [] : [[code, number]];
    });
    const whole = share(pairs, ([code, number]) => isPhone(`${code} ${number}`, undefined));
    if (pairs.length >= filled.length * MOSTLY && whole >= MOSTLY) return;
    found.set(beside, at);
    // The only code is also that of further numbers, unless it may be that of the country.
    const mayBeOfCountry = new Set(filled).size === 1 && callingCodeIn(filled[0] ?? '') !== null;
    if (headers.filter(isCodeName).length > 1 || mayBeOfCountry) return;
    const columns = { code: at, first: beside };
    for (let next = Math.max(at, beside) + 1; isFurther(next, columns, { headers, sample }); next++)
      found.set(next, at);
  });
  return found;
}

/** Whether numbers exist that begin with the code of a country in this column, and go on with an area code beside it. */
function isOfCountry(at: number, { headers, sample }: Pick<Table, 'headers' | 'sample'>): boolean {
  const rows = sample.slice(0, TRIED);
  const near = headers.flatMap((_, each) =>
    each !== at && Math.abs(each - at) <= NEAR ? [each] : [],
  );
  const areas = near.filter((each) => isCodeName(headers[each] ?? ''));
  return areas.some((area) =>
    near.some((number) => {
      if (!holdsLocal(headers[number], number, sample)) return false;
      const whole = rows.flatMap((row) => {
        const [code = '', ...rest] = [at, area, number].map((each) => row[each]?.trim());
        const isFilled = code !== '' && rest.every(Boolean);
        return isFilled ? [`${callingCodeIn(code) ?? ''} ${rest.join(' ')}`] : [];
      });
      return share(whole, (text) => isPhone(text, undefined)) >= MOSTLY;
    }),
  );
}

/**
 * Whether a column holds numbers like those of the first one, which lack the area code too: of the same lengths, and not with
 * the code at their beginning. Others may be whole, as mobile ones mostly are, or extensions.
 */
function isFurther(
  at: number,
  { code, first }: { readonly code: number; readonly first: number },
  { headers, sample }: Pick<Table, 'headers' | 'sample'>,
): boolean {
  const name = recognise(headers[at] ?? '');
  if (!isPhoneName(name)) return false;
  const rows = sample.slice(0, TRIED);
  const digitsOf = (text = ''): string => text.replace(/\D/g, '');
  const lengths = rows.flatMap((row) => digitsOf(row[first] ?? '').length || []);
  const [min, max] = [Math.max(FEWEST_LOCAL, Math.min(...lengths)), Math.max(...lengths)];
  const isMobile = name.meanings[0]?.concept === 'mobile';
  const isLocal = (text: string, area: string): boolean => {
    if (MOBILE_OF_BRAZIL.test(text)) return true;
    const digits = digitsOf(text);
    const isLike = LOCAL.test(text) && digits.length >= min && digits.length <= max;
    return !isMobile && isLike && !(area.length > 1 && digits.startsWith(area));
  };
  const filled = rows.filter((row) => row[at]?.trim());
  const areaOf = (row: Table['sample'][number]): string =>
    digitsOf(row[code] ?? '').replace(/^0/, '');
  return share(filled, (row) => isLocal(row[at]?.trim() ?? '', areaOf(row))) >= EXISTING;
}
const FEWEST_LOCAL = 5;
/** They have a digit more than other numbers, and the area code before it. */
const MOBILE_OF_BRAZIL = /^9\d{4}-\d{4}$/;

function holdsLocal(header: string | undefined, at: number, sample: Table['sample']): boolean {
  if (header === undefined || isCodeName(header)) return false;
  const texts = sample.slice(0, TRIED).flatMap((row) => row[at]?.trim() || []);
  const numbers = texts.flatMap((text) => text.split(DIVIDES).filter((_, part) => part % 2 === 0));
  const isNumber = (text: string): boolean => /^\+?[\d\s()./-]{4,}$/.test(text);
  return share(numbers, isNumber) >= MOSTLY && share(numbers, (text) => LOCAL.test(text)) >= FEW;
}

/** What stands between several numbers in a cell. */
const DIVIDES = RegExp(`(\\s*(?:[;,|\\n]|:::)\\s*|\\s(?:/|${[...OR].join('|')})\\s)`, 'iu');

const share = <T>(all: readonly T[], holds: (one: T) => boolean): number =>
  all.length === 0 ? 0 : all.filter(holds).length / all.length;

/** An area code before a number that has its own, as a plus, brackets or a zero show. */
const OWN_AREA = '(^|[:=#] )(?:[\\d() ./-]*~( *[(+0])';
/**
 * The same, and before numbers with the length and groups of whole ones, where local ones are shorter. Argentine numbers
 * with 15 have that length, too, and local ones with an extension may have it in other groups.
 */
const OWN_AREA_OR_WHOLE = `${OWN_AREA}|\\(?0[\\d()]*~( *(?:1[3-9]\\d{9}|[6-9]\\d{9})$)|\\(?[1-9][\\d()]*~( *(?:${[
  '(?:[178][ .-])?\\(?\\d{3}\\)?[ .-]\\d{3}[ .-]?\\d\\d[ .-]?\\d\\d',
  '(?:55 ?)?\\d\\d[ -]9? ?\\d{4}[ -]?\\d{4}',
  '[6-9]\\d{4} \\d{5}',
  '(?:1[0-46-9]|[2-9]\\d)\\d{8,9}|(?:15|55\\d\\d)\\d{9}',
].join('|')})(?: ?(?:ext\\.?|x) ?\\d+)?$))`;

/** The table with whole numbers in place of those that go on behind an area code. */
export function withAreaCodes(table: Table, areas: AreaCodes): Table {
  if (areas.size === 0) return table;
  const own = RegExp(OWN_AREA_OR_WHOLE);
  const sample = table.sample.map((row) =>
    row.map((cell, at) => {
      const area = areas.get(at);
      const code = area === undefined ? '' : (row[area]?.trim() ?? '');
      if (code === '') return cell;
      const parts = cell?.trim().split(DIVIDES) ?? [];
      const isOwn = (part: string, of: number): boolean =>
        of % 2 === 1 || part === '' || own.test(`${code}~${part}`);
      return parts.map((part, of) => (isOwn(part, of) ? part : code + part)).join('');
    }),
  );
  return { ...table, sample };
}

/** Share of the numbers that have to exist with what stands beside them, for it to be meant so. */
const EXISTING = 0.9;
/** Columns away from the numbers, at most, that a code of a country is. */
const NEAR = 3;

/** The column that says of which countries the numbers of a column are; `null` where none does. */
export function countryBeside(phone: Column, columns: readonly Column[]): CountryBeside | null {
  if (phone.cells.filled === 0) return null;
  const distance = ({ column: { index } }: CountryBeside): number =>
    Math.abs(phone.index - index) + (index > phone.index ? 0.5 : 0);
  const isCode = ({ column: { header } }: CountryBeside): number => (isCodeName(header) ? 0 : 1);
  const [best = null] = columns
    .filter((column) => mayNameCountry(column, phone))
    .flatMap((column) => tryCountries(column, phone) ?? [])
    .sort(
      (a, b) =>
        b.fitting / b.national - a.fitting / a.national ||
        isCode(a) - isCode(b) ||
        distance(a) - distance(b),
    );
  return best;
}

/** Countries of birth or of travel say nothing of phones. */
const isElsewhere = (header: string): boolean => holds('country elsewhere', normalForm(header));

function mayNameCountry(column: Column, phone: PlainColumn): boolean {
  const { index, header, name, meanings, cells, isNameless } = column;
  if (column === phone || isNameless || cells.filled === 0 || isElsewhere(header)) return false;
  const isCountryColumn =
    meanings.some(({ concept, score }) => concept === 'country' && score >= 0.5) ||
    holds('country column', name.form);
  const isNear = Math.abs(index - phone.index) <= NEAR;
  if (!isCountryColumn && !(isCodeName(header) && isNear)) return false;
  // Some area codes are codes of countries as well.
  return cells.shareOf((text) => callingCodeIn(text) !== null) >= (isCountryColumn ? 0.5 : MOSTLY);
}

function tryCountries(column: Column, phone: PlainColumn): CountryBeside | null {
  const codes = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  const counts = { national: 0, withCountry: 0, fitting: 0 };
  const own = { lengths: new Map<string, number>(), sure: 0, others: 0 };
  column.texts.forEach((cell, row) => {
    const [text, number] = [cell?.trim() ?? '', phone.texts[row]?.trim() ?? ''];
    const code = callingCodeIn(text);
    if (code !== null) codes.set(code, (codes.get(code) ?? new Set()).add(text));
    if (counts.national >= TRIED || !/\d{4}/.test(number.replace(/\D/g, ''))) return;
    if (writtenAbroad(number) !== null) return;
    counts.national++;
    if (code === null) {
      if (text !== '') unknown.add(text);
      return;
    }
    counts.withCountry++;
    const parts = number.split(phone.phoneSeparator ?? '\0');
    for (const part of parts) {
      const digits = part.replace(/\D/g, '');
      if (!digits.startsWith(code.slice(1)) || !isPhone(`+${digits}`, undefined)) own.others++;
      else {
        own.lengths.set(code, Math.min(digits.length, own.lengths.get(code) ?? Infinity));
        // With the code once more, it would be longer than any number.
        if (code.length - 1 + digits.length > LONGEST) own.sure++;
      }
    }
    if (parts.every((part) => isPhone(`${code} ${part}`, undefined))) counts.fitting++;
  });
  if (counts.withCountry === 0) return null;
  const texts = new Map([...codes].map(([code, all]) => [code, [...all]] as const));
  const areOwn =
    own.sure >= counts.withCountry / 2 && own.others <= counts.withCountry * FEW_OTHERS;
  const ownLengths = areOwn ? own.lengths : new Map<string, number>();
  return { column, codes: texts, unknown: [...unknown], ...counts, ownLengths };
}

/** Digits of a number with its code at most, as they are given out; and the share of numbers that may be of another kind. */
const [LONGEST, FEW_OTHERS] = [13, 0.1];

/** Whether the numbers exist with what stands beside them. */
export const isProven = ({ withCountry, fitting }: CountryBeside): boolean =>
  fitting >= withCountry * EXISTING;

/** The country of one code, as most numbers of the column show it. */
export function countryOfCode(beside: CountryBeside, phone: PlainColumn): string | undefined {
  const [code] = beside.codes.keys();
  const [text = ''] = beside.codes.get(code ?? '') ?? [];
  const named = countryNamed(text);
  if (named !== null) return named;
  const numbers = phone.texts.flatMap((cell) => (cell ? [`${code ?? ''} ${cell}`] : []));
  const found = numbers.slice(0, TRIED).flatMap((number) => countryOfPhone(number) ?? []);
  return found[0];
}

/** What a cell says of a country as the code that calls to it begin with, with a plus. */
function callingCodeIn(text: string): string | null {
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

/** The country that a text names, in two letters; `null` where it names none. */
function countryNamed(text: string, languages: readonly Language[] = LANGUAGES): string | null {
  const trimmed = text.trim();
  if (/^[A-Za-z]{2}$/.test(trimmed) && isCountry(trimmed.toUpperCase()))
    return trimmed.toUpperCase();
  const form = normalForm(trimmed);
  // Those of no system, such as `UK` and `Holland`, are in the table.
  const short = byForm('country name').get(form)?.at(-1);
  if (short !== undefined) return short;
  // Names in a language are made when those before it did not do: most lists need one or two.
  for (const language of languages) {
    const found = namesIn(language).get(form);
    if (found !== undefined) return found;
  }
  return null;
}

const namesIn = remembering((language: Language): Map<string, string> => {
  const display = new Intl.DisplayNames([language], { type: 'region' });
  const codes = Object.keys(phoneMetadata().countries);
  return new Map(codes.map((code) => [normalForm(display.of(code) ?? code), code]));
});

/** Countries beside phones that are written into a mapping; of more, nobody would read the lines. */
const MAX_COUNTRIES = 25;

/**
 * The transforms that read numbers by the country beside them: `DE: 0151 …` becomes `+49 0151 …`. A number that has its code
 * keeps it; one beside something else is rejected, as is one with nothing beside it, unless a country is given for these.
 */
export function stepsBeside(
  { column, codes, ownLengths }: CountryBeside,
  area: string | undefined,
  given: string | undefined,
): Plain[] | null {
  const texts = [...codes.values()].flat();
  const sign = [':', '=', '#'].find((each) => texts.every((text) => !text.includes(each)));
  const names = [column.header, ...(area === undefined ? [] : [area])];
  if (sign === undefined || codes.size > MAX_COUNTRIES || names.some((name) => /[{}]/.test(name)))
    return null;
  const template = `{${column.header}}${sign} ${area === undefined ? '' : `{${area}}~`}{value}`;
  return [
    { template },
    ...(area === undefined ? [] : withoutArea([...codes.keys()])),
    { replace: { pattern: `^[^${sign}]*${sign} *(?:[\\d() ]{0,6}\\+|00)`, with: '+' } },
    ...[...codes].flatMap(([code, all]) => {
      const named = `^ *(?i:${all.map(escaped).join('|')}) *${sign} *`;
      const other = { replace: { pattern: named, with: `${code} ` } };
      const length = area === undefined ? ownLengths.get(code) : undefined;
      if (length === undefined) return [other];
      // Most numbers begin with the code already, and lack the plus alone.
      const digits = code.slice(1);
      const own = `${named}(${digits}[\\d() ./-]{${length - digits.length},})`;
      return [{ replace: { pattern: own, with: '+$1' } }, other];
    }),
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

/** Takes the area code off that stands before a whole number of a country, and the sign between the two. */
function withoutArea(callingCodes: readonly string[]): Plain[] {
  const isOpen =
    callingCodes.length === 0 ||
    [...ALL_LENGTHS].some((each) => callingCodes.includes(callingCodeOf(each)));
  const replace = isOpen
    ? { pattern: `${OWN_AREA})`, with: '$1$2' }
    : { pattern: OWN_AREA_OR_WHOLE, with: '$1$2$3$4' };
  return [{ replace }, { replace: { text: '~', with: '' } }];
}

/** The transform that puts an area code before a number of the country that has none. */
export function areaSteps(area: string, country: string | undefined): Plain[] | null {
  if (/[{}]/.test(area)) return null;
  const codes = country === undefined ? [] : [callingCodeOf(country)];
  return [{ template: `{${area}}~{value}` }, ...withoutArea(codes)];
}

/** What is between several numbers in one cell. A slash stands within one as well, with blanks around it less so. */
const SEPARATORS = [';', ',', ' / ', '/', '|'];
/** The same in columns that are named after phones: elsewhere, numbers beside each other may be any. */
const MORE_SEPARATORS = ['\n', ':::', ...[...OR].map((word) => ` ${word} `)];

const readerOf = remembering((country: string) =>
  phoneReader(isCountry(country) ? country : undefined),
);
const seekerOf = remembering((country: string) =>
  phoneSeeker(isCountry(country) ? country : undefined),
);

/** Whether a name is known to be one of phones. */
export const isPhoneName = ({ isKnown, meanings }: Recognised): boolean =>
  isKnown && meanings.some(({ concept }) => PHONE_CONCEPTS.has(concept));

/** Whether a cell is a number that exists, read as somebody in the country would write it. */
export function isPhone(text: string, country: string | undefined): boolean {
  return readerOf(country ?? '')(text) !== null;
}

/**
 * Whether a cell is written as numbers of its country are, whether somebody has it or not: a column of numbers that are
 * mistyped, made up or out of use is a column of phones too.
 */
export function mayBePhone(text: string, country: string | undefined, isNamed: boolean): boolean {
  return (
    likelyNumber(text, country) !== null ||
    (isNamed && MAY_BE_SEVERAL.test(text) && seekerOf(country ?? '')(text))
  );
}

/** The number that a cell holds, or at least seems to hold; `null` where it holds none. */
function likelyNumber(text: string, country: string | undefined): string | null {
  const known = readerOf(country ?? '')(text);
  if (known !== null) return known;
  const plain = plainSigns(text);
  if (!SIGNS.test(plain) || isDate(plain)) return null;
  const code = country !== undefined && isCountry(country) ? country : undefined;
  const number = parsePhone(plain, code);
  return number && hasForm(number) ? number.number : null;
}

/** What divides numbers, or says something of one. */
const MAY_BE_SEVERAL = /[\p{L}\n;,/|&]/u;

/** How many digits a text has, of any script. */
export const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0;

/** Digits with what stands between those of a phone; points and slashes are those of other things as well. */
const SIGNS = /^(?:[\d\s()-]{6,}|(?:[+(]|0(?!\.))[\d\s()./-]{6,})$/;

/**
 * What is between several phones in most cells that hold more than one; `null` where cells hold one each, or the sign is
 * within some as well.
 */
export function phoneSeparator(
  values: ReadonlyMap<string, number>,
  isNamed: boolean,
): string | null {
  const separators = isNamed ? [...SEPARATORS, ...MORE_SEPARATORS] : SEPARATORS;
  const found = separators.map((separator) => {
    const cells = [...values.keys()].filter((text) => text.includes(separator));
    const several = cells.filter((text) => holdsMore(text, separator)).length;
    // Another sign stands within numbers, or before words, where it does not divide half of the cells that have it.
    const isWithin = several < cells.length * (separator.includes('/') ? 1 : 0.5);
    return { separator, several: isWithin ? 0 : several };
  });
  const best = found.reduce((a, b) => (b.several > a.several ? b : a));
  return best.several > 0 ? best.separator : null;
}

/** Whether every part of a cell has as many digits as a phone, and no word before them says of what else. */
function holdsMore(text: string, separator: string): boolean {
  const isOne = (part: string): boolean =>
    digitsIn(part) >= 7 && !isNoPhone(part.trim()) && !OTHER_WORD.test(part);
  return text.includes(separator) && text.split(separator).every(isOne);
}

/** `Fax 030 …`, `Vertrag 471…`: a word that is no short label such as `Tel.` or `моб.`. */
const OTHER_WORD = /^[^\p{L}\p{Nd}]*(?:fax|факс|\p{L}{5})/iu;

/** A number that is written for calls from abroad, with a plus; `null` for others. */
export function writtenAbroad(text: string): string | null {
  const plain = plainSigns(text).replace(/^[([]+/, '');
  if (plain.startsWith('+')) return plain;
  const zeros = plain.replace(ZEROS, '+');
  return zeros !== plain && countryOfPhone(zeros) !== null ? zeros : null;
}

/** How a call abroad begins in most countries. */
const ZEROS = /^00[\s)\]]*(?=[1-9])/;

/** The country of a number with a plus; `null` where there is none. */
function countryOfPhone(number: string): CountryCode | null {
  const found = parsePhone(number, undefined);
  return found !== undefined && hasForm(found) ? (found.country ?? null) : null;
}

/** Whether most numbers are mobile ones; `null` where the numbers of their country do not show it. */
export function areMobile(
  values: ReadonlyMap<string, number>,
  country: string | undefined,
  separator: string | null,
): boolean | null {
  const numbers = [...values.keys()]
    .slice(0, ASKED)
    .map((text) => text.split(separator ?? '\0')[0]);
  const kinds = numbers.flatMap(
    (text) => kindOf(likelyNumber(text ?? '', country) ?? '', country) ?? [],
  );
  const known = kinds.filter((kind) => kind !== 'FIXED_LINE_OR_MOBILE');
  return known.length === 0 ? null : share(known, (kind) => kind === 'MOBILE') >= 0.5;
}

/** Whether numbers within a country begin with a zero. */
export const hasZero = (country: string | undefined): boolean =>
  country !== undefined && isCountry(country) && planOf(country)?.nationalPrefix === '0';

/** With a plus. */
export const callingCodeOf = remembering((country: string) =>
  isCountry(country) ? `+${planOf(country)?.callingCode ?? ''}` : '!',
);
