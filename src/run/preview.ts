import {
  headerName,
  type Row,
  type Source,
  type SourceInfo,
  type SourceOptions,
} from '../core/table.js';
import { InputError } from '../core/errors.js';
import { spoolStandardInput, traitsOf, refuseSheetOfText } from '../source/source.js';
import { lettersOf, readHeader } from '../source/header.js';
import {
  continuationOf,
  furtherHeaders,
  openWithinLimits,
  wholeList,
  withoutHeaders,
} from '../prepare/inputs/open.js';
import { findHeader, type FoundHeader, totalsAt } from '../suggest/read-file.js';
import { takeInputs } from '../prepare/inputs/seen.js';
import { temporaryFolder } from '../files/regular-file.js';

/** How the file is read, where that is not to be found out. */
export interface PreviewOptions extends Pick<SourceOptions, 'sheet' | 'encoding' | 'delimiter'> {
  readonly headerRow?: number | 'none' | undefined;
}

/** Rows that show which one is the header, and then some. */
const READ_ROWS = 150;
const SHOWN_ROWS = 20;
const ABOVE_ROWS = 60;

/**
 * Looks at the beginning of a spreadsheet as an import would read it.
 * @param name of the file, as the person knows it
 * @throws InputError when the file cannot be read, UsageError when an option does not fit it
 */
export async function previewFile(
  path: string,
  name: string,
  { headerRow, ...options }: PreviewOptions,
) {
  const source = await openWithinLimits(path, options);
  const { rows, isWhole } = await firstRows(source, headerRow);
  const { info } = source;
  const { problem, ownNames, ...header } = headerOf(rows, headerRow, name, info);
  const data = rows.filter(({ row }) => header.row === 'none' || row > header.row);
  return {
    info,
    sheet: rows[0]?.sheet ?? info.sheets[0] ?? null,
    header: header.names,
    // Nothing where the format names its columns itself.
    headerRow: traitsOf(info.format).namesColumns ? null : header.row,
    // Whether the row above it is a part of the header, and was joined with it.
    isJoined: ownNames !== undefined,
    // The header is shown all the same, so that another one can be chosen.
    headerProblem: problem,
    // The header's row and those above it included: one that was chosen can be undone.
    above: rows.filter((row) => !data.includes(row)).slice(0, ABOVE_ROWS),
    rows: data.slice(0, SHOWN_ROWS),
    count: isWhole ? data.length : null,
  };
}

async function firstRows(
  source: Source,
  headerRow: number | 'none' | undefined,
): Promise<{ readonly rows: readonly Row[]; readonly isWhole: boolean }> {
  const rows: Row[] = [];
  const needed = READ_ROWS + (typeof headerRow === 'number' ? headerRow : 0);
  for await (const batch of source.batches())
    for (const row of batch) {
      // The rows of further sheets are counted where all of the file is read.
      if (rows[0] && row.sheet !== rows[0].sheet) return { rows, isWhole: false };
      rows.push(row);
      if (rows.length >= needed) return { rows, isWhole: false };
    }
  return { rows, isWhole: true };
}

/** How far the rows of a file go, as far as it has been read. */
export interface Extent {
  /** Data rows that were counted so far. */
  readonly rows: number;
  /** Whether these are all. */
  readonly isWhole: boolean;
  /** Numbers of the last rows that look like totals; none before all rows are counted. */
  readonly totals: readonly number[];
  /** Where the list goes on on sheets that are not read; `null` where it does not. */
  readonly continuation: {
    readonly sheets: readonly string[];
    /** The value of `sheet` that reads them too; `null` where nothing names them. */
    readonly sheet: string | null;
  } | null;
}

const LAST_ROWS = 3;
/** Time between two steps of the count that are shown, in milliseconds. */
const STEP_MS = 250;

/**
 * Reads a spreadsheet to its end for the number of its data rows. What it yields last is of the whole file.
 * @param name of the file, as the person knows it
 * @throws InputError where the file is broken, or its sheets do not belong together
 */
export async function* measureFile(
  path: string,
  name: string,
  options: PreviewOptions,
): AsyncGenerator<Extent, void, undefined> {
  const { headerRow: given, ...read } = options;
  const { info, header, headerRow, sheet, headerProblem } = await previewFile(path, name, options);
  const start = typeof headerRow === 'number' ? headerRow : 0;
  const hasHeader = headerRow !== 'none';
  const table = {
    ...{ path, name, info, header, hasHeader, headerRow: start },
    ...{ options: read, isFound: given === undefined },
  };
  const further = headerProblem ? undefined : await continuationOf(table);
  const continuation = further
    ? { sheets: further.sheets, sheet: wholeList(further) ?? null }
    : null;
  const starts = headerProblem ? [] : await furtherHeaders(table);
  const headers = new Map([...starts, [sheet ?? '', start]]);
  const source = await openWithinLimits(path, read);
  let [rows, shown] = [0, performance.now()];
  let last: Row[] = [];
  for await (const batch of withoutHeaders(source.batches(), headers)) {
    rows += batch.length;
    last = [...last, ...batch.slice(-LAST_ROWS)].slice(-LAST_ROWS);
    if (performance.now() - shown < STEP_MS) continue;
    shown = performance.now();
    yield { rows, isWhole: false, totals: [], continuation };
  }
  const cells = last.map((row) => row.cells);
  const found = rows > LAST_ROWS ? (totalsAt(header, cells)?.rows ?? 0) : 0;
  const totals = last.slice(last.length - found).map(({ row }) => row);
  yield { rows, isWhole: true, totals, continuation };
}

type Header = FoundHeader & { readonly problem: InputError | null };

function headerOf(
  rows: readonly Row[],
  wanted: number | 'none' | undefined,
  file: string,
  { format, sheets: [own], otherSheets: others = [] }: SourceInfo,
): Header {
  const [first] = rows;
  // Where a workbook begins with a sheet without rows, such as a cover, the person chooses another one.
  if (!first && own !== undefined && others.length > 0) {
    const named = others.map((name) => `"${name}"`).join(', ');
    const reason = `Sheet "${own}" is empty. Choose another one: ${named}.`;
    const problem = new InputError('empty_sheet', reason, { file, sheet: own });
    return { names: [], row: 1, problem };
  }
  if (wanted === 'none' && first?.row !== 0)
    return { names: lettersOf(rows), row: 'none', problem: null };
  // Formats that name their columns themselves give the names as row 0.
  const row = wanted === 'none' || first?.row === 0 ? undefined : wanted;
  const cellsOf = (number: number | undefined): Row['cells'] | undefined =>
    rows.find((one) => one.row === number)?.cells;
  const place = { file, format };
  try {
    if (row === undefined) return { ...findHeader(rows, place), problem: null };
    const names = readHeader(cellsOf(row) ?? [], { ...place, sheet: first?.sheet ?? null, row });
    return { names, row, problem: null };
  } catch (error) {
    if (!(error instanceof InputError) || (row === undefined && !first)) throw error;
    const at = row ?? (cellsOf(error.place.row) ? error.place.row : first?.row) ?? 1;
    const names = (cellsOf(at) ?? []).map((cell) => headerName(cell ?? ''));
    return { names, row: at, problem: error };
  }
}

/**
 * The rows of a file as the reader sees them, header included, in batches.
 *
 * @param file path of the file, or a stream of its bytes, such as standard input
 * @param onInfo called with what was found out about the file, before its first row
 * @throws InputError when the file is broken; the rows before that place have been given by then
 */
export async function* readRows(
  file: string | AsyncIterable<Uint8Array>,
  options: SourceOptions,
  onInfo: (info: SourceInfo) => void = () => undefined,
): AsyncGenerator<readonly Row[]> {
  const name = typeof file === 'string' ? file : 'standard input';
  const { path, release } = await readablePath(file);
  try {
    const source = await openWithinLimits(await path(), options);
    refuseSheetOfText(name, source.info, options);
    onInfo(source.info);
    yield* source.batches();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // The person never saw the file that standard input was copied to, or the link to one.
    const { code, reason, place, cause } = error;
    throw new InputError(code, reason, { ...place, file: name }, { cause });
  } finally {
    await release();
  }
}

async function readablePath(file: string | AsyncIterable<Uint8Array>) {
  if (typeof file !== 'string') {
    const to = await temporaryFolder();
    return { path: () => spoolStandardInput(file, to.path), release: () => to.remove() };
  }
  // A path, whatever it is: standard input is given as a stream.
  const taken = await takeInputs([file === '-' ? './-' : file]);
  const path = taken.files[0]?.path ?? file;
  return { path: () => Promise.resolve(path), release: () => taken.release() };
}
