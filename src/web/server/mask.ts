/** What a cell looks like without what it says: `+7 916 …` becomes `+• •••`, so that gaps and patterns still show. */
export const masked = (text: string): string => text.replaceAll(/[\p{L}\p{N}]/gu, '•');

/** Words that may repeat values of a row, which stand in brackets, quotation marks or digits. */
export const maskedWords = (words: string): string =>
  words.replaceAll(/\[[^\]]*\]|\([^)]*\)|["«“][^"»”]*["»”]|\d+/g, (value) => masked(value));
