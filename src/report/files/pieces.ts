/** Characters of a piece: large enough for a pipe, small enough that its parts die in the young generation. */
const PIECE = 32 * 1024;

/** The lines of all rows, in pieces of some size. */
export function* inPieces<T>(
  rows: Iterable<T>,
  line: (row: T) => string,
): Generator<string, void, undefined> {
  let piece = '';
  for (const row of rows) {
    piece += line(row);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
