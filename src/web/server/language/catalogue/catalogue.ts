/** Sentences by their English: `{}` stands for what is put in, and `fill.ts` says how the others take it up. */
export type Sentences = Readonly<Record<string, string>>;

interface Entry {
  readonly pattern: Pattern;
  readonly text: string;
}

/** Where a sentence may end, and another one begin. */
const END = /(?<=[.?!]) +(?=[^\p{Ll}])|\n/gu;
/** A longer text is none of the catalogue's. */
const LONGEST = 4_000;
/** Texts that are remembered: those of a live view come again and again. */
const MEMORY = 2_000;

/** The words of a language for English sentences. */
export class Catalogue {
  readonly #whole = new Map<string, string>();
  readonly #entries: readonly Entry[];
  readonly #known = new Map<string, string | undefined>();

  constructor(
    sentences: Sentences,
    private readonly words: Language['words'] = {},
    /** Which of two that fit is taken: the one that says more, or the first one of the table. */
    order: 'longest' | 'first' = 'longest',
  ) {
    const entries = Object.entries(sentences);
    for (const [english, text] of entries)
      if (!english.includes('{}')) this.#whole.set(english, text);
    this.#entries = entries
      .filter(([english]) => english.includes('{}'))
      .map(([english, text]) => ({ pattern: patternOf(english), text }))
      .sort((a, b) => (order === 'first' ? 0 : b.pattern.weight - a.pattern.weight));
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
    for (const { pattern, text: other } of this.#entries) {
      const holes = holesIn(pattern, text);
      const say = (hole: string): string | undefined =>
        hole === text ? undefined : this.say(hole);
      const words = holes && filled(other, holes, { say, words: this.words });
      if (words !== undefined) return words;
    }
    return undefined;
  }
}

/** An English sentence with holes, such as `the card has no field "{}".` */
interface Pattern {
  /** What stands around the holes: one more than these. */
  readonly texts: readonly string[];
  /** Letters that have to be there: of two patterns that fit, the one with more says more. */
  readonly weight: number;
}

function patternOf(sentence: string): Pattern {
  const texts = sentence.split('{}');
  return { texts, weight: texts.join('').length };
}

/**
 * What fills the holes of a sentence; `undefined` where it is another one. Each text is taken where it comes first, which
 * finds a way where there is one, in time that grows with the sentence alone.
 */
function holesIn({ texts }: Pattern, sentence: string): readonly string[] | undefined {
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return sentence === first ? [] : undefined;
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

/** What holes are filled with. */
interface Language {
  /** Words of the catalogue; `undefined` where it has none. */
  readonly say: (words: string) => string | undefined;
  /** Words of their own for some holes, by the kind of these. */
  readonly words: Readonly<Record<string, Pick<Language, 'say'>>>;
}

/**
 * How a hole is filled, from the words of the English sentence:
 * - `{1}`: as they are, such as a name or a value;
 * - `{1:say}`: by the catalogue; without an entry there the whole sentence has none;
 * - `{1:may}`: the same, or as they are;
 * - `{1:list}`, `{1:or}`, `{1:and}`, `{1:parts}`: a list, each part of which is filled so;
 * - `{1:file}` and so on: by the words of that name;
 * - `{1:number}`, `{1:one|few|many}`: a number, alone or with the word that goes with it.
 */
const HOLE = /\{(\d)(?::([^{}]+))?\}/g;

/** Numbers of the holes that a text has. */
export const holesOf = (text: string): number[] =>
  [...text.matchAll(HOLE)].map(([, index]) => Number(index));

/** A text of the catalogue with its holes filled; `undefined` where one has no words in its language. */
function filled(text: string, holes: readonly string[], language: Language): string | undefined {
  let words = '';
  let from = 0;
  for (const { 0: hole, 1: index, 2: kind, index: at } of text.matchAll(HOLE)) {
    const found = wordsOf(holes[Number(index) - 1] ?? '', kind, language);
    if (found === undefined) return undefined;
    words += text.slice(from, at) + found;
    from = at + hole.length;
  }
  return words + text.slice(from);
}

function wordsOf(
  hole: string,
  kind: string | undefined,
  { say, words }: Language,
): string | undefined {
  if (kind === undefined) return hole;
  const joint = LISTS[kind];
  if (joint) return inList(hole, joint, (part) => say(part) ?? part);
  if (kind === 'say' || kind === 'may') {
    const [, before = '', text = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(hole) ?? [];
    const found = text === '' ? '' : (say(text) ?? (kind === 'may' ? text : undefined));
    return found === undefined ? undefined : `${before}${found}${after}`;
  }
  if (kind === 'number') return numberText(hole);
  return kind.includes('|') ? counted(hole, kind.split('|')) : words[kind]?.say(hole);
}

/** What stands between the parts of a list, in English and here. */
const JOINTS: Readonly<Record<string, string>> = { ', ': ', ', ' or ': ' или ', ' and ': ' и ' };

const LISTS: Readonly<Record<string, RegExp>> = {
  list: /(, )/,
  or: /( or )/,
  and: /( and )/,
  parts: /(, | or )/,
};

const inList = (list: string, joint: RegExp, shown: (part: string) => string): string =>
  list
    .split(joint)
    .map((part, at) => (at % 2 === 0 ? shown(part) : (JOINTS[part] ?? part)))
    .join('');

const NUMBER = /^\d+(,\d{3})*$/;
const FORMAT = new Intl.NumberFormat('ru');
const PLURAL = new Intl.PluralRules('ru');
const FORMS: readonly Intl.LDMLPluralRule[] = ['one', 'few', 'many'];

/** `undefined`: it is none. */
const numberText = (text: string): string | undefined =>
  NUMBER.test(text) ? FORMAT.format(Number(text.replaceAll(',', ''))) : undefined;

function counted(text: string, forms: readonly string[]): string | undefined {
  const number = numberText(text);
  if (number === undefined) return undefined;
  const form = FORMS.indexOf(PLURAL.select(Number(text.replaceAll(',', ''))));
  return `${number} ${forms[form] ?? ''}`;
}
