import { EXTENSION, plainSigns } from './read-phone.js';
import { plainWord } from './phone-words.js';

/** Digits of a whole number, whatever stands before them. */
const WHOLE = 6;
/** Of calling codes the first two digits alone are known, so that one more belongs to those of a place. */
const [CALLING_CODE, PREFIX] = [/^[\s(]*(?:\+|00)\d{2}/, /^[\s(]*[08]/];
/** No number has more, with what is dialled before it. */
const LARGEST = 19;
/** What ends the digits of one number and their signs. */
const BETWEEN = /[^\d ().\-/[\]]+/;

/** Whether a text holds more than one phone, by its form alone. */
export function holdsSeveral(text: string): boolean {
  const plain = withoutExtension(plainSigns(text));
  const numbers = plain.split(BETWEEN).filter((part) => digitsIn(part) >= WHOLE);
  return numbers.length > 1 || holdsTwo(plain);
}

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** The same without the digits of an extension at its end. */
function withoutExtension(text: string): string {
  const words = plainWord(text);
  const first = /\d[\d ().\-/[\]]*/.exec(words);
  if (first === null) return words;
  const end = first.index + first[0].trimEnd().length;
  const found = EXTENSION.exec(words.slice(end));
  return found === null ? words : words.slice(0, end) + words.slice(end + found[0].length);
}

/** Whether a slash stands between two whole numbers, and not behind the digits of a place. */
function holdsTwo(text: string): boolean {
  if (digitsIn(text) > LARGEST) return true;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
    if (digitsIn(text.slice(at)) < WHOLE) return false;
    const head = text.slice(0, at);
    const isAbroad = CALLING_CODE.test(head);
    const own = digitsIn(head.replace(isAbroad ? CALLING_CODE : PREFIX, ''));
    if (own >= WHOLE + (isAbroad ? 1 : 0)) return true;
  }
  return false;
}
