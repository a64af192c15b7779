import type { Message } from '../state/language.js';

/** A problem in every language: what is wrong, and what to do next. */
export interface ProblemText {
  readonly sentence: Message;
  readonly next?: Message;
}
