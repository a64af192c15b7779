import { ConfigurationError, type ConfigMistake, InputError } from '../../core/errors.js';
import {
  type SourceInfo,
  type Row,
  type RowDefect,
  type SourceOptions,
  type Corrections,
  CORRECTED,
  headerName,
  type Passing,
} from '../../core/table.js';
import type { Until } from '../../mapping/schema/rules.js';
import { openWithinLimits, furtherHeaders, noticesOfSheets, withoutHeaders } from './open.js';
import { CellCorrections, placedCorrections, withCorrections } from './corrections.js';
import type { OpenedInput, InputFile } from '../plan.js';
import { basename } from 'node:path';
import type { Warning } from '../../core/quality.js';
import { REJECTS_NAME } from '../../core/report.js';
import type { Installation } from '../../installation/installation.js';
import { columnsOf, columnUses, type ColumnUse } from '../../mapping/column-uses.js';
import { type CompiledMapping, compileMapping } from '../../mapping/compile.js';
import { endColumn, type LoadedMapping } from '../../mapping/load.js';
import { traitsOf, refuseSheetOfText } from '../../source/source.js';
import { readTableHead, type ReadAhead, aheadOf, beginReadAhead } from './table-head.js';
import type { Problem } from '../../core/problem.js';
import type { ValueObject } from '../../mapping/schema/value.js';
import { styleOf, SURE_DECIMAL } from '../../mapping/transforms/number.js';

/** An input at the end of its header: what comes next are data rows. */
export interface DataInput {
  readonly opened: OpenedInput;
  readonly mapping: CompiledMapping;
  /** What is to be said of it before anything is sent. */
  readonly notices: readonly Warning[];
  /** Batches of data rows. To be called once. */
  rows(): AsyncGenerator<readonly Row[], void, undefined>;
  /** Which of the rows to come need only be counted; absent where each is looked at. */
  readonly passing?: Passing | undefined;
  /** How much of the file has been read for the rows that were given. */
  bytesRead(): number;
  close(): Promise<void>;
}

interface InputContext {
  readonly mapping: LoadedMapping;
  /** What the mapping is compiled with, whatever the input. */
  readonly compiling: Omit<Parameters<typeof compileMapping>[0], 'mapping' | 'headers' | 'file'>;
  readonly options: SourceOptions;
  /** What of it the person asked for beyond the mapping. */
  readonly wanted: SourceOptions;
  readonly verify: boolean;
  /** Whether to find out what is to be said of the parts of a file that are not read. */
  readonly notices?: boolean;
  /** Those of this input. */
  readonly corrections?: Corrections | undefined;
}

/**
 * Opens an input, reads its header and compiles the mapping for its columns.
 * @throws InputError when the file cannot be read, ConfigurationError when the mapping does not suit it.
 */
export async function openInput(input: InputFile, context: InputContext): Promise<DataInput> {
  const { mapping, compiling } = context;
  const { source, ahead } = await openByName(input, context);
  const close = (): Promise<void> => ahead.close();
  try {
    // Rejects have no rows of totals: what stands last in them is a row that was rejected.
    const until = REJECTS_NAME.test(basename(input.name)) ? undefined : mapping.source?.until;
    const { header, rest, ...head } = await readTableHead(ahead, {
      place: { file: input.name, format: source.info.format },
      headerRow: mapping.source?.headerRow,
      columns: [...columnsOf(mapping), ...(until ? [headerName(until.column)] : [])],
    });
    const place = { info: source.info, ...head };
    const compiled = withHeaderNamed(place, input.name, () =>
      compileMapping({ ...compiling, mapping, headers: header, file: input.name }),
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
      columns: columnsOf(mapping),
    };
    const further = await furtherHeaders(table);
    const opened = {
      ...{ name: input.name, info: source.info, headers: header, furtherHeaders: further },
      ...head,
    };
    const notices = context.notices ? await noticesOfSheets(table) : [];
    const uses = numberUses(mapping, compiling.card, header);
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
      const merged = withMerged(withRest(rest, ahead, width), head.headerRow, header, compiled);
      const numbered = withNumbersIn(merged, uses);
      const read = further.size > 0 ? withoutHeaders(numbered, further) : numbered;
      const all = corrected ? withCorrections(read, new CellCorrections(corrected)) : read;
      return endOfTable ? withEndMarked(all, endOfTable) : all;
    };
    const bytesRead = (): number => ahead.bytesRead();
    const isSeen = corrected !== undefined || endOfTable !== undefined;
    const passing = isSeen ? undefined : ahead.passing;
    return { opened, notices, mapping: compiled, rows, passing, bytesRead, close };
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

const MERGED =
  'The cell is merged with one above it, and was read as holding the same. Take the cells apart if that is wrong.';

/** The value of merged cells is meant for all rows that they go over; those that begin in the header are names. */
async function* withMerged(
  batches: ReturnType<DataInput['rows']>,
  headerRow: number,
  headers: readonly string[],
  { columns }: CompiledMapping,
): ReturnType<DataInput['rows']> {
  for await (const batch of batches)
    yield batch.some(({ merged }) => merged)
      ? batch.map((row) => {
          const below = (row.merged ?? []).filter(
            ({ from, column }) => from > headerRow && columns.includes(headers[column] ?? ''),
          );
          if (below.length === 0) return row;
          const cells = [...row.cells];
          for (const { column, text } of below) {
            while (cells.length < column) cells.push(null);
            cells[column] = text;
          }
          const numbers = below.flatMap(({ column, number }) =>
            number === undefined ? [] : [[column, number] as const],
          );
          const remarks = below.map(({ column }) => ({
            column,
            code: 'merged_cell',
            message: MERGED,
          }));
          return {
            ...{ ...row, cells, remarks: [...(row.remarks ?? []), ...remarks] },
            ...(numbers.length > 0 ? { numbers: [...(row.numbers ?? []), ...numbers] } : {}),
          };
        })
      : batch;
}

/** Hidden rows are data like any other: a filter that was forgotten is no reason to lose them. */
const HIDDEN: Problem = {
  column: null,
  code: 'hidden_row',
  message: 'The row is hidden in its sheet, by hand or by a filter, and was read all the same.',
  value: null,
};

const MESSAGE = 'Corrected by hand.';

/**
 * What a report says of a row that is hidden, whose cells a person has corrected, or whose text is read otherwise than it is written:
 * their columns, and no values; `undefined` where there is nothing to say.
 */
export function remarksOn(
  { corrected, isHidden, remarks }: Row,
  headers: readonly string[],
): readonly Problem[] | undefined {
  if (!corrected && !isHidden && !remarks) return undefined;
  const nameOf = (at: number | null): string | null => (at === null ? null : (headers[at] ?? null));
  const read = (remarks ?? []).map(({ column, code, message }) => ({
    ...{ column: nameOf(column), code, message, value: null },
  }));
  const mended = (corrected ?? []).map((at) => ({
    ...{ column: nameOf(at), code: CORRECTED, message: MESSAGE, value: null },
  }));
  return [...(isHidden ? [HIDDEN] : []), ...read, ...mended];
}

/** Where a header was read. */
interface HeaderPlace {
  readonly info: SourceInfo;
  readonly sheet: string | null;
  readonly hasHeader: boolean;
  readonly headerRow: number;
}

/** Sheets that are listed at most. */
const MAX_LISTED = 10;

/**
 * Compiles a mapping, and, where the spreadsheet lacks columns, adds to the errors which row of which sheet was taken for
 * the header.
 * @throws ConfigurationError
 */
function withHeaderNamed<T>(place: HeaderPlace, name: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const isMissing = ({ message }: ConfigMistake): boolean =>
      message.startsWith(`${name} has no column `);
    if (!error.mistakes.some(isMissing)) throw error;
    const mistakes = listedOnce(error.mistakes, isMissing);
    const message = hint(place);
    throw new ConfigurationError(
      message === '' ? mistakes : [...mistakes, { file: name, message }],
    );
  }
}

/** All columns of the file are listed with the first one that is missing: with each they would bury the others. */
function listedOnce(
  mistakes: readonly ConfigMistake[],
  isMissing: (mistake: ConfigMistake) => boolean,
): ConfigMistake[] {
  const lists = mistakes.filter(
    (mistake) => isMissing(mistake) && mistake.suggestion?.startsWith('There is: '),
  );
  const repeated = new Set(lists.slice(1));
  return mistakes.map((mistake) => {
    if (!repeated.has(mistake)) return mistake;
    const { suggestion: _, ...alone } = mistake;
    return alone;
  });
}

function hint({ info, sheet, hasHeader, headerRow }: HeaderPlace): string {
  const where = sheet === null ? '' : ` of sheet "${sheet}"`;
  const others = info.otherSheets ?? [];
  const listed = others.slice(0, MAX_LISTED).map((other) => `"${other}"`);
  if (others.length > MAX_LISTED) listed.push(`${others.length - MAX_LISTED} more`);
  // Records name their values themselves: no row is their header.
  const header = `row ${headerRow}${where} was taken for the header. Name another one with source.headerRow.`;
  const sentences = [
    !hasHeader
      ? `the table${where} was read without a header: its columns are A, B, C and so on.`
      : headerRow > 0
        ? header
        : '',
    others.length > 0 ? `Other sheets: ${listed.join(', ')}.` : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Whether a row, if it stands at the end of its table, is left out. */
interface EndRule {
  readonly applies: (row: Row) => boolean;
  /** Why such a row is skipped. */
  readonly leftOut: RowDefect;
  /** Name of the input, for errors. */
  readonly file: string;
}

/** Rows in a row that may be left out: more are no totals, but a mistake in the mapping. */
const MAX_ROWS = 1000;

const AFTER_TABLE = 'The row stands below the table, by source.until of the mapping.';

/** @param at position of the rule's column */
function endRule({ startsWith }: Until, at: number, file: string): EndRule {
  const textOf = ({ cells }: Row): string => (cells[at] ?? '').trim().toLowerCase();
  const start = startsWith?.trim().toLowerCase();
  return {
    applies: (row) => (start === undefined ? textOf(row) === '' : textOf(row).startsWith(start)),
    leftOut: { column: at, code: 'after_table', message: AFTER_TABLE },
    file,
  };
}

/**
 * The rows, those at the end of each sheet that the rule applies to marked as left out. Such rows with others below them
 * are not: what stands in the midst of a table is data.
 * @throws InputError when the rule applies to too many rows in a row, or reading fails: after the rows before that
 */
async function* withEndMarked(
  batches: AsyncIterable<readonly Row[]>,
  rule: EndRule,
): AsyncGenerator<readonly Row[], void, undefined> {
  let held: Row[] = [];
  try {
    for await (const batch of batches) {
      const passed: Row[] = [];
      for (const row of batch) {
        if (held[0] && held[0].sheet !== row.sheet) {
          passed.push(...held.map((one) => ({ ...one, leftOut: rule.leftOut })));
          held = [];
        }
        if (rule.applies(row) && held.length <= MAX_ROWS) held.push(row);
        else if (held.length > MAX_ROWS) {
          if (passed.length > 0) yield passed;
          throw tooManyRows(rule.file, held[0]);
        } else {
          passed.push(...held, row);
          held = [];
        }
      }
      if (passed.length > 0) yield passed;
    }
  } catch (error) {
    if (held.length > 0) yield held;
    throw error;
  }
  if (held.length > 0) yield held.map((row) => ({ ...row, leftOut: rule.leftOut }));
}

function tooManyRows(file: string, first: Row | undefined): InputError {
  const reason = `source.until holds for more than ${MAX_ROWS} rows in a row from here on. Is it the right column?`;
  const place = { file, sheet: first?.sheet ?? undefined, row: first?.row };
  return new InputError('until_too_early', reason, place);
}

/**
 * Reads an input as far as its last corrected row, so that nothing is sent before every correction is known to fit.
 * @throws InputError when one does not
 */
async function verifyCorrections(
  corrections: CellCorrections,
  path: string,
  options: SourceOptions,
  { headerRow, sheet }: Pick<OpenedInput, 'headerRow' | 'sheet'>,
  uses: NumberUses,
): Promise<void> {
  const rows = (await openWithinLimits(path, options)).batches();
  for await (const batch of withNumbersIn(rows, uses)) {
    for (const row of batch) if (row.row > headerRow || row.sheet !== sheet) corrections.apply(row);
    if (corrections.isDone) return;
  }
  corrections.refuseLeft();
}

/** How a column of numbers is used. */
interface NumberUse {
  /** Whether what its cells show is of use, too. */
  readonly isShown: boolean;
  /** What stands before decimals in it; `undefined` where that is found in each cell; several styles where uses differ. */
  readonly decimal: '.' | ',' | 'several' | undefined;
}

/** By the index of a column; columns that are not there are used as what they show. */
type NumberUses = ReadonlyMap<number, NumberUse>;

/** Which columns the mapping takes as numbers: those of fields of numbers, and those that it makes numbers of. */
function numberUses(
  mapping: LoadedMapping,
  card: Installation['card'] | undefined,
  headers: readonly string[],
): NumberUses {
  const names = headers.map(headerName);
  const uses = new Map<number, NumberUse>();
  const all = columnUses(mapping).filter(({ target }) => target !== 'shown' && target !== 'filter');
  for (const column of new Set(all.map((use) => use.column))) {
    const own = all.filter((use) => use.column === column);
    const asNumber = own.filter((use) => isNumeric(use, card));
    if (asNumber.length === 0) continue;
    const isShown = asNumber.length < own.length;
    const signs = new Set(asNumber.map(({ value }) => decimalSign(value?.transform)));
    const [decimal] = [...signs].filter(Boolean);
    // As text, the number has a sign that people know.
    const isSeveral = signs.size > 1 && signs.has(',') && !isShown;
    uses.set(names.indexOf(column), { isShown, decimal: isSeveral ? 'several' : decimal });
  }
  return uses;
}

function isNumeric({ target, field, value }: ColumnUse, card: Installation['card'] | undefined) {
  if (target === 'clientRoleId' || target === 'operator id') return true;
  if (target === 'field' && field !== undefined && card?.[field]?.type === 'Number') return true;
  const steps = value?.transform === undefined ? [] : [value.transform].flat();
  return steps.some((step) => (typeof step === 'string' ? step === 'number' : 'number' in step));
}

/** What stands before decimals where the transform `number` names a style; `undefined` where each value shows it. */
function decimalSign(transform: ValueObject['transform']): '.' | ',' | undefined {
  for (const step of transform === undefined ? [] : [transform].flat()) {
    if (typeof step === 'string' || !('number' in step)) continue;
    const { decimal, thousands } = step.number ?? {};
    if (decimal !== undefined || thousands !== undefined) return styleOf(decimal, thousands);
  }
  return undefined;
}

/** The row with the numbers themselves where they are wanted, in place of what their formats show. */
function withNumbers(row: Row, uses: NumberUses): Row {
  const { numbers, ...shown } = row;
  if (!numbers) return row;
  const cells = [...row.cells];
  for (const [column, number] of numbers) {
    const use = uses.get(column);
    if (use === undefined) continue;
    const text = cells[column];
    // What is used as both stays as it is shown where that is the same number.
    const isSame = use.isShown && Number(text ?? NaN) === Number(number);
    if (isSame && use.decimal !== ',') continue;
    while (cells.length < column) cells.push(null);
    cells[column] = written(number, use.decimal);
  }
  return { ...shown, cells };
}

/** A number as its column has it, so that its point is not taken for one between thousands. */
function written(number: string, decimal: NumberUse['decimal']): string {
  if (decimal === ',') return number.replace('.', ',');
  if (decimal === 'several') return number.replace('.', SURE_DECIMAL);
  return decimal === undefined && MAY_BE_THOUSANDS.test(number) ? `${number}0` : number;
}

const MAY_BE_THOUSANDS = /^-?\d{1,3}\.\d{3}$/;

/** The rows as `withNumbers` gives them. */
async function* withNumbersIn(
  batches: AsyncIterable<readonly Row[]>,
  uses: NumberUses,
): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const rows of batches)
    yield rows.some(({ numbers }) => numbers) ? rows.map((row) => withNumbers(row, uses)) : rows;
}
