/** Where a duplicate key was seen first. */
export interface SeenAt {
  readonly input: number;
  readonly row: number;
}

/** The duplicate keys of all clients that a run has let pass so far. Keys are `KEY_WORDS` words of a digest. */
export interface SeenKeys {
  /** Where the key at `offset` was added, or `null` when it is new. */
  find(keys: Uint32Array, offset: number): SeenAt | null;
  /** Adds a key that is not there yet. */
  add(keys: Uint32Array, offset: number, input: number, row: number): void;
  close(): void;
}
