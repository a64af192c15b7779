/** Longest cell, in bytes of UTF-8. A longer one is most likely a quote that was never closed. */
export const CELL_BYTES = 1024 * 1024;
/** Longest row, in bytes of UTF-8. */
export const ROW_BYTES = 4 * CELL_BYTES;
/** Longest record that is read the fast way, in UTF-16 units: none of its cells can exceed `CELL_BYTES`. */
export const FAST_RECORD = CELL_BYTES / 4;
/** Rows in one batch. */
export const BATCH_ROWS = 1000;
