import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { CONCEPTS, type Concept, remembering } from './words.js';

/** What a column may mean; `none` is nothing that this program knows. */
export const CLASSES = [...CONCEPTS, 'none'] as const satisfies readonly (Concept | 'none')[];

/** Places for features of names; several may share one. */
export const PLACES = 1 << 15;

/** A vector of few features: their places and how much there is of each. */
export interface Features {
  readonly places: Int32Array;
  readonly values: Float32Array;
}

/** Words of a name beyond this many say nothing new. */
const MAX_WORDS = 12;

/** Of a name in normal form, pieces of words, words, and pairs of words: what names that mean the same have in common. */
export function nameFeatures(form: string): Features {
  const found = new Map<number, number>();
  const add = (feature: string, value: number): void => {
    const place = placeOf(feature);
    found.set(place, (found.get(place) ?? 0) + value);
  };
  const words = form.split(' ').slice(0, MAX_WORDS);
  for (const word of words) addWord(word, add);
  words.slice(1).forEach((word, at) => add(`b:${words[at] ?? ''} ${word}`, 0.7));
  add(`first:${words[0] ?? ''}`, 0.3);
  add(`last:${words.at(-1) ?? ''}`, 0.4);
  add(`words:${Math.min(words.length, 5)}`, 0.3);
  const length = Math.sqrt([...found.values()].reduce((sum, value) => sum + value * value, 0));
  return {
    places: Int32Array.from(found.keys()),
    values: Float32Array.from(found.values(), (value) => value / length),
  };
}

function addWord(word: string, add: (feature: string, value: number) => void): void {
  add(`w:${word}`, 1);
  const unspaced = isUnspaced(word);
  for (const piece of piecesOf(word, unspaced ? [1, 2, 3] : [3, 4, 5]))
    add(`g:${piece}`, unspaced ? 0.7 : 0.4);
  if (unspaced) return;
  const latin = skeleton(word);
  if (latin !== word) add(`w:${latin}`, 0.6);
  for (const piece of piecesOf(latin, [3, 4])) add(`l:${piece}`, 0.3);
}

function piecesOf(word: string, lengths: readonly number[]): string[] {
  const whole = `<${word}>`;
  return lengths.flatMap((length) =>
    Array.from({ length: Math.max(0, whole.length - length + 1) }, (_, at) =>
      whole.slice(at, at + length),
    ),
  );
}

function placeOf(feature: string): number {
  let hash = 2166136261;
  for (let at = 0; at < feature.length; at++)
    hash = Math.imul(hash ^ feature.charCodeAt(at), 16777619);
  return (hash >>> 0) % PLACES;
}

/** What was learned from known headers and lists; made by `npm run headers`. */
interface Weights {
  /** For each place of a name's features, one for each class. */
  readonly names: Int8Array;
  readonly nameScale: number;
  /** By what the likeness of a name to known ones is multiplied. */
  readonly likeness: number;
  /** What a known name adds to its meanings. */
  readonly known: number;
  /** For each feature of cells and neighbours, one for each class. */
  readonly evidence: Readonly<Record<string, Float32Array>>;
}

let loaded: Weights | undefined;

/** Read when first asked for: the commands that suggest nothing do without. */
export function weights(): Weights {
  return (loaded ??= unpack(readFileSync(new URL('./data/headers.bin', import.meta.url))));
}

/** Takes other weights than those of the package, for measuring them. */
export function useWeights(other: Weights): void {
  loaded = other;
}

const head = z.object({
  nameScale: z.number(),
  likeness: z.number(),
  known: z.number(),
  scales: z.array(z.tuple([z.string(), z.number()])),
});

/** A line of JSON with the names of the evidence and the scales, and the weights as signed bytes. */
function unpack(packed: Uint8Array): Weights {
  const all = brotliDecompressSync(packed);
  const end = all.indexOf(10);
  const { scales, ...scalars } = head.parse(JSON.parse(all.subarray(0, end).toString()));
  const bytes = new Int8Array(all.buffer, all.byteOffset + end + 1, all.length - end - 1);
  const width = CLASSES.length;
  const own = PLACES * width;
  const evidence = Object.fromEntries(
    scales.map(([name, scale], at) => {
      const from = own + at * width;
      return [name, Float32Array.from(bytes.subarray(from, from + width), (byte) => byte * scale)];
    }),
  );
  return { ...scalars, names: bytes.subarray(0, own), evidence };
}

/** How likely each class is for a name in normal form, by its likeness to known ones alone. */
export function guess(form: string): Float64Array {
  const { names, nameScale } = weights();
  const { places, values } = nameFeatures(form);
  const sums = new Float64Array(CLASSES.length);
  places.forEach((place, at) => {
    const from = place * CLASSES.length;
    const value = (values[at] ?? 0) * nameScale;
    for (let each = 0; each < CLASSES.length; each++)
      sums[each] = (sums[each] ?? 0) + (names[from + each] ?? 0) * value;
  });
  return shares(sums);
}

/** Log-odds as probabilities. */
export function shares(sums: Float64Array): Float64Array {
  const max = Math.max(...sums);
  const all = sums.map((sum) => Math.exp(sum - max));
  const total = all.reduce((sum, each) => sum + each, 0);
  return all.map((each) => each / total);
}

/** Letters that decomposition leaves as they are, and people write without their sign. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ð: 'd', þ: 'th', ħ: 'h' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ى: 'ي', ة: 'ه', ؤ: 'و', ئ: 'ي', ـ: '', ک: 'ك', ی: 'ي' },
};
const SIGNED = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
/** Latin, Greek and Cyrillic accents, Hebrew and Arabic points, the nukta. Vowel signs of Hindi are letters. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670\u093c]/g;

/**
 * What two names have in common that mean the same: NFKC, no case, no accents, words apart. `HomePhone`, `home_phone` and
 * `Home  phone` are one.
 */
export const normalForm = (text: string): string => (PLAIN_WORDS.test(text) ? text : formOf(text));

/** Most wordings are in normal form as they stand. */
const PLAIN_WORDS = /^[a-z]+(?: [a-z]+)*$/;

const formOf = remembering((text: string) =>
  text
    .normalize('NFKC')
    .replace(/__c$/, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(SIGNED, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{M}\p{N}〒]+/gu, ' ')
    .trim(),
);

/** Letters of scripts that are written without spaces between words, or in syllables. */
export function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u.test(
    text,
  );
}

const CYRILLIC = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґәғқңөұүһјљњћђџѓќў';
const ITS_LATIN =
  'a b v g d e e z z i i k l m n o p r s t u f h c c s s   i   e u a i i e g a g k n o u u h i l n c d d g k u';
const GREEK = 'αβγδεζηθικλμνξοπρσςτυφχψω';
const ITS_LETTERS = 'a b g d e z i t i k l m n x o p r s s t i f h p o';

const LATIN = new Map<string, string>();
for (const [letters, latin] of [
  [CYRILLIC, ITS_LATIN],
  [GREEK, ITS_LETTERS],
] as const) {
  const each = latin.split(' ');
  Array.from(letters).forEach((letter, at) => LATIN.set(letter, each[at] ?? ''));
}

/** Ways in which the same sound is written, brought to one. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/shch|sch|sh/g, 's'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/zh/g, 'z'],
  [/ch|tz|ts|ck/g, 'c'],
  [/kh/g, 'h'],
  [/[yj]/g, 'i'],
  [/x/g, 'h'],
  [/w/g, 'v'],
  [/[kq]/g, 'c'],
  [/i(?=[aeou])/g, ''],
  [/(.)\1+/g, '$1'],
];

/** A word in normal form as it sounds, in Latin letters: the same for `Фамилия`, `Familiya` and `Familija`. */
export const skeleton = remembering((word: string) => {
  const latin = word.replace(
    /[\p{Script=Cyrillic}\p{Script=Greek}]/gu,
    (letter) => LATIN.get(letter) ?? letter,
  );
  return FOLDS.reduce((folded, [from, to]) => folded.replace(from, to), latin);
});
