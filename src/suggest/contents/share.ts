/** Share of the cells from which a column is what they are: the others are mistakes. */
export const NEARLY_ALL = 0.8;
