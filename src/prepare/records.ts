import type { ByteWriter } from './byte-writer.js';

/** Where a chunk stands: `first` is the ordinal of its first row. */
export interface ChunkPlace {
  readonly input: number;
  readonly sheet: string | null;
  readonly first: number;
}

/** The `read` fact of a chunk under construction: what became of each of its rows. */
export interface Records {
  /** To be called before the first record of a chunk. */
  begin(place: ChunkPlace): void;
  /** Bytes so far. */
  readonly length: number;
  /** Where the next record will begin. */
  next(): number;
  /** Adds a record (`RowRecord`) as JSON. */
  add(json: string): void;
  /** The fact in UTF-8, with the fingerprints of its rows; nothing can be added before the next chunk has begun. */
  take(prints?: string): Uint8Array;
}

/** Keeps them as bytes: texts that are kept until the end are copied by the collector of garbage. */
export function createRecords(bytes: ByteWriter): Records {
  let none = 0;
  return {
    begin: ({ input, sheet, first }) => {
      bytes.write(`{"input":${input},"sheet":${JSON.stringify(sheet)},"first":${first},"rows":[`);
      none = bytes.length;
    },
    get length() {
      return bytes.length;
    },
    next: () => (bytes.length === none ? none : bytes.length + 1),
    add: (json) => {
      bytes.write(bytes.length === none ? json : `,${json}`);
    },
    take: (prints) => {
      bytes.write(prints === undefined ? ']}' : `],"prints":"${prints}"}`);
      return bytes.take();
    },
  };
}
