/** Whoever executes a statement, whose parameters are `$1`, `$2`. */
export interface StateQueries {
  /** The rows of the answer. Written by us: their shape is not checked again. */
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** How many rows the statement wrote. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
}

/** A database that holds a state. */
export interface StateDatabase extends StateQueries {
  /** All of it, or nothing. */
  transaction<T>(work: (queries: StateQueries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** How a table is called here. */
  table(name: 'taken' | 'outbox' | 'mark' | 'claim'): string;
  /** An expression for the milliseconds since the epoch, by the clock that all who share the database have. */
  readonly now: string;
}
