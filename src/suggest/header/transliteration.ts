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
export function isCyrillic(text: string): boolean {
  return /\p{Script=Cyrillic}/u.test(text);
}

/** The Latin form of a Cyrillic name in normal form; the same for all ways of writing it, such as `Familija`. */
export function latinForm(text: string): string {
  const latin = text.replace(/\p{Script=Cyrillic}/gu, (letter) => LATIN[letter] ?? letter);
  return FOLDS.reduce((folded, [from, to]) => folded.replace(from, to), latin);
}
