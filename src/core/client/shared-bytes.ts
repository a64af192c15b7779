/**
 * Memory for bytes that live as long as a chunk or a request. It is shared memory, since the engine counts all other
 * towards its heap: it would walk through the whole heap, the program included, for every few megabytes that were
 * sent. Handed to another thread, it is neither copied nor taken away.
 */
export function sharedBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(roundedUp(length)), 0, length);
}

/**
 * To an eighth of the power of two below: what has been freed fits what comes next, which is hardly ever as long to the
 * byte. Otherwise holes would be left between them, and memory would grow with the run.
 */
function roundedUp(length: number): number {
  const step = 2 ** Math.max(6, 31 - Math.clz32(length) - 3);
  return Math.ceil(length / step) * step;
}

/** The engine copies shared memory so many bytes at a time, where both places are aligned alike, and else one by one. */
const WORD = 8;

/** The parts one after the other. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<SharedArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const begin = alignment(parts);
  const joined = sharedBytes(begin + length).subarray(begin);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** How far from a whole word the first part has to begin, so that the longest is aligned as it was. */
function alignment(parts: readonly Uint8Array[]): number {
  let [longest, offset, at] = [0, 0, 0];
  for (const { length, byteOffset } of parts) {
    if (length > longest) [longest, offset] = [length, byteOffset - at];
    at += length;
  }
  return ((offset % WORD) + WORD) % WORD;
}
