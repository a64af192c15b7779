import { CONCEPTS, type Concept } from '../words/concepts.js';
import { LANGUAGES, type Language } from '../words/language.js';
import { normalForm } from './normal-form.js';
import { isCyrillic, latinForm } from './transliteration.js';

/** One meaning of a name. */
export interface Sense {
  readonly concept: Concept;
  readonly language: Language | 'exports';
}

/** Every known name, by its normal form, without its spaces, and Cyrillic ones in Latin letters. */
export interface WordIndex {
  readonly whole: ReadonlyMap<string, readonly Sense[]>;
  readonly unspaced: ReadonlyMap<string, readonly Sense[]>;
  readonly latin: ReadonlyMap<string, readonly Sense[]>;
}

let built: WordIndex | undefined;

/** Made once, when it is first asked for: the commands that suggest nothing do without. */
export function wordIndex(): WordIndex {
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
