import type { ByteWriter } from './byte-writer.js';

/** The `read` fact of a chunk under construction: what became of each of its rows. */
export interface Records {
  /** Bytes so far. */
  readonly length: number;
  /** Where the next record will begin. */
  next(): number;
  /** Adds a record (`RowRecord`) as JSON. */
  add(json: string): void;
  /** The fact in UTF-8; nothing can be added after it. */
  take(): Uint8Array;
}

/** Keeps them as bytes: texts that are kept until the end are copied by the collector of garbage. */
export function createRecords(
  bytes: ByteWriter,
  { input, sheet, first }: { readonly input: number; readonly sheet: string | null; first: number },
): Records {
  bytes.write(`{"input":${input},"sheet":${JSON.stringify(sheet)},"first":${first},"rows":[`);
  const none = bytes.length;
  return {
    get length() {
      return bytes.length;
    },
    next: () => (bytes.length === none ? none : bytes.length + 1),
    add: (json) => {
      bytes.write(bytes.length === none ? json : `,${json}`);
    },
    take: () => {
      bytes.write(']}');
      return bytes.take();
    },
  };
}
