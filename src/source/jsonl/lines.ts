import { InputError } from '../../core/errors.js';
import type { FoundFile } from '../file.js';
import { unpackedChunks } from '../unpacked.js';
import { ROW_BYTES } from '../limits.js';

const LF = 0x0a;
const BOM = Buffer.from('efbbbf', 'hex');

/** One line of a file, without its end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Its bytes; they are valid until the next line is asked for. */
  readonly bytes: Buffer;
}

/**
 * The lines of a file, packed or not.
 * @throws InputError when a line is longer than a row may be, or the file cannot be read
 */
export async function* readLines(
  found: FoundFile,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Line, void, undefined> {
  let rest = Buffer.alloc(0);
  let number = 1;
  for await (const chunk of unpackedChunks(found, onRead)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = number === 1 && bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    for (let to = bytes.indexOf(LF, from); to >= 0; to = bytes.indexOf(LF, from)) {
      yield { number: number++, bytes: bytes.subarray(from, to) };
      from = to + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
    if (rest.length > ROW_BYTES) throw lineTooLong(found.file, number);
  }
  if (rest.length > 0) yield { number, bytes: rest };
}

function lineTooLong(file: string, line: number): InputError {
  const reason =
    'a line is longer than 4 MiB. Is each record on a line of its own, and does each line end?';
  return new InputError('row_too_long', reason, { file, line });
}
