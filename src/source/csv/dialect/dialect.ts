import type { Dialect } from '../../../core/table.js';

/** The dialect of RFC 4180, with any delimiter. */
export function plainDialect(delimiter: string): Dialect {
  return {
    delimiter,
    quote: '"',
    hasEscapes: false,
    hasPaddedQuotes: false,
    hasBlankAfter: false,
    hasSeparatorLine: false,
  };
}

/** Whether the fast scanner and csv-parse read it. */
export function isPlain(dialect: Dialect): boolean {
  const { delimiter, quote, hasEscapes, hasPaddedQuotes, hasBlankAfter } = dialect;
  return (
    delimiter.length === 1 && quote === '"' && !hasEscapes && !hasPaddedQuotes && !hasBlankAfter
  );
}
