/** A ledger that has its tables, or what an administrator has to execute so that it gets them. */
export type InitializedLedger = {
  /** Absolute path, or the address of the database. */
  readonly file: string;
} & (
  | { readonly kind: 'ready'; readonly version: number }
  | { readonly kind: 'sql'; readonly sql: string }
);
