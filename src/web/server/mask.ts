/** What a cell looks like without what it says: `+7 916 …` becomes `+• •••`, so that gaps and patterns still show. */
export const masked = (text: string): string => text.replaceAll(/[\p{L}\p{N}]/gu, '•');
