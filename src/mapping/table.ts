/** Rows of a lookup table, header first. */
export type Rows = readonly (readonly string[])[];

/** A column that is looked up, and the one that takes its place. */
export interface LookupColumns {
  readonly key: string;
  readonly value: string;
}

/** What a table says of keys; a `Map` is one. */
export interface LookupEntries {
  get(key: string): string | undefined;
}

/** A table that is too large to be held: it is asked for one key after the other. */
export interface LargeTable {
  /** SHA-256 of the file, as hexadecimal text. */
  readonly digest: string;
  /** What it says, or the row that says something else of a key than one further up. */
  entries(columns: LookupColumns): LookupEntries | { readonly conflict: number };
}

export type Table = Rows | LargeTable;

export const isLarge = (table: Table): table is LargeTable => !Array.isArray(table);

/** Reads a lookup table. `columns`: what the mapping looks up in it. */
export type ReadTable = (file: string, columns: readonly LookupColumns[]) => Promise<Table>;
