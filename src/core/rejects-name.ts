import { REJECTS_FORMATS } from './table/source.js';

/** How the files of rejects are called that a run leaves in its folder. */
export const REJECTS_NAME = new RegExp(`^rejects(-\\d+)?\\.(${REJECTS_FORMATS.join('|')})$`);
