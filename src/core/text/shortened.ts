import { whole } from './whole.js';

/** Longest part of a value that is repeated where the row itself holds it whole, in characters. */
const VALUE_LENGTH = 200;
/** Longest text of a contact center that is kept, in characters; its own messages have at most a few hundred. */
const MESSAGE_LENGTH = 4096;

/** The beginning of a value, with `…` where it goes on. */
export function shortened(value: string): string {
  return value.length <= VALUE_LENGTH ? value : `${beginning(value, VALUE_LENGTH)}…`;
}

/**
 * What a contact center says, of which one line is shown and every row keeps a copy. Of more than 4,096 characters, the
 * beginning and how many there were.
 */
export function shortenedMessage(text: string): string {
  return text.length <= MESSAGE_LENGTH
    ? text
    : `${beginning(text, MESSAGE_LENGTH)} … (${whole(text.length)} characters)`;
}

/** Half of a surrogate pair at the end would become a replacement character. */
function beginning(text: string, length: number): string {
  const end = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end;
}
