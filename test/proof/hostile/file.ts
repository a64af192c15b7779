/** A file that is damaged, or made to harm. */
export interface HostileFile {
  /** Also the beginning of its file name; unique. */
  readonly name: string;
  /** Bytes, in pieces. Called when the file is wanted, since some are large. */
  readonly content: () => Iterable<Buffer | string>;
  /**
   * Columns of its table: `leads` has those of `LEADS`, of any other table each row becomes the same client.
   * @default 'leads'
   */
  readonly table?: 'leads' | 'any';
}

/** A file whose bytes are at hand. */
export const file = (name: string, content: Buffer | string): HostileFile => ({
  name,
  content: () => [content],
});

/** A file whose bytes are made when they are wanted. */
export const made = (name: string, make: () => Buffer | string): HostileFile => ({
  name,
  content: () => [make()],
});

/** A file of a beginning and a piece many times over. */
export const repeated = (
  name: string,
  head: Buffer | string,
  piece: Buffer | string,
  times: number,
): HostileFile => ({
  name,
  *content() {
    yield head;
    // Written in pieces of some size, or the disk would be asked millions of times.
    const bytes = Buffer.from(piece);
    const together = Math.max(1, Math.floor(2 ** 20 / bytes.length));
    const many = Buffer.alloc(bytes.length * together, bytes);
    for (let left = times; left > 0; left -= together)
      yield left >= together ? many : many.subarray(0, left * bytes.length);
  },
});

/** `count` files that differ by their number, from 1. */
export const several = (
  name: string,
  count: number,
  make: (number: number) => Buffer | string,
): HostileFile[] =>
  Array.from({ length: count }, (_, index) => file(`${name} ${index + 1}`, make(index + 1)));
