import { previewFile } from '../../../app/inputs/preview.js';
import type { StoredList } from '../lists/lists.js';
import { sourceOptions } from '../lists/source-options.js';

/** How many rows of a list would be sent, as far as it is known. */
export interface RowsToSend {
  readonly clients: number | null;
  readonly rejected: number;
  readonly estimated: boolean;
}

/** What the beginning of the file shows. @throws as `previewFile` does */
export async function rowsToSend(list: StoredList): Promise<RowsToSend> {
  const { count } = await previewFile(list.file, list.name, sourceOptions(list.source));
  return { clients: count, rejected: 0, estimated: true };
}
