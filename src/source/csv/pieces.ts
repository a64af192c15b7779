/** What went wrong with the file while it was read. */
export interface Fault {
  readonly fault: unknown;
}

/** A piece of text, or, as the last item, the fault that ended it. */
export type Piece = string | Fault;

/** The pieces, and instead of an error a last item that holds it, so that rows before it can still be given. */
export async function* untilFault(
  chunks: AsyncIterable<string>,
): AsyncGenerator<Piece, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await iterator.next().catch((fault: unknown): Fault => ({ fault }));
      if ('fault' in next || next.done) {
        ended = true;
        if ('fault' in next) yield next;
        return;
      }
      yield next.value;
    }
  } finally {
    if (!ended) await iterator.return?.();
  }
}
