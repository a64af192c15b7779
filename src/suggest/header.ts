import { LANGUAGES, type Language } from './words/language.js';
import { distance } from 'fastest-levenshtein';
import { type Concept, CONCEPTS } from './words/concepts.js';

/** Letters that one of the languages alone has, where words do not decide. */
const LETTERS: readonly (readonly [RegExp, Language])[] = [
  [/[әғқңөұүһі]/iu, 'kk'],
  [/[їєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
];

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
  const known = [...votes].filter(([, weight]) => weight > 0);
  return known.sort((a, b) => b[1] - a[1]).map(([language]) => language);
}

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

/** One meaning of a name. */
interface Sense {
  readonly concept: Concept;
  readonly language: Language | 'exports';
}

/** Every known name, by its normal form, without its spaces, and Cyrillic ones in Latin letters. */
interface WordIndex {
  readonly whole: ReadonlyMap<string, readonly Sense[]>;
  readonly unspaced: ReadonlyMap<string, readonly Sense[]>;
  readonly latin: ReadonlyMap<string, readonly Sense[]>;
}

let built: WordIndex | undefined;

/** Made once, when it is first asked for: the commands that suggest nothing do without. */
function wordIndex(): WordIndex {
  return (built ??= build());
}

function build(): WordIndex {
  const whole = new Map<string, Sense[]>();
  const unspaced = new Map<string, Sense[]>();
  const latin = new Map<string, Sense[]>();
  for (const [concept, words] of Object.entries(CONCEPTS)) {
    for (const language of [...LANGUAGES, 'exports'] as const) {
      for (const word of words[language]?.split('|') ?? []) {
        const form = normalForm(word);
        const sense = { concept: concept as Concept, language };
        add(whole, form, sense);
        add(unspaced, form.replaceAll(' ', ''), sense);
        if (isCyrillic(form)) add(latin, latinForm(form), sense);
      }
    }
  }
  return { whole, unspaced, latin };
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

/** Words that say whose column it is, namely the client's, and change nothing. */
const NEUTRAL = words(
  'customer client contact lead person user your primary main current the of a an and please enter provide s my our first value crm subscriber',
  'клиента контакта лида ваш ваша ваше основной основная клиент заемщика должника контакт лид',
  'клієнта контакту ліда ваш ваша основний клиент клиенттің',
  'des der kunden kunde ihre ihr haupt',
  'du de la le client votre principal principale l d',
  'del de la el cliente contacto su tu principal tel',
  'do da seu sua cliente contato principal',
  'del della cliente il la suo contatto principale',
  'klienta kontaktu twój twoje główny główna',
  'müşteri musteri ana',
  'العميل الزبون',
  'לקוח הלקוח',
  '客户 用户 主要 您的',
  '顧客 お客様 ご',
  'khach hang',
  'ग्राहक का की के',
);

/** Words that make a name say something about the thing, and not the thing itself: `Phone verified`, `City ID`. */
const ABOUT = words(
  'type types status verified verification valid validity validated consent opt optin optout date time id ids count visits clicks views label flag checksum',
  'score permission allowed last attempt attempts result callable code format carrier provider hash quality bounced reason at on since until notes display',
  'тип статус проверен согласие дата время код оператор подтвержден подтвержден валиден количество',
  'тип дата згода перевірено код статус',
  'typ status datum einwilligung geprüft bestätigt anzahl art gultig gepruft bestatigt',
  'type statut date consentement verifie valide nombre heure',
  'tipo estado fecha consentimiento verificado valido hora',
  'tipo data consentimento verificado hora valido',
  'tipo data consenso verificato ora',
  'typ data zgoda zweryfikowany',
  'tur tarih onay dogrulandi tip',
  'نوع تاريخ',
  'סוג תאריך',
);

/** Someone else than the client: their phones and names are not to be called. */
const OTHERS = words(
  'owner agent manager assistant rep salesperson assigned spouse emergency guarantor referrer reference relative employer supervisor caller partner2 recruiter doctor secretary adviser advisor broker attorney lawyer sender seller realtor',
  'менеджера менеджер агента оператора ответственного куратора супруга супруги поручителя родственника лица сотрудника руководителя врача работодателя консультанта',
  'менеджера відповідального агента лікаря оператора',
  'betreuer betreuers vermittler vermittlers bearbeiter mitarbeiter berater vertreter assistenz ehepartner notfall',
  'conseiller conseillere commercial responsable agent vendeur conjoint urgence courtier',
  'asesor agente comercial vendedor responsable conyuge emergencia ejecutivo aval',
  'vendedor corretor responsavel consultor conjuge emergencia fiador gerente',
  'agente venditore consulente responsabile coniuge emergenza',
  'opiekuna agenta handlowca doradcy malzonka',
  'temsilci danisman temsilcisi',
  'المندوب الموظف المسؤول الوكيل',
  'נציג סוכן',
);

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}

const LATIN: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    д: 'd',
    е: 'e',
    ё: 'e',
    ж: 'zh',
    з: 'z',
    и: 'i',
    й: 'y',
    к: 'k',
    л: 'l',
  },
  ...{
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'kh',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
  },
  ...{
    щ: 'shch',
    ъ: '',
    ы: 'y',
    ь: '',
    э: 'e',
    ю: 'yu',
    я: 'ya',
    і: 'i',
    ї: 'yi',
    є: 'ye',
    ґ: 'g',
  },
  ...{ ә: 'a', ғ: 'g', қ: 'k', ң: 'n', ө: 'o', ұ: 'u', ү: 'u', һ: 'h' },
};

/** Ways in which the same letter is written in Latin, brought to one. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/shch|sch|sh/g, 's'],
  [/zh/g, 'z'],
  [/kh|x/g, 'h'],
  [/ts|tz/g, 'c'],
  [/ch/g, 'c'],
  [/[yj]/g, 'i'],
  [/i+/g, 'i'],
  [/i([aeou])/g, '$1'],
];

/** Whether a text has Cyrillic letters. */
function isCyrillic(text: string): boolean {
  return /\p{Script=Cyrillic}/u.test(text);
}

/** The Latin form of a Cyrillic name in normal form; the same for all ways of writing it, such as `Familija`. */
function latinForm(text: string): string {
  const latin = text.replace(/\p{Script=Cyrillic}/gu, (letter) => LATIN[letter] ?? letter);
  return FOLDS.reduce((folded, [from, to]) => folded.replace(from, to), latin);
}

/** Letters that decomposition leaves as they are, and people write without their sign. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ð: 'd', þ: 'th', ħ: 'h' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ى: 'ي', ة: 'ه', ؤ: 'و', ئ: 'ي', ـ: '' },
};
const SIGNED = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
/** Latin, Greek and Cyrillic accents, Hebrew and Arabic points, the nukta. Vowel signs of Hindi are letters. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670\u093c]/g;

/**
 * What two names have in common that mean the same: NFKC, no case, no accents, words apart. `HomePhone`, `home_phone` and
 * `Home  phone` are one.
 */
export function normalForm(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/__c$/, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(SIGNED, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{M}\p{N}〒]+/gu, ' ')
    .trim();
}

/** Letters of scripts that are written without spaces between words. */
function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}
