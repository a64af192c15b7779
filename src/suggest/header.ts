import { CLASSES, guess } from './model.js';
import { normalForm, skeleton, isUnspaced } from './normal-form.js';
import { type Concept, isConcept, type Language, LANGUAGES, wordSet, wordsOf } from './words.js';

/** Letters that one of the languages alone has, where words do not decide. */
const LETTERS: readonly (readonly [RegExp, Language])[] = [
  [/[әғқңөұүһі]/iu, 'kk'],
  [/[їєґ]/iu, 'uk'],
  [/[ћђљњџј]/iu, 'sr'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/[پچژگ]/u, 'fa'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Greek}/u, 'el'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
];

/** Share of the votes for the first language from which another one may be meant. */
const RIVAL = 0.5;

/** The language that most columns are named in; English where nothing shows another one. */
export function languageOf(headers: readonly string[]): Language {
  return languagesOf(headers, '')[0] ?? 'en';
}

/** Languages that the columns are named in, and those whose letters a text has, the most frequent first. */
export function languagesOf(headers: readonly string[], text: string): Language[] {
  const votes = new Map<Language, number>(LANGUAGES.map((language) => [language, 0]));
  const vote = (language: Language, weight: number): void => {
    votes.set(language, (votes.get(language) ?? 0) + weight);
  };
  for (const header of headers) {
    const [best] = recognise(header).meanings;
    const languages = best ? best.languages : new Set<Language>();
    for (const language of languages) vote(language, 1 / Math.sqrt(languages.size));
    const byLetters = LETTERS.find(([letters]) => letters.test(header))?.[1];
    if (byLetters) vote(byLetters, 0.5);
  }
  const ofText = LETTERS.find(([letters]) => letters.test(text))?.[1];
  if (ofText) vote(ofText, 0.5);
  const max = Math.max(...votes.values());
  // Words such as `telefon` are those of many languages, which the others decide between.
  const known = [...votes].filter(([, weight]) => weight > 0 && weight >= max * RIVAL);
  return known.sort((a, b) => b[1] - a[1]).map(([language]) => language);
}

/** What a name may mean, and how likely that is. */
export interface Meaning {
  readonly concept: Concept;
  readonly languages: ReadonlySet<Language>;
  readonly score: number;
}

/** What a name says by itself. */
export interface Recognised {
  readonly form: string;
  /** The likeliest first; one for each concept. */
  readonly meanings: readonly Meaning[];
  /** Whether the name is one of the known ones, and not only like them. */
  readonly isKnown: boolean;
  /** Whether the name is of somebody else than the client, such as `Owner phone`. */
  readonly ofOthers: boolean;
  /** Whether the name says something about the thing and is not the thing, such as `Phone verified`. */
  readonly about: boolean;
}

const SCORES = { whole: 0.97, stripped: 0.93, unspaced: 0.93, sound: 0.92 } as const;

const known = new Map<string, Recognised>();
/** Names that are kept: those of a few tables. */
const MAX_KNOWN = 4096;

/** What the name of a column or of a card field means: it is known, or it is like known ones. */
export function recognise(name: string): Recognised {
  const before = known.get(name);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const found = recogniseNew(name);
  known.set(name, found);
  return found;
}

/** Below this, a likeness says nothing. */
const MIN_LIKENESS = 0.05;

function recogniseNew(name: string): Recognised {
  const form = normalForm(name);
  const { whole, unspaced, sounds } = wordIndex();
  const own = strip(form);
  const tries: readonly (readonly [readonly Sense[] | undefined, number])[] = [
    [whole.get(form), SCORES.whole],
    [whole.get(own), SCORES.stripped],
    [whole.get(withoutNumber(form)), SCORES.stripped],
    [unspaced.get(form.replaceAll(' ', '')), SCORES.unspaced],
    [isCyrillic(form) ? undefined : sounds.get(skeleton(form)), SCORES.sound],
  ];
  const found = tries.find(([senses]) => senses !== undefined);
  if (found?.[0])
    return {
      ...{ form, meanings: meaningsOf(found[0], found[1]), isKnown: true },
      ...{ ofOthers: false, about: false },
    };
  const words = form.split(' ');
  const likely = [...guess(form)].flatMap((score, at): Meaning[] => {
    const concept = CLASSES[at];
    return concept === undefined || concept === 'none' || score < MIN_LIKENESS
      ? []
      : [{ concept, score, languages: new Set() }];
  });
  return {
    ...{ form, isKnown: false, meanings: likely.sort((a, b) => b.score - a.score) },
    ofOthers: words.some((word) => wordSet('others').has(word)),
    about: words.some((word) => wordSet('about').has(word)) || isAboutAtEnd(form),
  };
}

const isAboutAtEnd = (form: string): boolean =>
  isUnspaced(form) && /(?:类型|状态|时间|日期|种类|確認|種別|区分|日時)$/.test(form);

function meaningsOf(senses: readonly Sense[], score: number): Meaning[] {
  const byConcept = new Map<Concept, Set<Language>>();
  for (const { concept, language } of senses) {
    const languages = byConcept.get(concept) ?? new Set<Language>();
    if (language !== undefined) languages.add(language);
    byConcept.set(concept, languages);
  }
  return [...byConcept].map(([concept, languages]) => ({ concept, languages, score }));
}

/** Without the words that only say that it is the client's. */
function strip(form: string): string {
  const kept = form.split(' ').filter((word) => !wordSet('neutral').has(word));
  return kept.length === 0 ? form : kept.join(' ');
}

const withoutNumber = (form: string): string => form.replace(/ \d+$/, '').replace(/^\d+ /, '');

/** One meaning of a name; the names that well-known programs give are of no language. */
interface Sense {
  readonly concept: Concept;
  readonly language: Language | undefined;
}

/** Every known name, by its normal form, without its spaces, and Cyrillic ones as they sound. */
interface WordIndex {
  readonly whole: ReadonlyMap<string, readonly Sense[]>;
  readonly unspaced: ReadonlyMap<string, readonly Sense[]>;
  readonly sounds: ReadonlyMap<string, readonly Sense[]>;
}

let built: WordIndex | undefined;

/** Made once, when it is first asked for. */
function wordIndex(): WordIndex {
  return (built ??= build());
}

function build(): WordIndex {
  const whole = new Map<string, Sense[]>();
  const unspaced = new Map<string, Sense[]>();
  const sounds = new Map<string, Sense[]>();
  for (const { of: concept, language: of, words } of wordsOf('column')) {
    if (!isConcept(concept)) continue;
    const sense = { concept, language: LANGUAGES.find((each) => each === of) };
    for (const word of words) {
      const form = normalForm(word);
      if (form === '') continue;
      add(whole, form, sense);
      add(unspaced, form.replaceAll(' ', ''), sense);
      if (isCyrillic(form)) add(sounds, skeleton(form), sense);
    }
  }
  return { whole, unspaced, sounds };
}

function add(index: Map<string, Sense[]>, key: string, sense: Sense): void {
  const senses = index.get(key);
  if (!senses) index.set(key, [sense]);
  else if (
    !senses.some(
      ({ concept, language }) => concept === sense.concept && language === sense.language,
    )
  )
    senses.push(sense);
}

const isCyrillic = (text: string): boolean => /\p{Script=Cyrillic}/u.test(text);
