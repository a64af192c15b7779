import { callingCodeOf, countryOfPhone, isPhone, writtenAbroad } from '../phones.js';
import { profileOf } from '../contents.js';
import { languagesOf, recognise } from '../header.js';
import type { Table } from '../suggestion.js';
import { countryNamed } from '../beside-phones.js';
import { countriesOfLanguage, type Language } from '../words.js';
import { isPhoneConcept } from './columns.js';

/** The country of numbers without a country code. */
export interface ChosenCountry {
  readonly code: string | undefined;
  /** Why, or why not. */
  readonly why: string;
  readonly isGiven: boolean;
  /** Why a person has to say whether it is right, or which it is. */
  readonly doubt?: string;
}

/** Numbers that are looked at. */
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
  const { international, national } = numbersOf(table);
  const known = international.map(countryOfPhone).filter((code) => code !== null);
  const abroad = commonest(known);
  if (national.length === 0)
    return {
      code: abroad,
      why: abroad === undefined ? 'no phone shows it' : `the numbers with "+" are of ${abroad}`,
      isGiven: false,
    };
  const isOne = known.filter((code) => code === abroad).length >= known.length * NEARLY_ALL;
  const named = countriesNamed(table);
  const languages = languagesIn(table);
  const shares = sharesOf(national, [
    ...(abroad === undefined ? [] : [abroad]),
    ...named,
    ...countriesOf(languages),
  ]);
  const best = fitting(shares, isOne && known.length > 1 ? abroad : undefined);
  if (!best || best.share < (best.code === abroad ? ENOUGH_ABROAD : ENOUGH)) {
    const why = 'no country fits the phones';
    return { code: abroad, why, isGiven: false, doubt: `${why} without a country code` };
  }
  const why = `${Math.round(best.share * 100)} % of the phones are numbers of ${best.code}`;
  const isSure =
    (best.code === abroad && isOne) ||
    named.includes(best.code) ||
    (abroad === undefined && isShown(best, national, shares, languages[0]));
  return { code: best.code, why, isGiven: false, ...(isSure ? {} : { doubt: why }) };
}

interface Share {
  readonly code: string;
  /** Of the numbers without a country code, those that are numbers of the country. */
  readonly share: number;
}

function sharesOf(national: readonly string[], candidates: readonly string[]): Share[] {
  return [...new Set(candidates)].map((code) => ({
    code,
    share: national.filter((text) => isPhone(text, code)).length / national.length,
  }));
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
  language: Language | undefined,
): boolean {
  const withCode = national.filter(
    (text) => /^[1-9]/.test(text) && countryOfPhone(`+${text}`) === code,
  );
  if (withCode.length >= national.length * FITTING) return true;
  if (language === undefined || share < FITTING) return false;
  const countries: readonly string[] = countriesOfLanguage(language);
  if (code === countries[0]) return true;
  if (!countries.includes(code) || (language === 'en' && NOT_ENGLISH.has(code))) return false;
  return shares.every(
    (other) => other.share < ENOUGH || callingCodeOf(other.code) === callingCodeOf(code),
  );
}

/** Numbers of the columns whose header says that they hold phones; where none does, of those that look like it. */
function numbersOf({ headers, sample }: Table): { international: string[]; national: string[] } {
  const texts: string[] = [];
  headers.forEach((header, index) => {
    const { meanings, isKnown } = recognise(header);
    const named = meanings.some(({ concept, score }) => isPhoneConcept(concept) && score > 0.5);
    const { values, share } = profileOf(
      sample.slice(0, ASKED * 4).map((row) => row[index] ?? null),
    );
    if (share('phoneLike') < 0.6 || (!named && isKnown)) return;
    if (!named && share('integer') > 0.5) return;
    texts.push(...[...values.keys()].slice(0, ASKED));
  });
  const international = texts.map(writtenAbroad);
  return {
    international: international.filter((text) => text !== null),
    national: texts.filter((_text, at) => international[at] === null),
  };
}

/** Rows whose letters are looked at. */
const LOOKED_AT = 50;

/** The languages of the file, the most frequent first. */
const languagesIn = ({ headers, sample }: Table): Language[] =>
  languagesOf(headers, sample.slice(0, LOOKED_AT).flat().join(' '));

/** The main countries of the languages first, then their second ones, and so on. */
function countriesOf(languages: readonly Language[]): string[] {
  const lists = languages.map((language): readonly string[] => countriesOfLanguage(language));
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => turn).flatMap((turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  );
}

/** Countries that a column of countries names. */
function countriesNamed({ headers, sample }: Table): string[] {
  const index = headers.findIndex((header) => {
    const [best] = recognise(header).meanings;
    return best?.concept === 'country' && best.score > 0.5;
  });
  if (index < 0) return [];
  const { values } = profileOf(sample.map((row) => row[index] ?? null));
  const top = [...values].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return top.flatMap(([text]) => countryNamed(text) ?? []);
}

function commonest(codes: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
