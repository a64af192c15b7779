/** Numbers in [0, 1). */
export type Random = () => number;

/** A whole number in [0, below). */
export const upTo = (random: Random, below: number): number => Math.floor(random() * below);

/** The bytes up to a random place. */
export const truncated = (bytes: Buffer, random: Random): Buffer =>
  bytes.subarray(0, 1 + upTo(random, bytes.length - 1));

/** A copy with so many bits flipped, between the offsets. */
export function flipped(
  bytes: Buffer,
  random: Random,
  count: number,
  [from, to]: readonly [number, number] = [0, bytes.length],
): Buffer {
  const copy = Buffer.from(bytes);
  for (let left = count; left > 0; left--) {
    const at = from + upTo(random, to - from);
    copy[at] = (copy[at] ?? 0) ^ (1 << upTo(random, 8));
  }
  return copy;
}

/** A copy in which stretches were removed, doubled, overwritten or exchanged. */
export function shuffled(bytes: Buffer, random: Random, count: number): Buffer {
  let result: Buffer = Buffer.from(bytes);
  for (let left = count; left > 0; left--) {
    const at = upTo(random, result.length);
    const end = Math.min(result.length, at + 1 + upTo(random, 200));
    const [before, piece, after] = [
      result.subarray(0, at),
      result.subarray(at, end),
      result.subarray(end),
    ];
    const ways = [
      [before, after],
      [before, piece, piece, after],
      [before, randomBytes(random, piece.length), after],
      [after, piece, before],
    ];
    result = Buffer.concat(ways[upTo(random, ways.length)] ?? []);
  }
  return result;
}

export const randomBytes = (random: Random, length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, () => upTo(random, 256)));

/** Text of pieces that mean something to a parser. */
export function randomText(random: Random, pieces: readonly string[], count: number): string {
  let text = '';
  for (let left = count; left > 0; left--) text += pieces[upTo(random, pieces.length)] ?? '';
  return text;
}
