/**
 * Words of zero that lie in memory already. What the system has only promised it gives twice, when it is read and when
 * it is written, and each time it interrupts the other processors: of a table that is read before it is written, that
 * takes as long as filling the table.
 */
export function zeroWords(length: number): Uint32Array {
  return new Uint32Array(length).fill(0);
}
