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
export function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}
