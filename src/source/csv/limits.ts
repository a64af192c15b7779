/** Longest cell, in bytes of UTF-8. A longer one is most likely a quote that was never closed. */
export const CELL_BYTES = 1024 * 1024;
/** Longest row, in bytes of UTF-8. */
export const ROW_BYTES = 16 * CELL_BYTES;
/** Rows in one batch. */
export const BATCH_ROWS = 1000;
