import type { PageProblem } from '../../shared/errors.js';
import type { Language } from '../../shared/languages.js';
import { russian } from './russian/russian.js';

/** A sentence of engine or server in the language of the page. Words of others, such as the contact center's, stay. */
export const sentenceIn = (language: Language, sentence: string): string =>
  language === 'en' ? sentence : (russian.say(sentence) ?? sentence);

/** A problem in the language of the page. */
export function problemIn(language: Language, problem: PageProblem): PageProblem {
  const { sentence, next } = problem;
  const translated = { ...problem, sentence: sentenceIn(language, sentence) };
  return next === undefined ? translated : { ...translated, next: sentenceIn(language, next) };
}
