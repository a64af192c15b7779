/** Whole numbers in pieces of seven bits, the lowest first; the highest bit of a byte says that another one follows. */

/** Bytes that the largest number takes. */
export const VARINT_BYTES = 8;
const MORE = 128;

/** Writes a number and returns where the next one begins. */
export function writeVarint(bytes: Uint8Array, at: number, number: number): number {
  while (number >= MORE) {
    bytes[at++] = (number % MORE) | MORE;
    number = Math.floor(number / MORE);
  }
  bytes[at++] = number;
  return at;
}

export function varintBytes(number: number): number {
  let bytes = 1;
  while (number >= MORE) {
    number = Math.floor(number / MORE);
    bytes++;
  }
  return bytes;
}
