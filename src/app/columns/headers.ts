import { InputError } from '../../core/errors.js';
import type { PreviewOptions } from '../inputs/preview.js';
import type { Tables } from './tables.js';

interface HeadersRequest {
  readonly file: string;
  /** Name of the file, as the person knows it. */
  readonly name: string;
  readonly source: PreviewOptions;
  readonly tables: Tables;
}

/** The header of a spreadsheet that is read like this; `undefined` where it cannot be. */
export async function headersOf({
  file,
  name,
  source,
  tables,
}: HeadersRequest): Promise<readonly string[] | undefined> {
  const { headerRow, ...options } = source;
  try {
    return (await tables.readFile({ file, name, options, header: { headerRow } })).table.headers;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
