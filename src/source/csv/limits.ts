import { CELL_BYTES } from '../limits.js';

/** Longest record that is read the fast way, in UTF-16 units: none of its cells can exceed `CELL_BYTES`. */
export const FAST_RECORD = CELL_BYTES / 4;
/**
 * How much longer a record that is longer than that, and not whole, must become before it is looked at again: to parse
 * it anew with each piece of text would take minutes.
 */
export const OPEN_RECORD_STEP = CELL_BYTES;
