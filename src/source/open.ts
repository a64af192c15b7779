import { InputError } from '../core/errors.js';
import type { InputFormat, Source, SourceOptions } from '../core/source.js';
import { emptyFile, inspectFile, readChunks, readHead } from './file.js';
import { FORMATS } from './formats.js';
import { gunzipChunks } from './gunzip.js';
import { signatureOf, SIGNATURE_BYTES, type Kind } from './signature.js';

/**
 * Opens a spreadsheet file: CSV or TSV, plain or packed with gzip, or an `.xlsx` workbook. Its format
 * is found by its content, whatever its name.
 * @throws InputError when the file is missing, unreadable, empty, or no spreadsheet
 * @throws UsageError when the options name an unknown encoding or an impossible delimiter
 */
export async function openSource(file: string, options: SourceOptions = {}): Promise<Source> {
  const bytes = await inspectFile(file);
  const found = signatureOf(await readHead(readChunks(file), SIGNATURE_BYTES));
  switch (found.kind) {
    case 'input':
      return FORMATS[found.format].open({ file, bytes, gzip: false }, options);
    case 'gzip': {
      const format = await formatInGzip(file);
      return FORMATS[format].open({ file, bytes, gzip: true }, options);
    }
    case 'other':
      throw noSpreadsheet(file, found);
  }
}

async function formatInGzip(file: string): Promise<InputFormat> {
  const head = await readHead(gunzipChunks(readChunks(file), file), SIGNATURE_BYTES);
  if (head.length === 0) throw emptyFile(file);
  const inner = signatureOf(head);
  if (inner.kind === 'other') throw noSpreadsheet(file, inner);
  if (inner.kind === 'input' && FORMATS[inner.format].canBeGzipped) return inner.format;
  const reason =
    'the gzip file holds another packed file or a workbook. Unpack it first and give what is inside.';
  throw new InputError('gzip_holds_archive', reason, { file });
}

function noSpreadsheet(file: string, { name, packed }: Extract<Kind, { kind: 'other' }>) {
  const advice = packed
    ? 'Unpack it first and give the file inside.'
    : 'Save it as .xlsx or CSV in a spreadsheet program.';
  return new InputError('not_a_spreadsheet', `this is no spreadsheet but a ${name}. ${advice}`, {
    file,
  });
}
