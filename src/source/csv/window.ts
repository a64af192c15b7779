import { openRegularFile } from '../../files/regular-file.js';

/** Bytes of a window: enough for a hundred rows of a wide table. */
const WINDOW = 96 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/** Some bytes from the middle of a text file. */
export interface Window {
  readonly bytes: Buffer;
  /** Places in them at which a line begins. A line that begins inside a quoted cell is one of them. */
  readonly starts: readonly number[];
}

/** Line starts that are tried: a quoted cell of more lines than this is passed over. */
const STARTS = 8;

/**
 * Bytes around a share of the file, from 0 to 1, up to its end at most.
 * @param unit bytes of a character: 2 for UTF-16
 */
export async function readWindow(file: string, share: number, unit: 1 | 2): Promise<Window> {
  const handle = await openRegularFile(file);
  try {
    const { size } = await handle.stat();
    const wanted = Math.floor((Math.max(0, size - WINDOW) * share) / unit) * unit;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(WINDOW), 0, WINDOW, wanted);
    const bytes = buffer.subarray(0, bytesRead);
    return { bytes, starts: lineStarts(bytes, unit) };
  } finally {
    await handle.close();
  }
}

function lineStarts(bytes: Buffer, unit: 1 | 2): number[] {
  const starts: number[] = [];
  for (let at = 0; at + unit < bytes.length && starts.length < STARTS; at += unit) {
    const isBreak = isLineBreak(bytes, at, unit);
    if (isBreak && !isLineBreak(bytes, at + unit, unit)) starts.push(at + unit);
  }
  return starts;
}

function isLineBreak(bytes: Buffer, at: number, unit: 1 | 2): boolean {
  const [one, other] = [bytes[at], unit === 2 ? bytes[at + 1] : 0];
  const [low, high] = one === 0 ? [other, one] : [one, other];
  return (low === LF || low === CR) && high === 0;
}
