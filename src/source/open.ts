import { InputError } from '../core/errors/errors.js';
import type { ReopenOptions, Source } from '../core/table/source.js';
import { emptyFile, inspectFile, readChunks, readHead, type FoundFile } from './file.js';
import { DEFAULT_FORMAT, traitsOf, type InputFormat } from './formats.js';
import { gunzipChunks } from './gunzip.js';
import { signatureOf, SIGNATURE_BYTES, type Kind } from './signature.js';

/**
 * Opens a spreadsheet file of any format in `formats.ts`, plain or, where it is text, packed with gzip. Its format is
 * found by its content, whatever its name.
 * @throws InputError when the file is missing, unreadable, empty, or no spreadsheet
 * @throws UsageError when the options name an unknown encoding or an impossible delimiter
 */
export async function openSource(file: string, options: ReopenOptions = {}): Promise<Source> {
  const found = await findFormat(file);
  return traitsOf(found.format).open(found, options);
}

/**
 * What a file is, by its content.
 * @throws InputError when the file is missing, unreadable, empty, or no spreadsheet
 */
export async function findFormat(file: string): Promise<FoundFile & { format: InputFormat }> {
  const bytes = await inspectFile(file);
  const found = signatureOf(await readHead(readChunks(file), SIGNATURE_BYTES));
  if (found.kind === 'other') throw noSpreadsheet(file, found);
  const gzip = found.kind === 'gzip';
  const format = gzip ? await formatInGzip(file) : await formatOf(file, found.formats);
  return { file, bytes, gzip, format, formatName: traitsOf(format).words };
}

/** Of several formats that begin alike, the one whose parts the container holds. */
async function formatOf(file: string, formats: readonly InputFormat[]): Promise<InputFormat> {
  const [first = DEFAULT_FORMAT] = formats;
  if (formats.length < 2) return first;
  const { namesInContainer } = await import('./container.js');
  const names = await namesInContainer(file);
  const holding = formats.find((each) => traitsOf(each).holds?.some((name) => names.has(name)));
  return holding ?? formats.find((each) => traitsOf(each).holds === undefined) ?? first;
}

async function formatInGzip(file: string): Promise<InputFormat> {
  const head = await readHead(gunzipChunks(readChunks(file), file), SIGNATURE_BYTES);
  if (head.length === 0) throw emptyFile(file);
  const inner = signatureOf(head);
  if (inner.kind === 'other') throw noSpreadsheet(file, inner);
  const [format] = inner.kind === 'input' ? inner.formats : [];
  if (format !== undefined && traitsOf(format).canBeGzipped) return format;
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
