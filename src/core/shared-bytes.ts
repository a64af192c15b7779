/**
 * Memory for bytes that live as long as a chunk or a request. It is shared memory, since the engine counts all other
 * towards its heap: it would walk through the whole heap, the program included, for every few megabytes that were
 * sent. Handed to another thread, it is neither copied nor taken away.
 */
export function sharedBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** The parts one after the other. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<SharedArrayBuffer> {
  const joined = sharedBytes(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
