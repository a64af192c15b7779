import type { Problem } from '../problem.js';

/** So many rows may have a phone together, as families and small offices do. */
export const MAY_SHARE = 4;

/** The remark on a row whose phone more rows have: it may be one that a program put where none was known. */
export const SHARED_PHONE: Problem = {
  column: null,
  code: 'shared_phone',
  message: `A phone of this row is that of ${MAY_SHARE} rows before it: it may stand for one that is not known.`,
  value: null,
};
