import type { Row, Source, SourceInfo } from '../../core/table.js';
import { traitsOf } from '../../source/formats.js';

/**
 * A file of up to `whole` bytes is read to its end before its first row is sent, of a larger one the first `ahead` bytes:
 * so a small one that is broken is not imported in part, and nobody is kept waiting for all of a large one to be read.
 */
const AHEAD_BYTES = {
  text: { whole: 1024 * 1024, ahead: 256 * 1024 },
  packed: { whole: 512 * 1024, ahead: 128 * 1024 },
} as const;

/** Most cells and characters that are kept meanwhile: a file that packs well holds a thousand times its own bytes. */
const KEPT_CELLS = 500_000;
const KEPT_TEXT = 16 * 1024 * 1024;

/**
 * A file up to this size is verified to its end before its first row is sent. A packed one is unpacked meanwhile, by
 * other threads: damage that its checksums tell, and what it holds too much of. Text is looked at for bytes that are none.
 * Either takes about as long as reading the beginning.
 */
const VERIFIED_BYTES = { packed: 4 * 1024 * 1024, text: 16 * 1024 * 1024 } as const;

/** How much of a file to read before its first row is sent, in bytes of the file. */
export function aheadOf(info: SourceInfo): number {
  const { whole, ahead } = AHEAD_BYTES[storageOf(info)];
  return info.bytes <= whole ? Infinity : ahead;
}

/** A source that is being read. */
export interface ReadAhead {
  next(): Promise<IteratorResult<readonly Row[], void>>;
  /** How much of the file had been read when the rows that were given last were there. */
  bytesRead(): number;
  /** Lets go of the file. */
  close(): Promise<void>;
}

/**
 * Begins to read a source, and keeps what it reads until it is asked for, as far as it is not too much to keep.
 * @param bytes how much of the file to read at once; 0: nothing
 * @throws InputError where that much of it is broken
 */
export async function beginReadAhead(source: Source, bytes: number): Promise<ReadAhead> {
  const batches = source.batches()[Symbol.asyncIterator]();
  const ready: Batch[] = [];
  const [read, whole] = await Promise.allSettled([
    readAhead({ source, batches, bytes, ready }),
    bytes > 0 && isVerified(source.info) ? source.verify() : undefined,
  ]);
  for (const result of [read, whole])
    if (result.status === 'rejected') {
      await batches.return?.();
      throw result.reason;
    }
  let given = 0;
  return {
    next: async () => {
      const kept = ready.shift();
      const next = kept ? { value: kept.rows } : await batches.next();
      given = kept?.read ?? source.bytesRead();
      return next;
    },
    bytesRead: () => given,
    close: async () => {
      await batches.return?.();
    },
  };
}

function isVerified(info: SourceInfo): boolean {
  return info.bytes <= VERIFIED_BYTES[storageOf(info)];
}

function storageOf({ format, gzip }: SourceInfo): 'text' | 'packed' {
  return gzip || traitsOf(format).isPacked ? 'packed' : 'text';
}

interface Batch {
  readonly rows: readonly Row[];
  /** How much of the file had been read when it was there. */
  readonly read: number;
}

interface Ahead {
  readonly source: Source;
  readonly batches: AsyncIterator<readonly Row[]>;
  readonly bytes: number;
  /** Where batches are kept. */
  readonly ready: Batch[];
}

async function readAhead({ source, batches, bytes, ready }: Ahead): Promise<void> {
  let [cells, text] = [0, 0];
  while (source.bytesRead() < bytes && cells < KEPT_CELLS && text < KEPT_TEXT) {
    const next = await batches.next();
    if (next.done) break;
    ready.push({ rows: next.value, read: source.bytesRead() });
    for (const row of next.value) {
      cells += row.cells.length;
      for (const cell of row.cells) text += cell?.length ?? 0;
    }
  }
}
