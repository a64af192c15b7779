/** What is known of a ledger without opening it: nothing is made or changed. */
export interface InspectedLedger {
  /** Absolute path, or the address of the database. */
  readonly file: string;
  /** Version of its tables; `undefined`: there is no ledger yet, or it is empty. */
  readonly version: number | undefined;
  /** The version that this program writes. An older one is brought to it, a newer one is refused. */
  readonly ownVersion: number;
  /** What cannot be written: the ledger itself, or its folder, in which SQLite keeps its log. */
  readonly notWritable: readonly string[];
  /** Ids of runs on which other processes work now. */
  readonly inUse: readonly string[];
}
