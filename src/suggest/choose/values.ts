import type { Profile } from '../contents/profile.js';
import { meaningsOfValue } from '../contents/kinds.js';
import { normalForm } from '../header/normal-form.js';

/** How the values of a column become those of a list. */
export interface ValueMap {
  /** Every value that becomes another one, and the rest of the list; empty where nothing has to be changed. */
  readonly pairs: ReadonlyMap<string, string>;
  /** Values for which the list has nothing, with how often they occur. */
  readonly unknown: ReadonlyMap<string, number>;
  /** Share of the filled cells that become a value of the list. */
  readonly share: number;
}

/** The value of the list that a cell means: by its letters, by its meaning, or by a word in it. */
export function mapValues(cells: Profile, allowed: readonly string[]): ValueMap {
  const pairs = new Map<string, string>();
  const unknown = new Map<string, number>();
  let known = 0;
  for (const [text, count] of cells.values) {
    const value = allowed.includes(text) ? text : valueFor(text, allowed);
    if (value === undefined) unknown.set(text, count);
    else {
      known += count;
      if (value !== text) pairs.set(text, value);
    }
  }
  // A map knows its results and nothing else of the list.
  if (pairs.size > 0)
    for (const value of allowed) if (![...pairs.values()].includes(value)) pairs.set(value, value);
  return { pairs, unknown, share: cells.filled === 0 ? 0 : known / cells.filled };
}

function valueFor(text: string, allowed: readonly string[]): string | undefined {
  const form = normalForm(text);
  const same = allowed.find((value) => normalForm(value) === form && form !== '');
  if (same !== undefined) return same;
  const meant = byMeaning(text, allowed);
  if (meant !== undefined) return meant;
  const words = form.split(' ');
  const inside =
    words.length === 1
      ? []
      : words.map((word) => byMeaning(word, allowed)).filter((found) => found !== undefined);
  return new Set(inside).size === 1 ? inside[0] : byCurrency(text, allowed);
}

function byMeaning(text: string, allowed: readonly string[]): string | undefined {
  const meanings = meaningsOfValue(text);
  const fitting = allowed.filter((value) =>
    meaningsOfValue(value).some((meaning) => meanings.includes(meaning)),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  ...{
    $: 'USD',
    '€': 'EUR',
    '₽': 'RUB',
    '£': 'GBP',
    '¥': 'JPY',
    '₴': 'UAH',
    '₸': 'KZT',
    '₹': 'INR',
  },
  ...{
    руб: 'RUB',
    рубль: 'RUB',
    рубли: 'RUB',
    'российский рубль': 'RUB',
    доллар: 'USD',
    'доллар сша': 'USD',
  },
  ...{
    евро: 'EUR',
    тенге: 'KZT',
    гривна: 'UAH',
    грн: 'UAH',
    rur: 'RUB',
    euro: 'EUR',
    dollar: 'USD',
  },
};

function byCurrency(text: string, allowed: readonly string[]): string | undefined {
  const code = CURRENCIES[text.toLowerCase().replace(/\.$/, '')];
  return code !== undefined && allowed.includes(code) ? code : undefined;
}
