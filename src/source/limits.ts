/** Maximum length of a cell, in bytes of UTF-8. A longer one is most likely a quote that was never closed. */
export const CELL_BYTES = 1024 * 1024;
/** Maximum length of a row, in bytes of UTF-8. */
export const ROW_BYTES = 4 * CELL_BYTES;
/**
 * Maximum number of cells in a CSV row: the columns of Google Sheets, `A` to `ZZZ`; all other programs have fewer. What has more is a
 * table of something else, or was made to harm.
 */
export const ROW_CELLS = 18_278;
/** Rows in one batch. */
export const BATCH_ROWS = 100;
/** Rows above a header that are kept, and stand in the rejects as well. */
export const PREAMBLE_ROWS = 1000;
/** Characters in one batch: rows may be 4 MiB long, and a thousand of those are too many for the memory. */
export const BATCH_CHARACTERS = 8 * 1024 * 1024;
/** What a cell takes beside its text, in characters; an empty one, too. */
export const CELL_CHARACTERS = 16;
