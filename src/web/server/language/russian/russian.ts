import { Catalogue, type Sentences } from '../catalogue/catalogue.js';
import { cellSentences } from './cells.js';
import { centerSentences } from './contact-center.js';
import { fileSentences } from './files.js';
import { glue } from './glue.js';
import { ledgerSentences } from './ledgers.js';
import { mappingSentences } from './mappings.js';
import { pageSentences } from './page.js';
import { runSentences } from './runs.js';
import { suggestionSentences } from './suggestions.js';
import { suspicionSentences } from './suspicions.js';
import { russianWords } from './words.js';

/** What engine and server say in English, in Russian: no sentence is in two parts. */
export const russianParts: readonly Sentences[] = [
  cellSentences,
  centerSentences,
  fileSentences,
  ledgerSentences,
  mappingSentences,
  pageSentences,
  runSentences,
  suggestionSentences,
  suspicionSentences,
];

export const russian = new Catalogue(
  Object.fromEntries([...russianParts, glue].flatMap((part) => Object.entries(part))),
  russianWords,
);
