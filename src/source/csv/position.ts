/** Where a reader stands in a text: at the beginning of a record. */
export interface Position {
  /** Number of the record, from 1, blank lines counted. */
  row: number;
  /** Physical line, from 1. */
  line: number;
}
