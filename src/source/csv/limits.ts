import { CELL_BYTES } from '../limits.js';

/** Longest record that is read the fast way, in UTF-16 units: none of its cells can exceed `CELL_BYTES`. */
export const FAST_RECORD = CELL_BYTES / 4;
