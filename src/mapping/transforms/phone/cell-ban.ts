import { forbidsCalls, isBareNo } from './forbidding.js';

/** Digits of one number, with signs between them. */
const NUMBER = /\+?\d(?:[ ().\-/]*\d){4,}/g;
const [DIVIDES, LISTS, COMMA] = [/[;|\n]/, /[;|]/, ','];
/** Digits at the end that tell one number of a cell from another. */
const TELLING = 6;

const digitsOf = (text: string): string => text.replace(/\D/g, '');
const numbersIn = (text: string): string[] => text.match(NUMBER) ?? [];

/**
 * Whether a ban in a cell stands for a number that was taken out of it. It stands for all numbers of the cell, unless it
 * stands behind one of several, in the same part of the text. In a list with `;`, a mere no says that there is no other number.
 */
export function isForbiddenIn(cell: string, number: string): boolean {
  const parts = cell
    .split(DIVIDES)
    .flatMap((part) => (numbersIn(part).length > 1 ? byComma(part) : part));
  const all = numbersIn(cell).length;
  const isListed = LISTS.test(cell);
  return parts.some((part, at) => {
    if (!forbidsCalls(part) || (isListed && isBareNo(part))) return false;
    const [own, ...others] = numbersIn(part);
    if (own === undefined || others.length > 0 || all < 2) return true;
    const isBefore = !forbidsCalls(part.slice(part.indexOf(own) + own.length));
    const isFirst = parts.slice(0, at).every((each) => numbersIn(each).length === 0);
    if (isBefore && isFirst) return true;
    return digitsOf(number).endsWith(digitsOf(own).slice(-TELLING));
  });
}

/** Behind the last of several with commas between, a ban may stand for all: then the text is one part. */
function byComma(text: string): string[] {
  const parts = text.split(COMMA);
  const last = parts.at(-1) ?? '';
  const isOpen = numbersIn(last).length > 0 && !/[([]/.test(last) && forbidsCalls(last);
  return isOpen ? [text] : parts;
}
