/** Why a row, or one cell of it, could not be used; of a remark, what was left out of a row that is sent. */
export interface Problem {
  /** Header of the column; `null` when the whole row is meant. */
  readonly column: string | null;
  /** Short machine-readable word, such as `required` or `not_a_number`. */
  readonly code: string;
  /** What is wrong and what would be right, in plain words, without the value. */
  readonly message: string;
  /** The value as it stood in the file; `null` when there was none. Personal data: never logged. */
  readonly value: string | null;
  /** Of a phone that must not be called: the names of all lists that it, or its row, is on. */
  readonly lists?: readonly string[];
}

/** How often one problem occurred. */
export interface ProblemCount {
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
  readonly count: number;
  /** Row number of the first row that has it. */
  readonly firstRow: number;
}
