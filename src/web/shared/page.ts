/** What browser and server have in common at run time, so without schemas. */

/** Languages that have a file. English stands in the code. */
export const OTHERS = ['de', 'ru'] as const;

export type OtherLanguage = (typeof OTHERS)[number];

/** Languages of the page. */
export const LANGUAGES = ['en', ...OTHERS] as const;

export type Language = (typeof LANGUAGES)[number];

/** The steps of a list, in order. Each has its address: `/lists/:id/<step>`. */
export const STEPS = ['file', 'columns', 'check', 'import', 'result'] as const;

export type Step = (typeof STEPS)[number];

/** Rows that are sent first, where a few are. */
export const CANARY = 20;

/** Longest name of a field, and how many fields a card has at most, where a contact center is described. */
export const MAX_NAME = 500;
export const MAX_FIELDS = 500;

/**
 * Sentences with holes, as page, server and the files of languages write them.
 *
 * `{1}` stands for the first of the values, `{1:row|rows}` for a number with the form of the word that goes with it. Other
 * words behind the colon say how the value is shown; whoever fills the hole knows them.
 */
const HOLE = /\{(\d)(?::([^{}]+))?\}/g;

/** A hole: the number of its value, from 1, and what stands behind the colon. */
interface Hole {
  readonly of: number;
  readonly kind: string | undefined;
}

export const holesOf = (template: string): Hole[] =>
  [...template.matchAll(HOLE)].map(([, of, kind]) => ({ of: Number(of), kind }));

/** A template with its holes filled; `undefined` where there are no words for one of them. */
export function fill(
  template: string,
  wordsFor: (hole: Hole) => string | undefined,
): string | undefined {
  let words = '';
  let from = 0;
  for (const { 0: hole, 1: of, 2: kind, index } of template.matchAll(HOLE)) {
    const found = wordsFor({ of: Number(of), kind });
    if (found === undefined) return undefined;
    words += template.slice(from, index) + found;
    from = index + hole.length;
    // What ends with a stop of its own, such as `Sek.`, ends the sentence with it.
    if (found.endsWith('.') && STOP.test(template.slice(from))) from++;
  }
  return words + template.slice(from);
}

/** The end of a sentence: neither of an ellipsis, nor in the name of a file. */
const STOP = /^\.(?![\p{L}\d.])/u;

/** In the order in which a template has them. */
const FORMS: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];
/** Whole numbers that between them need every form that whole numbers have in any language. */
const EXAMPLES = [...Array.from({ length: 201 }, (_, number) => number), 1_000_000];

/** How a language counts. */
interface Counting {
  readonly rules: Intl.PluralRules;
  /** The forms that whole numbers have: `other` of Russian is that of fractions alone. */
  readonly forms: readonly Intl.LDMLPluralRule[];
}

const known = new Map<string, Counting>();

export function countingIn(language: string): Counting {
  const found = known.get(language);
  if (found) return found;
  const rules = new Intl.PluralRules(language);
  const needed = new Set(EXAMPLES.map((number) => rules.select(number)));
  const made = { rules, forms: FORMS.filter((form) => needed.has(form)) };
  known.set(language, made);
  return made;
}

/** The form of `row|rows` that goes with a number. */
export function formFor(language: string, number: number, words: string): string {
  const { rules, forms } = countingIn(language);
  const all = words.split('|');
  return all[forms.indexOf(rules.select(number))] ?? all.at(-1) ?? '';
}
