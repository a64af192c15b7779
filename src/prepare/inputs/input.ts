import { basename } from 'node:path';
import { InputError } from '../../core/errors.js';
import { headerName } from '../../core/cell-text.js';
import type { Warning } from '../../core/quality.js';
import { REJECTS_NAME } from '../../core/report.js';
import type { Installation } from '../../installation/installation.js';
import type { Row, Corrections, SourceOptions } from '../../core/table.js';
import { columnsOf } from '../../mapping/columns/column-uses.js';
import { type CompiledMapping, compileMapping } from '../../mapping/compile.js';
import { endColumn } from '../../mapping/end-column.js';
import type { LoadedMapping } from '../../mapping/load.js';
import type { Suppression } from '../../quality/suppression.js';
import type { NumberPlan } from '../../quality/zones/number-plan.js';
import { traitsOf } from '../../source/formats.js';
import { openWithinLimits } from './open-within-limits.js';
import { refuseSheetOfText } from '../../source/refusals.js';
import { CellCorrections, placedCorrections, withCorrections } from './corrections.js';
import { withHeaderNamed } from './header-hint.js';
import type { InputFile, OpenedInput } from '../plan.js';
import { endRule, withEndMarked } from './table-end.js';
import { furtherHeaders, noticesOfSheets, withoutHeaders } from './sheets.js';
import { numberUses, withNumbersIn } from './shown-numbers.js';
import { verifyCorrections } from './verify-corrections.js';
import { readTableHead } from './table-head.js';
import { type ReadAhead, aheadOf, beginReadAhead } from './read-ahead.js';

/** An input at the end of its header: what comes next are data rows. */
export interface DataInput {
  readonly opened: OpenedInput;
  readonly mapping: CompiledMapping;
  /** What is to be said of it before anything is sent. */
  readonly notices: readonly Warning[];
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
  /** What of it the person asked for beyond the mapping. */
  readonly wanted: SourceOptions;
  readonly verify: boolean;
  /** Whether to find out what is to be said of the parts of a file that are not read. */
  readonly notices?: boolean;
  /** Lists of numbers that must not be called. */
  readonly suppression?: Suppression | undefined;
  /** Whether they are asked once more, before clients are added to a campaign. */
  readonly keepsNumbers?: boolean | undefined;
  /** Where numbers were given out. */
  readonly numberPlan?: NumberPlan | undefined;
  /** The moment that counts for rules that depend on the time. */
  readonly asOf?: number | null | undefined;
  /** Those of this input. */
  readonly corrections?: Corrections | undefined;
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
    const compiling = {
      mapping,
      card: installation?.card,
      clientRoles: installation?.clientRoles,
      file: input.name,
      suppression: context.suppression,
      keepsNumbers: context.keepsNumbers,
      numberPlan: context.numberPlan,
      asOf: context.asOf,
    };
    // Rejects have no rows of totals: what stands last in them is a row that was rejected.
    const until = REJECTS_NAME.test(basename(input.name)) ? undefined : mapping.source?.until;
    const { header, rest, ...head } = await readTableHead(ahead, {
      place: { file: input.name, format: source.info.format },
      headerRow: mapping.source?.headerRow,
      columns: [...columnsOf(mapping), ...(until ? [headerName(until.column)] : [])],
    });
    const place = { info: source.info, ...head };
    const compiled = withHeaderNamed(place, input.name, () =>
      compileMapping({ ...compiling, headers: header }),
    );
    const endOfTable =
      until && endRule(until, endColumn(until, header, mapping, input.name), input.name);
    const { storesEmptyCells } = traitsOf(source.info.format);
    const width = storesEmptyCells ? Infinity : header.length + FAR_CELLS;
    const isFound = mapping.source?.headerRow === undefined;
    const table = {
      ...input,
      options: context.options,
      info: source.info,
      header,
      ...head,
      isFound,
    };
    const further = await furtherHeaders(table);
    const opened = {
      ...{ name: input.name, info: source.info, headers: header, furtherHeaders: further },
      ...head,
    };
    const notices = context.notices ? await noticesOfSheets(table) : [];
    const uses = numberUses(mapping, installation?.card, header);
    const corrected = context.corrections && placedCorrections(context.corrections, opened);
    if (corrected && context.verify)
      await verifyCorrections(
        new CellCorrections(corrected),
        input.path,
        context.options,
        opened,
        uses,
      );
    const rows = (): ReturnType<DataInput['rows']> => {
      const numbered = withNumbersIn(withRest(rest, ahead, width), uses);
      const read = further.size > 0 ? withoutHeaders(numbered, further) : numbered;
      const all = corrected ? withCorrections(read, new CellCorrections(corrected)) : read;
      return endOfTable ? withEndMarked(all, endOfTable) : all;
    };
    return { opened, notices, mapping: compiled, rows, bytesRead: () => ahead.bytesRead(), close };
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

/** A copy, such as of standard input, is called by the name that the person knows. */
async function openByName(
  { path, name }: InputFile,
  { options, wanted, verify }: Omit<InputContext, 'mapping'>,
) {
  try {
    const source = await openWithinLimits(path, options);
    refuseSheetOfText(name, source.info, wanted);
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
