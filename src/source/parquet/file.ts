import type { FileHandle } from 'node:fs/promises';
import type { AsyncBuffer } from 'hyparquet';

/** An open file as the library reads it: any part of it, when it asks. */
export function bufferOf(
  handle: FileHandle,
  byteLength: number,
  onRead: (bytes: number) => void,
): AsyncBuffer {
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, byteLength) - start));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(
          bytes,
          filled,
          bytes.length - filled,
          start + filled,
        );
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      onRead(filled);
      return bytes.buffer.slice(0, filled);
    },
  };
}
