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
export function normalForm(text: string): string {
  return text
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
    .trim();
}

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

const skeletons = new Map<string, string>();

/** A word in normal form as it sounds, in Latin letters: the same for `Фамилия`, `Familiya` and `Familija`. */
export function skeleton(word: string): string {
  const known = skeletons.get(word);
  if (known !== undefined) return known;
  const latin = word.replace(
    /[\p{Script=Cyrillic}\p{Script=Greek}]/gu,
    (letter) => LATIN.get(letter) ?? letter,
  );
  const made = FOLDS.reduce((folded, [from, to]) => folded.replace(from, to), latin);
  if (skeletons.size >= 20_000) skeletons.clear();
  skeletons.set(word, made);
  return made;
}
