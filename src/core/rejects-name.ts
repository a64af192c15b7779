import { REJECTS_FORMATS } from './table/source.js';

/** The columns that a rejects file has in addition to those of its input. */
export const OUTCOME_COLUMN = 'cardline:outcome';
export const PROBLEMS_COLUMN = 'cardline:problems';

/** How the files of rejects are called that a run leaves in its folder. */
export const REJECTS_NAME = new RegExp(`^rejects(-\\d+)?\\.(${REJECTS_FORMATS.join('|')})$`);
