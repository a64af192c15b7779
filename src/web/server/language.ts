import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { fill, formFor, type Language, LANGUAGES, type OtherLanguage } from '../shared/page.js';

/** The language that a request asks for first: the page names its own, which may be another than the browser's. */
export function languageOf({ 'accept-language': asked = '' }: IncomingHttpHeaders): Language {
  const first = asked.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === first) ?? 'en';
}

/** What of an answer is sentences of engine or server, wherever it stands: one of them, or several. */
const SENTENCES: ReadonlySet<string> = new Set([
  ...['sentence', 'next', 'message', 'suggestion', 'why', 'late', 'mistake', 'notUndoable'],
  ...['formatName', 'headerProblem', 'notShown', 'suspicions', 'notes', 'warnings'],
]);

/** What stands in a mapping, whose names and words are the person's. */
const OF_MAPPING: ReadonlySet<string> = new Set(['options', 'keys']);

/** An answer with its sentences in the language of the page. */
export function sentIn(language: Language, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => sentIn(language, one));
  if (typeof value !== 'object' || value === null) return value;
  const say = (words: unknown): unknown =>
    typeof words === 'string' ? sentenceIn(language, words) : sentIn(language, words);
  return Object.fromEntries(
    Object.entries(value).map(([name, found]) => [
      name,
      OF_MAPPING.has(name)
        ? found
        : !SENTENCES.has(name)
          ? sentIn(language, found)
          : Array.isArray(found)
            ? found.map(say)
            : say(found),
    ]),
  );
}

/** A sentence of engine or server in the language of the page. Words of others, such as the contact center's, stay. */
export function sentenceIn(language: Language, sentence: string): string {
  // The person knows a file by its name, and never saw where the page keeps its copy.
  const own = sentence.replace(LIST_FOLDER, '');
  return language === 'en' ? own : (catalogueOf(language).say(own) ?? own);
}

/** An absolute path into the folder of a list, up to the name of the file there. */
const LIST_FOLDER =
  /(?<=^|[\s"'“«(])(?:\/|[A-Za-z]:[\\/])(?:(?![:,;] )[^"“«\n])*?[\\/][0-9a-f]{18}[\\/](?:file[\\/])?/g;

const templates = z.record(z.string(), z.string());

/** The file of a language. English stands in the code. */
const languageSchema = z.object({
  /** What stands between the parts of a list. */
  joints: templates,
  /** Names of the outcomes. In English they are those of the reports. */
  outcomes: templates,
  /** What the page says, by its English templates. */
  page: templates,
  /** What engine and server say, by their English: `{}` stands for what is put in. */
  sentences: templates,
  /** Words by what they are about: the same word may also be the name of something. */
  words: z.record(z.string(), templates),
});

/** The words of a language other than English. */
type LanguageWords = z.infer<typeof languageSchema>;

const files = new Map<OtherLanguage, LanguageWords>();

/** The file of a language, which is read when somebody first needs it. */
export function wordsOf(language: OtherLanguage): LanguageWords {
  const known = files.get(language);
  if (known) return known;
  const text = readFileSync(new URL(`./data/${language}.json`, import.meta.url), 'utf8');
  const words = languageSchema.parse(JSON.parse(text));
  files.set(language, words);
  return words;
}

const catalogues = new Map<OtherLanguage, Catalogue>();

/** What engine and server say in English, in another language. */
export function catalogueOf(language: OtherLanguage): Catalogue {
  const known = catalogues.get(language);
  if (known) return known;
  const { sentences, words, joints } = wordsOf(language);
  const kinds: Record<string, Say> = {
    // What stands behind a comma is another part of the sentence.
    field: { say: (name) => (/[,;] /.test(name) ? undefined : name) },
  };
  for (const [kind, of] of Object.entries(words))
    kinds[kind] = new Catalogue(of, { language, joints, kinds: {}, isInOrder: kind === IN_ORDER });
  const made = new Catalogue({ ...sentences, ...GLUE }, { language, joints, kinds });
  catalogues.set(language, made);
  return made;
}

/** How places and codes stand beside sentences. */
const GLUE: LanguageWords['sentences'] = {
  '- {}': '- {1:say}',
  '{}: {}': '{1}: {2:say}',
  '{} ({})': '{1:say} ({2})',
  '{} ({}).': '{1:say} ({2}).',
};

/** Which rows a mapping takes: values stand in it without marks, and it is read from the outside in. */
const IN_ORDER = 'condition';

interface Say {
  /** `undefined` where there are no words for it. */
  readonly say: (words: string) => string | undefined;
}

/** What holes are filled with. */
interface Around {
  readonly language: OtherLanguage;
  readonly joints: Readonly<Record<string, string>>;
  /** Words of their own for some holes, by the kind of these. */
  readonly kinds: Readonly<Record<string, Say>>;
  /** Which of two that fit is taken: the first one of the table, and not the one that says more. */
  readonly isInOrder?: boolean;
}

/** Where a sentence may end, and another one begin. */
const END = /(?<=[.?!]) +(?=[^\p{Ll}])|\n/gu;
/** A longer text is none of the catalogue's. */
const LONGEST = 4_000;
/** Texts that are remembered: those of a live view come again and again. */
const MEMORY = 2_000;

/** The words of a language for English sentences. */
class Catalogue implements Say {
  readonly #whole = new Map<string, string>();
  readonly #entries: readonly { readonly english: readonly string[]; readonly text: string }[];
  readonly #known = new Map<string, string | undefined>();

  constructor(
    sentences: LanguageWords['sentences'],
    private readonly around: Around,
  ) {
    const entries = Object.entries(sentences).map(([english, text]) => ({
      english: english.split('{}'),
      text,
      /** Letters that have to be there: of two that fit, the one with more says more. */
      weight: english.replaceAll('{}', '').length,
    }));
    for (const { english, text } of entries)
      if (english.length === 1) this.#whole.set(english.join(), text);
    this.#entries = entries
      .filter(({ english }) => english.length > 1)
      .sort((a, b) => (around.isInOrder ? 0 : b.weight - a.weight));
  }

  /** One or several sentences; `undefined` where the catalogue does not have all of them. */
  say(text: string): string | undefined {
    if (text.length > LONGEST) return undefined;
    if (this.#known.has(text)) return this.#known.get(text);
    const words = this.#sentences(text);
    if (this.#known.size >= MEMORY) this.#known.clear();
    this.#known.set(text, words);
    return words;
  }

  #sentences(text: string): string | undefined {
    // The shortest beginning that is a sentence: a name may hold what looks like the end of one.
    for (const { index, 0: between } of text.matchAll(END)) {
      const first = this.#sentence(text.slice(0, index));
      if (first === undefined) continue;
      const rest = this.say(text.slice(index + between.length));
      if (rest !== undefined) return `${first}${between}${rest}`;
    }
    return this.#sentence(text);
  }

  /** A sentence that stands alone or behind another one begins with a capital. */
  #sentence(text: string): string | undefined {
    const words = this.#entry(text);
    if (words !== undefined) return words;
    const small = text.slice(0, 1).toLowerCase() + text.slice(1);
    const found = small === text ? undefined : this.#entry(small);
    return found && found.slice(0, 1).toUpperCase() + found.slice(1);
  }

  #entry(text: string): string | undefined {
    const whole = this.#whole.get(text);
    if (whole !== undefined) return whole;
    for (const { english, text: template } of this.#entries) {
      const holes = holesIn(english, text);
      const say = (hole: string): string | undefined =>
        hole === text ? undefined : this.say(hole);
      const words =
        holes && fill(template, ({ of, kind }) => this.#put(holes[of - 1] ?? '', kind, say));
      if (words !== undefined) return words;
    }
    return undefined;
  }

  /**
   * What is put into a hole, from the words of the English sentence:
   * - `{1}`: as they are, such as a name or a value;
   * - `{1:say}`: by the catalogue; without an entry there the whole sentence has none;
   * - `{1:may}`: the same, or as they are;
   * - `{1:list}`, `{1:or}`, `{1:and}`, `{1:parts}`: a list, each part of which is filled so;
   * - `{1:file}` and so on: by the words of that name;
   * - `{1:number}`, `{1:row|rows}`: a number, alone or with the word that goes with it.
   */
  #put(hole: string, kind: string | undefined, say: Say['say']): string | undefined {
    if (kind === undefined) return hole;
    const joint = LISTS[kind];
    if (joint)
      return hole
        .split(joint)
        .map((part, at) => (at % 2 === 0 ? (say(part) ?? part) : this.#joint(part)))
        .join('');
    if (kind === 'say' || kind === 'may') {
      const [, before = '', text = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(hole) ?? [];
      const found = text === '' ? '' : (say(text) ?? (kind === 'may' ? text : undefined));
      return found === undefined ? undefined : `${before}${found}${after}`;
    }
    if (kind !== 'number' && !kind.includes('|')) return this.around.kinds[kind]?.say(hole);
    if (!NUMBER.test(hole)) return undefined;
    const value = Number(hole.replaceAll(',', ''));
    const { language } = this.around;
    const number = new Intl.NumberFormat(language).format(value);
    return kind === 'number' ? number : `${number} ${formFor(language, value, kind)}`;
  }

  readonly #joint = (english: string): string => this.around.joints[english] ?? english;
}

const LISTS: Readonly<Record<string, RegExp>> = {
  list: /(, )/,
  or: /( or )/,
  and: /( and )/,
  parts: /(, | or )/,
};

const NUMBER = /^\d+(,\d{3})*$/;

/**
 * What fills the holes of a sentence, by the texts around them; `undefined` where it is another one. Each text is taken
 * where it comes first, which finds a way where there is one, in time that grows with the sentence alone.
 */
function holesIn(english: readonly string[], sentence: string): readonly string[] | undefined {
  const [first = '', ...others] = english;
  const last = others.pop() ?? '';
  const end = sentence.length - last.length;
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return undefined;
  const holes: string[] = [];
  let from = first.length;
  for (const text of others) {
    const at = sentence.indexOf(text, from);
    if (at < 0) return undefined;
    holes.push(sentence.slice(from, at));
    from = at + text.length;
  }
  if (from > end) return undefined;
  return [...holes, sentence.slice(from, end)];
}
