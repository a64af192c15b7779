import { headerName } from './header-name.js';
import { TWINS } from './twin-letters.js';

const LETTERS = new Map(TWINS.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]));

/** Whether two different texts can hardly be told apart on a screen, such as a Latin and a Cyrillic `A`. */
export function looksAlike(one: string, other: string): boolean {
  return one !== other && look(one) === look(other);
}

function look(text: string): string {
  const plain = headerName(text).normalize('NFKC');
  return Array.from(plain, (letter) => LETTERS.get(letter) ?? letter).join('');
}

/** The first sign in which two texts differ, by its code point in each, such as `U+0041 … U+0410`. */
export function difference(one: string, other: string): string {
  const [own, others] = [Array.from(one), Array.from(other)];
  const at = own.findIndex((letter, index) => letter !== others[index]);
  const place = at < 0 ? own.length : at;
  return `sign ${place + 1} is ${codePoint(others[place])} and not ${codePoint(own[place])}`;
}

function codePoint(letter: string | undefined): string {
  const code = letter?.codePointAt(0);
  return code === undefined ? 'missing' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
