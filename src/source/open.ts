import { InputError, UsageError } from '../core/errors.js';
import type { Cell, SourceInfo, SourceOptions, ReopenOptions, Source } from '../core/table.js';
import {
  traitsOf,
  DEFAULT_FORMAT,
  type InputFormat,
  signatureOf,
  SIGNATURE_BYTES,
  type Kind,
} from './formats.js';
import { basename } from 'node:path';
import { OUTCOME_COLUMN, REJECTS_NAME } from '../core/report.js';
import { emptyFile, inspectFile, readChunks, readHead, type FoundFile } from './file.js';
import { PREAMBLE_ROWS } from './rows.js';
import { unpackedChunks } from './unpacked.js';

/**
 * All rows of a small table, for the mapping's lookups. Empty cells are empty text.
 * @throws as `tableBatches` does
 */
export async function readTable(file: string): Promise<string[][]> {
  const table: string[][] = [];
  for await (const rows of tableBatches(file))
    for (const cells of rows) table.push(cells.map((cell) => cell ?? ''));
  return table;
}

/**
 * The cells of a table, batch by batch.
 * @throws InputError where it cannot be read, or is of a format that is read into memory whole
 */
export async function* tableBatches(
  file: string,
): AsyncGenerator<(readonly Cell[])[], void, undefined> {
  const { format, formatName } = await findFormat(file);
  if (traitsOf(format).isReadWhole) {
    const reason = `a lookup table is CSV, .xlsx, .ods or JSON Lines, and this is a ${formatName}. Save it as CSV.`;
    throw new InputError('not_a_lookup_table', reason, { file });
  }
  const source = await openSource(file);
  refuseUnsureEncoding(file, source.info);
  for await (const rows of source.batches()) yield rows.map(({ cells }) => cells);
}

/**
 * Refuses a sheet that was asked of a file without sheets: most likely another file was meant.
 * @param name of the file, as the person knows it
 * @throws UsageError
 */
export function refuseSheetOfText(
  name: string,
  { sheets, formatName }: SourceInfo,
  { sheet }: SourceOptions,
): void {
  if (sheet === undefined || sheets.length > 0) return;
  throw new UsageError(
    `${name} is no workbook but ${formatName}, and has no sheets. Leave --sheet out, or name another file.`,
  );
}

/**
 * Refuses a text of which it is not sure in which encoding it is. Holds no word of it: the error may be logged.
 * @param name of the file, as the person knows it
 * @throws InputError
 */
export function refuseUnsureEncoding(name: string, { encoding, encodingDoubt }: SourceInfo): void {
  if (!encodingDoubt) return;
  const reason =
    `the text is in ${encoding ?? 'one encoding'} or in ${encodingDoubt.runnerUp}, and either makes sense. "cardline rows" ` +
    'shows a word in both. Name the right one with --encoding, or "source: { encoding: … }" in the mapping.';
  throw new InputError('unsure_encoding', reason, { file: name });
}

/**
 * Opens a spreadsheet file of any format in `formats.ts`, plain or, where it is text, packed with gzip. Its format is
 * found by its content, whatever its name.
 * @throws InputError when the file is missing, unreadable, empty, or no spreadsheet
 * @throws UsageError when the options name an unknown encoding or an impossible delimiter
 */
export async function openSource(file: string, options: ReopenOptions = {}): Promise<Source> {
  return openFound(await findFormat(file), options);
}

/**
 * Opens a file whose format is known. Where nobody says which sheet is meant and the first visible one is empty, such as a
 * cover, the next one that is not is taken.
 */
export async function openFound(
  found: FoundFile & { format: InputFormat },
  options: ReopenOptions,
): Promise<Source> {
  const { open } = traitsOf(found.format);
  const source = await openSheets(found, options);
  const { otherSheets = [], hiddenSheets = [] } = source.info;
  const visible = otherSheets.filter((name) => !hiddenSheets.includes(name));
  if (options.sheet !== undefined || options.allSheets || visible.length === 0) return source;
  if (!(await isEmpty(source))) return source;
  for (const sheet of visible) {
    const other = await open(found, { ...options, sheet });
    if (!(await isEmpty(other))) return other;
  }
  return source;
}

/** Rejects of a workbook have one sheet, which the same mapping reads whatever sheets it names. */
async function openSheets(
  found: FoundFile & { format: InputFormat },
  options: ReopenOptions,
): Promise<Source> {
  const { open } = traitsOf(found.format);
  try {
    return await open(found, options);
  } catch (error) {
    const isMissing = error instanceof InputError && error.code === 'unknown_sheet';
    if (!isMissing || !REJECTS_NAME.test(basename(found.file))) throw error;
    const { sheet: _, ...others } = options;
    const source = await open(found, others);
    if (source.info.otherSheets || !(await holdsRejects(source))) throw error;
    return source;
  }
}

/** Whether cardline has written it: a file of somebody else may have the same name. */
async function holdsRejects(source: Source): Promise<boolean> {
  let seen = 0;
  for await (const rows of source.batches()) {
    if (rows.some(({ cells }) => cells.includes(OUTCOME_COLUMN))) return true;
    seen += rows.length;
    if (seen > PREAMBLE_ROWS) return false;
  }
  return false;
}

/** Whether a source has no rows. What is broken is not empty: whoever reads it says what is wrong. */
async function isEmpty(source: Source): Promise<boolean> {
  try {
    for await (const rows of source.batches()) if (rows.length > 0) return false;
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/**
 * What a file is, by its content.
 * @throws InputError when the file is missing, unreadable, empty, or no spreadsheet
 */
export async function findFormat(file: string): Promise<FoundFile & { format: InputFormat }> {
  const bytes = await inspectFile(file);
  const found = signatureOf(await readHead(readChunks(file), SIGNATURE_BYTES));
  if (found.kind === 'other') throw noSpreadsheet(file, found);
  if (found.kind === 'gzip') {
    const format = await formatInside({ ...PACKED_FILE, file, bytes, gzip: true }, 'gzip');
    return { file, bytes, gzip: true, format, formatName: traitsOf(format).words };
  }
  const { format, part } = await formatOf(file, bytes, found.formats);
  const formatName = traitsOf(format).words;
  const isPacked = part !== undefined;
  return { file, bytes, gzip: isPacked, ...(isPacked ? { part } : {}), format, formatName };
}

/** Of what is packed, the format is not known yet. */
const PACKED_FILE = { format: DEFAULT_FORMAT, formatName: '' } as const;

/**
 * Of several formats that begin alike, the one whose parts the container holds; of a zip file that is none of them, that
 * of the list in it.
 */
async function formatOf(
  file: string,
  bytes: number,
  formats: readonly InputFormat[],
): Promise<{ format: InputFormat; part?: string }> {
  const [first = DEFAULT_FORMAT] = formats;
  if (formats.length < 2) return { format: first };
  const { namesInContainer } = await import('./zip.js');
  const names = await namesInContainer(file);
  const holding = formats.find((each) => traitsOf(each).holds?.some((name) => names.has(name)));
  if (holding) return { format: holding };
  const { listInZip } = await import('./archive.js');
  const part = formats.includes('ods') ? listInZip(file, names) : undefined;
  if (part === undefined)
    return { format: formats.find((each) => traitsOf(each).holds === undefined) ?? first };
  const found = { ...PACKED_FILE, file, bytes, gzip: true, part };
  return { format: await formatInside(found, 'zip'), part };
}

async function formatInside(found: FoundFile, packing: 'gzip' | 'zip'): Promise<InputFormat> {
  const { file } = found;
  const head = await readHead(unpackedChunks(found), SIGNATURE_BYTES);
  if (head.length === 0) throw emptyFile(file);
  const inner = signatureOf(head);
  if (inner.kind === 'other') throw noSpreadsheet(file, inner);
  const [format] = inner.kind === 'input' ? inner.formats : [];
  if (format !== undefined && traitsOf(format).canBeGzipped) return format;
  const reason = `the ${packing} file holds another packed file or a workbook. Unpack it first and give what is inside.`;
  throw new InputError(`${packing}_holds_archive`, reason, { file });
}

function noSpreadsheet(file: string, { name, packed }: Extract<Kind, { kind: 'other' }>) {
  const advice = packed
    ? 'Unpack it first and give the file inside.'
    : 'Save it as .xlsx or CSV in a spreadsheet program.';
  return new InputError('not_a_spreadsheet', `this is no spreadsheet but a ${name}. ${advice}`, {
    file,
  });
}
