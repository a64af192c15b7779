import { wrapped } from '../../core/text.js';

/** A command to paste, below the words for it. It is never wrapped: a line break would cut it in two. */
export const nextText = (words: string, command: string, columns?: number): string =>
  `${wrapped('Next: ', `${words.charAt(0).toLowerCase()}${words.slice(1)}`, columns)}\n  ${command}`;
