import { filled, type Language } from './fill.js';
import { holesIn, type Pattern, patternOf } from './pattern.js';

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
