import { countryOfPhone, isPhone } from '../contents/phones.js';
import { profileOf } from '../contents/profile.js';
import { languagesOf } from '../header/language-of.js';
import { recognise } from '../header/recognise.js';
import type { Table } from '../suggestion.js';
import { LANGUAGES } from '../words/language.js';
import { LANGUAGE_COUNTRIES } from '../words/zones.js';
import { isPhoneConcept } from './fit.js';

/** The country of numbers without a country code. */
export interface ChosenCountry {
  readonly code: string | undefined;
  /** Why, or why not. */
  readonly why: string;
  readonly isGiven: boolean;
}

/** Numbers that are looked at. */
const ASKED = 60;
const ENOUGH = 0.75;
/** The same for the country of most numbers with a plus: numbers of the others may be mistyped. */
const ENOUGH_ABROAD = 0.6;
/** Their numbers have so many lengths that those of other countries often fit too. */
const ALL_LENGTHS: ReadonlySet<string> = new Set(['DE', 'AT', 'LU', 'IT', 'ID']);
/** By how much more numbers have to fit a country than one before it in the order. */
const [MORE, CLEARLY_MORE] = [0.02, 0.25];

/** The country that most numbers of the table are numbers of. */
export function chooseCountry(table: Table, given: string | undefined): ChosenCountry {
  if (given !== undefined)
    return { code: given.toUpperCase(), why: 'given with --country', isGiven: true };
  const { international, national } = numbersOf(table);
  const abroad = commonest(international.map(countryOfPhone).filter((code) => code !== null));
  if (national.length === 0)
    return {
      code: abroad,
      why: abroad === undefined ? 'no phone shows it' : `the numbers with "+" are of ${abroad}`,
      isGiven: false,
    };
  const named = countriesNamed(table);
  const candidates = new Set([
    ...(abroad === undefined ? [] : [abroad]),
    ...named,
    ...countriesOf(table),
  ]);
  let best: { code: string; share: number } | undefined;
  for (const code of candidates) {
    const share = national.filter((text) => isPhone(text, code)).length / national.length;
    const isVague = best && ALL_LENGTHS.has(code) && !ALL_LENGTHS.has(best.code);
    if (share > (best?.share ?? 0) + (isVague ? CLEARLY_MORE : MORE)) best = { code, share };
  }
  if (!best || best.share < (best.code === abroad ? ENOUGH_ABROAD : ENOUGH))
    return { code: abroad, why: 'no country fits the phones', isGiven: false };
  return {
    code: best.code,
    why: `${Math.round(best.share * 100)} % of the phones are numbers of ${best.code}`,
    isGiven: false,
  };
}

/** Numbers of the columns whose header says that they hold phones; where none does, of those that look like it. */
function numbersOf({ headers, sample }: Table): { international: string[]; national: string[] } {
  const texts: string[] = [];
  headers.forEach((header, index) => {
    const meanings = recognise(header).meanings;
    const named = meanings.some(({ concept, score }) => isPhoneConcept(concept) && score > 0.5);
    const { values, share } = profileOf(
      sample.slice(0, ASKED * 4).map((row) => row[index] ?? null),
    );
    if (share('phoneLike') < 0.6 || (!named && meanings.length > 0)) return;
    if (!named && share('integer') > 0.5) return;
    texts.push(...[...values.keys()].slice(0, ASKED));
  });
  return {
    international: texts.filter((text) => text.startsWith('+')),
    national: texts.filter((text) => !text.startsWith('+')),
  };
}

/** Rows whose letters are looked at. */
const LOOKED_AT = 50;

/** The main countries of the languages of the file first, then their second ones, and so on. */
function countriesOf({ headers, sample }: Table): string[] {
  const languages = languagesOf(headers, sample.slice(0, LOOKED_AT).flat().join(' '));
  const lists = languages.map((language): readonly string[] => LANGUAGE_COUNTRIES[language]);
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => turn).flatMap((turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  );
}

let regionNames: Map<string, string> | undefined;

/** Countries that a column of countries names. */
function countriesNamed({ headers, sample }: Table): string[] {
  const index = headers.findIndex((header) => recognise(header).meanings[0]?.concept === 'country');
  if (index < 0) return [];
  regionNames ??= namesOfRegions();
  const { values } = profileOf(sample.map((row) => row[index] ?? null));
  const top = [...values].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return top.flatMap(([text]) => {
    const code = /^[A-Za-z]{2}$/.test(text)
      ? text.toUpperCase()
      : regionNames?.get(text.toLowerCase());
    return code === undefined ? [] : [code];
  });
}

function namesOfRegions(): Map<string, string> {
  const names = new Map<string, string>([
    ['usa', 'US'],
    ['uk', 'GB'],
    ['england', 'GB'],
    ['россия', 'RU'],
  ]);
  const codes = new Set(Object.values(LANGUAGE_COUNTRIES).flat());
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region' });
    for (const code of codes) names.set((display.of(code) ?? code).toLowerCase(), code);
  }
  return names;
}

function commonest(codes: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
