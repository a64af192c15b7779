/** Why the file could not be read any further. */
export interface ReadFailure {
  readonly failure: unknown;
}

/** A piece of text, or, as the last item, the failure that ended it. */
export type Piece = string | ReadFailure;

/** The pieces, and instead of an error a last item that holds it, so that rows before it can still be given. */
export async function* untilFailure(
  chunks: AsyncIterable<string>,
): AsyncGenerator<Piece, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await iterator.next().catch((failure: unknown): ReadFailure => ({ failure }));
      if ('failure' in next || next.done) {
        ended = true;
        if ('failure' in next) yield next;
        return;
      }
      yield next.value;
    }
  } finally {
    if (!ended) await iterator.return?.();
  }
}
