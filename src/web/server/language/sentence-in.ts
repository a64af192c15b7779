import type { PageProblem } from '../../shared/errors.js';
import type { Language } from '../../shared/languages.js';
import { russian } from './russian/russian.js';

/** A sentence of engine or server in the language of the page. Words of others, such as the contact center's, stay. */
export function sentenceIn(language: Language, sentence: string): string {
  const own = withoutListFolders(sentence);
  return language === 'en' ? own : (russian.say(own) ?? own);
}

/** An absolute path into the folder of a list, up to the name of the file there. */
const LIST_FOLDER =
  /(?<=^|[\s"'“«(])(?:\/|[A-Za-z]:[\\/])(?:(?![:,;] )[^"“«\n])*?[\\/][0-9a-f]{18}[\\/](?:file[\\/])?/g;

/** The person knows a file by its name, and never saw where the page keeps its copy. */
const withoutListFolders = (sentence: string): string => sentence.replace(LIST_FOLDER, '');

/** A problem in the language of the page. */
export function problemIn(language: Language, problem: PageProblem): PageProblem {
  const { sentence, next } = problem;
  const translated = { ...problem, sentence: sentenceIn(language, sentence) };
  return next === undefined ? translated : { ...translated, next: sentenceIn(language, next) };
}
