/** How the text of a CSV file is written. */
export interface Dialect {
  /** What stands between the cells: one character or several. */
  readonly delimiter: string;
  readonly quote: '"' | "'";
  /** Whether a backslash takes the meaning from a quote within quotes. */
  readonly hasEscapes: boolean;
  /** Whether blanks may stand between a quote and the delimiter beside it. */
  readonly hasPaddedQuotes: boolean;
  /** Whether a blank follows every delimiter, and belongs to it. */
  readonly hasBlankAfter: boolean;
  /** Whether the first line is `sep=;`, which names the delimiter to spreadsheet programs and is no row to them. */
  readonly hasSeparatorLine: boolean;
  /** Whether each line stands in quotes as a whole; all else is about what is within them. @default false */
  readonly wrapsLines?: boolean;
}
