/** What holes are filled with. */
export interface Language {
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
export function filled(
  text: string,
  holes: readonly string[],
  language: Language,
): string | undefined {
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
