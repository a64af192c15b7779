import { readFile } from 'node:fs/promises';
import { CFB } from '@e965/xlsx';
import { EXCEL_97, RECORD } from './record-types.js';
import { Records } from './records.js';

/**
 * The records of a workbook of Excel 97 to 2003; `null` for older ones and for what is damaged.
 */
export async function readWorkbookStream(file: string): Promise<Buffer | null> {
  const stream = streamIn(await readFile(file));
  if (stream === null) return null;
  const first = new Records(stream, 0);
  const isNew =
    first.next() &&
    first.type === RECORD.beginOfPart &&
    first.end - first.at >= 2 &&
    stream.readUInt16LE(first.at) === EXCEL_97;
  return isNew ? stream : null;
}

function streamIn(bytes: Buffer): Buffer | null {
  const library: unknown = CFB;
  if (!isContainerLibrary(library)) throw new Error('The library has no reader of containers.');
  try {
    const found = library.find(library.read(bytes, { type: 'buffer' }), '/Workbook');
    return hasContent(found) ? Buffer.from(found.content) : null;
  } catch {
    // Whoever opens it instead says what is wrong with it.
    return null;
  }
}

interface ContainerLibrary {
  read(bytes: Buffer, options: { readonly type: 'buffer' }): unknown;
  find(container: unknown, path: string): unknown;
}

function isContainerLibrary(value: unknown): value is ContainerLibrary {
  return typeof value === 'object' && value !== null && 'read' in value && 'find' in value;
}

function hasContent(value: unknown): value is { readonly content: Uint8Array } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'content' in value &&
    value.content instanceof Uint8Array
  );
}
