/** Rows that are sent first, where a few are. In the browser too, so without schemas. */
export const CANARY = 20;
