import { distance } from 'fastest-levenshtein';
import type { Concept } from '../words/concepts.js';
import type { Language } from '../words/language.js';
import { ABOUT, NEUTRAL, OTHERS } from '../words/qualifiers.js';
import { isUnspaced, normalForm } from './normal-form.js';
import { isCyrillic, latinForm } from './transliteration.js';
import { type Sense, wordIndex } from './word-index.js';

/** What a name may mean, and how sure that is from the name alone. */
export interface Meaning {
  readonly concept: Concept;
  readonly languages: ReadonlySet<Language>;
  readonly score: number;
}

export interface Recognised {
  readonly form: string;
  /** The likeliest first; one for each concept. */
  readonly meanings: readonly Meaning[];
  /** Whether the name is of somebody else than the client, such as `Owner phone`. */
  readonly ofOthers: boolean;
  /** Whether the name says something about the thing and is not the thing, such as `Phone verified`. */
  readonly about: boolean;
}

const SCORES = { whole: 0.97, stripped: 0.93, unspaced: 0.93, latin: 0.92, misspelt: 0.8 } as const;

const known = new Map<string, Recognised>();
/** Names that are kept: those of a few tables. */
const MAX_KNOWN = 4096;

/** What the name of a column or of a card field means, by the tables of words. */
export function recognise(name: string): Recognised {
  const before = known.get(name);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const found = recogniseNew(name);
  known.set(name, found);
  return found;
}

function recogniseNew(name: string): Recognised {
  const form = normalForm(name);
  const { whole, unspaced, latin } = wordIndex();
  const own = strip(form);
  const bare = normalForm(name.replace(/\([^)]*\)|\[[^\]]*\]/g, ' '));
  const tries: readonly (readonly [readonly Sense[] | undefined, number])[] = [
    [whole.get(form), SCORES.whole],
    [whole.get(bare), SCORES.stripped],
    [whole.get(own), SCORES.stripped],
    [whole.get(withoutNumber(bare)), SCORES.stripped],
    [unspaced.get(form.replaceAll(' ', '')), SCORES.unspaced],
    [isCyrillic(form) ? undefined : latin.get(latinForm(form)), SCORES.latin],
  ];
  const found = tries.find(([senses]) => senses !== undefined);
  if (found?.[0]) return certain(form, found[0], found[1]);
  return isUnspaced(form) ? inUnspaced(form) : inTokens(form, name);
}

function certain(form: string, senses: readonly Sense[], score: number): Recognised {
  return { form, meanings: meaningsOf(senses, score), ofOthers: false, about: false };
}

function meaningsOf(senses: readonly Sense[], score: number): Meaning[] {
  const byConcept = new Map<Concept, Set<Language>>();
  for (const { concept, language } of senses) {
    const languages = byConcept.get(concept) ?? new Set<Language>();
    if (language !== 'exports') languages.add(language);
    byConcept.set(concept, languages);
  }
  return [...byConcept].map(([concept, languages]) => ({ concept, languages, score }));
}

function strip(form: string): string {
  const tokens = form.split(' ');
  const kept = tokens.filter((token) => !NEUTRAL.has(token));
  return kept.length === 0 ? form : kept.join(' ');
}

const withoutNumber = (form: string): string => form.replace(/ \d+$/, '').replace(/^\d+ /, '');

/** Words of a name beyond this many add nothing. */
const MAX_TOKENS = 12;

interface Part {
  readonly senses: readonly Sense[];
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

function inTokens(form: string, name: string): Recognised {
  const tokens = form.split(' ').slice(0, MAX_TOKENS);
  const parts = partsOf(tokens);
  const ofOthers = tokens.some((token) => OTHERS.has(token));
  const [best] = parts;
  if (!best) {
    const near = misspelt(form);
    return { form, meanings: near, ofOthers, about: tokens.some((token) => ABOUT.has(token)) };
  }
  const rest = tokens.filter((_, at) => at < best.from || at >= best.to);
  const strange = rest.filter((token) => !NEUTRAL.has(token) && !/^\d+$/.test(token));
  const coverage = best.length / (best.length + lengthOf(strange));
  const about = strange.some((token) => ABOUT.has(token));
  const score = about ? 0.3 : isQuestion(name) ? 0.4 + 0.4 * coverage : 0.42 + 0.5 * coverage;
  const meanings = parts
    .filter(({ length }) => length >= best.length * 0.6)
    .flatMap(({ senses, length }) => meaningsOf(senses, (score * length) / best.length));
  return { form, meanings: unique(meanings), ofOthers, about };
}

const isQuestion = (name: string): boolean => /[?¿]/.test(name);
const lengthOf = (tokens: readonly string[]): number =>
  tokens.reduce((sum, { length }) => sum + length, 0);

/** Known names inside a name, the longest first. */
function partsOf(tokens: readonly string[]): Part[] {
  const { whole, latin } = wordIndex();
  const parts: Part[] = [];
  for (let from = 0; from < tokens.length; from++)
    for (let to = tokens.length; to > from; to--) {
      const text = tokens.slice(from, to).join(' ');
      if (text.length < 2) continue;
      const senses = whole.get(text) ?? (isCyrillic(text) ? undefined : latin.get(latinForm(text)));
      if (senses && (to - from > 1 || !NEUTRAL.has(text)))
        parts.push({ senses, from, to, length: lengthOf(tokens.slice(from, to)) });
    }
  return parts.sort((a, b) => b.length - a.length);
}

/** Names inside a name that is written without spaces: the longest, and at its end before others. */
function inUnspaced(form: string): Recognised {
  const { unspaced } = wordIndex();
  const text = form.replaceAll(' ', '');
  const about = /(?:类型|状态|时间|日期|种类|確認|種別|区分|日時)$/.test(text);
  for (let length = text.length - 1; length >= 2; length--)
    for (let from = text.length - length; from >= 0; from--) {
      const senses = unspaced.get(text.slice(from, from + length));
      if (!senses) continue;
      const score = about ? 0.3 : 0.42 + 0.5 * (length / text.length);
      return { form, meanings: meaningsOf(senses, score), ofOthers: false, about };
    }
  return { form, meanings: [], ofOthers: false, about };
}

function misspelt(form: string): Meaning[] {
  if (form.length < 5 || form.length > 40 || NEUTRAL.has(form)) return [];
  const far = form.length < 9 ? 1 : 2;
  for (const [word, senses] of wordIndex().whole) {
    if (Math.abs(word.length - form.length) > far || word.length < 5) continue;
    if (distance(word, form) <= far) return meaningsOf(senses, SCORES.misspelt);
  }
  return [];
}

function unique(meanings: readonly Meaning[]): Meaning[] {
  const best = new Map<Concept, Meaning>();
  for (const meaning of meanings) {
    const other = best.get(meaning.concept);
    if (!other || other.score < meaning.score) best.set(meaning.concept, meaning);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}
