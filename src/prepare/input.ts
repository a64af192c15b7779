import { InputError } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import type { Row } from '../core/row.js';
import type { SourceInfo, SourceOptions } from '../core/source.js';
import { type CompiledMapping, compileMapping } from '../mapping/compile.js';
import type { LoadedMapping } from '../mapping/load.js';
import { traitsOf } from '../source/formats.js';
import { noHeader, readHeader } from '../source/header.js';
import { LineCounter } from '../source/lines.js';
import { openSource } from '../source/open.js';
import type { InputFile, OpenedInput } from './plan.js';
import { type ReadAhead, aheadOf, beginReadAhead } from './read-ahead.js';

/** An input at the end of its header: what comes next are data rows. */
export interface DataInput {
  readonly opened: OpenedInput;
  readonly mapping: CompiledMapping;
  /** Batches of data rows. To be called once. */
  rows(): AsyncGenerator<readonly Row[], void, undefined>;
  /** How much of the file has been read for the rows that were given. */
  bytesRead(): number;
  close(): Promise<void>;
}

export interface InputContext {
  readonly mapping: LoadedMapping;
  readonly installation: Installation | undefined;
  readonly options: SourceOptions;
  readonly verify: boolean;
}

/**
 * Opens an input, reads its header and compiles the mapping for its columns.
 * @throws InputError when the file cannot be read, ConfigurationError when the mapping does not suit it.
 */
export async function openInput(input: InputFile, context: InputContext): Promise<DataInput> {
  const { mapping, installation } = context;
  const { source, ahead } = await openByName(input, context);
  const close = (): Promise<void> => ahead.close();
  try {
    const headerRow = headerRowOf(source.info, mapping.source?.headerRow);
    const { header, rest, ...head } = await readHead(ahead, headerRow, {
      file: input.name,
      format: source.info.format,
    });
    const compiled = compileMapping({
      mapping,
      card: installation?.card,
      clientRoles: installation?.clientRoles,
      headers: header,
      file: input.name,
    });
    const opened = { name: input.name, info: source.info, headers: header, ...head };
    const { storesEmptyCells } = traitsOf(source.info.format);
    const width = storesEmptyCells ? Infinity : header.length + FAR_CELLS;
    const rows = (): ReturnType<DataInput['rows']> => withRest(rest, ahead, width);
    return { opened, mapping: compiled, rows, bytesRead: () => ahead.bytesRead(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens an input and closes it, where there is no mapping for it. @throws InputError when the file cannot be read */
export async function tryInput(
  input: InputFile,
  context: Omit<InputContext, 'mapping'>,
): Promise<undefined> {
  const { ahead } = await openByName(input, context);
  await ahead.close();
}

/** Where the names of the columns stand; a format that names its columns itself gives them first of all. */
function headerRowOf({ format }: SourceInfo, wanted = 1): number {
  return traitsOf(format).namesColumns ? 0 : wanted;
}

/** A copy, such as of standard input, is called by the name that the person knows. */
async function openByName(
  { path, name }: InputFile,
  { options, verify }: Omit<InputContext, 'mapping'>,
) {
  try {
    const source = await openSource(path, options);
    return { source, ahead: await beginReadAhead(source, verify ? aheadOf(source.info) : 0) };
  } catch (error) {
    if (!(error instanceof InputError) || error.place.file === name) throw error;
    throw new InputError(
      error.code,
      error.reason,
      { ...error.place, file: name },
      { cause: error },
    );
  }
}

interface Head extends Omit<OpenedInput, 'name' | 'info' | 'headers'> {
  readonly header: string[];
  /** Data rows that came in the same batch as the header. */
  readonly rest: readonly Row[];
}

async function readHead(
  ahead: ReadAhead,
  headerRow: number,
  place: { file: string; format: string },
): Promise<Head> {
  const preamble: Row[] = [];
  const lines = new LineCounter();
  let sheet: string | null = null;
  for (;;) {
    const batch = await ahead.next();
    if (batch.done) throw noHeader({ ...place, sheet, row: headerRow });
    for (const [index, row] of batch.value.entries()) {
      sheet = row.sheet;
      const line = traitsOf(place.format).hasLines ? lines.lineOf(row) : undefined;
      if (row.row > headerRow) throw noHeader({ ...place, sheet, row: headerRow });
      if (row.row === headerRow) {
        const header = readHeader(row.cells, { ...place, sheet, row: headerRow, line });
        const rest = batch.value.slice(index + 1);
        return { header, headerRow, headerCells: row.cells, preamble, sheet, rest };
      }
      preamble.push(row);
    }
  }
}

/**
 * Cells beyond the last header that are kept for the rejects, where their number means nothing; nothing else needs them.
 */
const FAR_CELLS = 256;

async function* withRest(
  rest: readonly Row[],
  ahead: ReadAhead,
  width: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  try {
    if (rest.length > 0) yield within(rest, width);
    for (let next = await ahead.next(); !next.done; next = await ahead.next())
      yield within(next.value, width);
  } finally {
    await ahead.close();
  }
}

function within(rows: readonly Row[], width: number): readonly Row[] {
  if (width === Infinity || rows.every(({ cells }) => cells.length <= width)) return rows;
  return rows.map((row) => ({ ...row, cells: row.cells.slice(0, width) }));
}
