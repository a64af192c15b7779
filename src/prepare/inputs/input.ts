import { endColumn, type LoadedMapping } from '../../mapping/mapping.js';
import type { Until, ValueObject } from '../../mapping/schema.js';
import { ConfigurationError, type ConfigMistake, InputError } from '../../core/errors.js';
import {
  type Cell,
  type Source,
  type SourceInfo,
  type Row,
  type RowDefect,
  type SourceOptions,
  type Corrections,
  CORRECTED,
  headerName,
  type Passing,
} from '../../core/table.js';
import { openWithinLimits, furtherHeaders, noticesOfSheets, withoutHeaders } from './open.js';
import { CellCorrections, placedCorrections, withCorrections } from './seen.js';
import type { OpenedInput, InputFile } from '../plan.js';
import { basename } from 'node:path';
import type { Warning } from '../../core/quality.js';
import { REJECTS_NAME } from '../../core/report.js';
import type { Installation } from '../../installation/installation.js';
import { columnsOf, columnUses, type ColumnUse } from '../../mapping/column-uses.js';
import { type CompiledMapping, compileMapping } from '../../mapping/compile.js';
import { PREAMBLE_ROWS, traitsOf, refuseSheetOfText } from '../../source/source.js';
import {
  headerOf,
  type HeaderQuestion,
  lettersOf,
  LineCounter,
  noHeader,
  readHeader,
  refuseDataAbove,
  showHeader,
} from '../../source/header.js';
import type { Problem } from '../../core/outcome.js';
import { styleOf, SURE_DECIMAL } from '../../mapping/transforms/number.js';

/** An input at the end of its header: what comes next are data rows. */
export interface DataInput {
  readonly opened: OpenedInput;
  readonly mapping: CompiledMapping;
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
      ...{ options: context.options, info: source.info, header, ...head },
      ...{ isFound, columns: columnsOf(mapping) },
    };
    const further = await furtherHeaders(table);
    const opened = {
      ...{ name: input.name, info: source.info, headers: header, furtherHeaders: further },
      ...head,
    };
    const notices = context.notices ? await noticesOfSheets(table) : [];
    const uses = numberUses(mapping, compiling.card, header);
    const corrected = context.corrections && placedCorrections(context.corrections, opened);
    if (corrected && context.verify) {
      const corrections = new CellCorrections(corrected);
      await verifyCorrections(corrections, input.path, context.options, opened, uses);
    }
    const isUsed = (column: number): boolean => compiled.columns.includes(header[column] ?? '');
    const meant = (batch: readonly Row[]): readonly Row[] => {
      const near = within(batch, width);
      const whole = near.some(({ merged }) => merged)
        ? near.map((row) => withMerged(row, head.headerRow, isUsed))
        : near;
      return withNumbers(whole, uses);
    };
    const rows = (): ReturnType<DataInput['rows']> => {
      const data = dataRows(rest, ahead, meant);
      const read = further.size > 0 ? withoutHeaders(data, further) : data;
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
    const { whole, ahead } = AHEAD_BYTES[storageOf(source.info)];
    const bytes = source.info.bytes <= whole ? Infinity : ahead;
    return { source, ahead: await beginReadAhead(source, verify ? bytes : 0) };
  } catch (error) {
    if (!(error instanceof InputError) || error.place.file === name) throw error;
    const { code, reason, place } = error;
    throw new InputError(code, reason, { ...place, file: name }, { cause: error });
  }
}

/** Cells beyond the last header that are kept for the rejects; nothing else needs them. */
const FAR_CELLS = 256;

async function* dataRows(
  rest: readonly Row[],
  ahead: ReadAhead,
  meant: (batch: readonly Row[]) => readonly Row[],
): AsyncGenerator<readonly Row[], void, undefined> {
  try {
    if (rest.length > 0) yield meant(rest);
    for (let next = await ahead.next(); !next.done; next = await ahead.next())
      yield meant(next.value);
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
function withMerged(row: Row, headerRow: number, isUsed: (column: number) => boolean): Row {
  const below = (row.merged ?? []).filter(({ from, column }) => from > headerRow && isUsed(column));
  if (below.length === 0) return row;
  const cells = [...row.cells];
  for (const { column, text } of below) {
    while (cells.length < column) cells.push(null);
    cells[column] = text;
  }
  const numbers = below.flatMap(({ column, number }) =>
    number === undefined ? [] : [[column, number] as const],
  );
  const remarks = below.map(({ column }) => ({ column, code: 'merged_cell', message: MERGED }));
  return {
    ...{ ...row, cells, remarks: [...(row.remarks ?? []), ...remarks] },
    ...(numbers.length > 0 ? { numbers: [...(row.numbers ?? []), ...numbers] } : {}),
  };
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

type HeaderPlace = Pick<OpenedInput, 'info' | 'sheet' | 'hasHeader' | 'headerRow'>;

const MAX_LISTED = 10;

/** Adds to the errors for columns that are missing which row of which sheet was taken for the header. */
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

/** Rows in a row that may be left out: more are no totals, but a mistake in the mapping. */
const MAX_ROWS = 1000;

const AFTER_TABLE = 'The row stands below the table, by source.until of the mapping.';

/** Whether a row, if it stands at the end of its table, is left out. @param at position of the rule's column */
function endRule({ startsWith }: Until, at: number, file: string) {
  const textOf = ({ cells }: Row): string => (cells[at] ?? '').trim().toLowerCase();
  const start = startsWith?.trim().toLowerCase();
  const leftOut: RowDefect = { column: at, code: 'after_table', message: AFTER_TABLE };
  return {
    applies: (row: Row) =>
      start === undefined ? textOf(row) === '' : textOf(row).startsWith(start),
    without: (row: Row): Row => ({ ...row, leftOut }),
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
  rule: ReturnType<typeof endRule>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let held: Row[] = [];
  try {
    for await (const batch of batches) {
      const passed: Row[] = [];
      for (const row of batch) {
        if (held[0] && held[0].sheet !== row.sheet) {
          passed.push(...held.map(rule.without));
          held = [];
        }
        if (rule.applies(row) && held.length <= MAX_ROWS) held.push(row);
        else if (held.length > MAX_ROWS) {
          if (passed.length > 0) yield passed;
          throw new InputError(
            'until_too_early',
            `source.until holds for more than ${MAX_ROWS} rows in a row from here on. Is it the right column?`,
            { file: rule.file, sheet: held[0]?.sheet ?? undefined, row: held[0]?.row },
          );
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
  if (held.length > 0) yield held.map(rule.without);
}

/** Reads an input as far as its last corrected row: nothing is sent before every correction is known to fit. */
async function verifyCorrections(
  corrections: CellCorrections,
  path: string,
  options: SourceOptions,
  { headerRow, sheet }: Pick<OpenedInput, 'headerRow' | 'sheet'>,
  uses: NumberUses,
): Promise<void> {
  const rows = (await openWithinLimits(path, options)).batches();
  for await (const batch of rows) {
    for (const row of withNumbers(batch, uses))
      if (row.row > headerRow || row.sheet !== sheet) corrections.apply(row);
    if (corrections.isDone) return;
  }
  corrections.refuseLeft();
}

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

/** The rows with the numbers themselves where they are wanted, in place of what their formats show. */
function withNumbers(rows: readonly Row[], uses: NumberUses): readonly Row[] {
  return rows.some(({ numbers }) => numbers) ? rows.map((row) => withNumber(row, uses)) : rows;
}

function withNumber(row: Row, uses: NumberUses): Row {
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

interface TableHead extends Omit<OpenedInput, 'name' | 'info' | 'headers' | 'furtherHeaders'> {
  readonly header: string[];
  /** Data rows that were read with the header. */
  readonly rest: readonly Row[];
}

interface PlacedQuestion extends Required<Pick<HeaderQuestion, 'headerRow' | 'columns'>> {
  readonly place: { readonly file: string; readonly format: string };
}

/** What is kept of the rows above a header whose place is named. */
const PREAMBLE = { rows: PREAMBLE_ROWS, cells: 100_000, characters: 1024 * 1024 } as const;

/** Reads a table up to its header. @throws InputError when there is none, or it is no good */
async function readTableHead(ahead: ReadAhead, question: PlacedQuestion): Promise<TableHead> {
  const { namesColumns } = traitsOf(question.place.format);
  const headerRow = namesColumns ? 0 : question.headerRow;
  const lines = new LineCounter();
  const isKept = typeof headerRow === 'number' ? keptBefore(headerRow, lines) : () => true;
  // The rows up to the one that is enough, and those of its batch.
  const rows: Row[] = [];
  for (let next = await ahead.next(); !next.done; next = await ahead.next()) {
    rows.push(...next.value.filter(isKept));
    if (showHeader(rows, { headerRow })) break;
  }
  if (headerRow === 'none') return headless(rows, question);
  return headAt(rows, { ...question, headerRow }, lines);
}

/**
 * Which rows are kept until the header comes: those above a header far down would fill the memory. The rejects have empty
 * rows in place of the others, and the header where it was.
 * @param lines follows those that are not kept
 */
function keptBefore(header: number, lines: LineCounter): (row: Row) => boolean {
  let [rows, cells, characters] = [0, 0, 0];
  return (row) => {
    if (row.row >= header) return true;
    cells += row.cells.length;
    for (const cell of row.cells) characters += cell?.length ?? 0;
    const isKept =
      ++rows <= PREAMBLE.rows && cells <= PREAMBLE.cells && characters <= PREAMBLE.characters;
    if (!isKept) lines.lineOf(row);
    return isKept;
  };
}

function headAt(rows: readonly Row[], question: PlacedQuestion, lines: LineCounter): TableHead {
  const { place, headerRow, columns } = question;
  const [first] = rows;
  const ofSheet = headerRow === undefined ? rows.filter((row) => row.sheet === first?.sheet) : rows;
  let chosen = headerOf(ofSheet, { headerRow, columns });
  // The first row where nothing looks like a header: the message names what its columns lack.
  if (chosen?.rows.length === 0) chosen = headerOf(ofSheet, { headerRow: first?.row });
  const last = chosen?.rows.at(-1);
  const sheet = last?.sheet ?? rows.at(-1)?.sheet ?? null;
  const named = typeof headerRow === 'number' ? headerRow : 1;
  if (!chosen || !last) throw noHeader({ ...place, sheet, row: named });
  const at = rows.indexOf(last);
  const starts = rows.slice(0, at + 1).map((row) => lines.lineOf(row));
  const line = traitsOf(place.format).hasLines ? starts[at] : undefined;
  const headerPlace = { ...place, sheet, row: last.row, line };
  const header = readHeader(chosen.names, headerPlace, columns);
  const [upper = last] = chosen.rows;
  const own = rows.filter((row) => row.sheet === last.sheet);
  if (headerRow === undefined)
    refuseDataAbove(
      own.slice(0, own.indexOf(upper)),
      own.slice(own.indexOf(last) + 1),
      headerPlace,
    );
  const missing = Math.max(0, chosen.names.length - last.cells.length);
  return {
    header,
    hasHeader: true,
    headerRow: last.row,
    foundHeader: typeof headerRow === 'number' ? [] : chosen.rows.map(({ row }) => row),
    headerCells: [...last.cells, ...Array<Cell>(missing).fill(null)],
    preamble: rows.slice(0, at),
    sheet,
    rest: rows.slice(at + 1),
  };
}

/** Columns go by their letters; by their numbers where the mapping names these. */
function headless(rows: readonly Row[], { place, columns }: PlacedQuestion): TableHead {
  const [first] = rows;
  if (!first) throw noHeader({ ...place, sheet: null, row: 1 });
  const { storesEmptyCells } = traitsOf(place.format);
  const letters = lettersOf(rows, storesEmptyCells ? 'most' : 'longest');
  const header = letters.map((letter, index) => {
    const number = String(index + 1);
    return columns.includes(number) ? number : letter;
  });
  return {
    ...{ header, hasHeader: false, headerRow: 0, foundHeader: [] },
    ...{ headerCells: header, preamble: [], sheet: first.sheet, rest: rows },
  };
}

/**
 * A file of up to `whole` bytes is read to its end before its first row is sent, of a larger one the first `ahead` bytes:
 * so a small one that is broken is not imported in part, and nobody is kept waiting for all of a large one to be read.
 */
const AHEAD_BYTES = {
  text: { whole: 1024 * 1024, ahead: 256 * 1024 },
  packed: { whole: 512 * 1024, ahead: 128 * 1024 },
} as const;

/** Most cells and characters that are kept meanwhile: a file that packs well holds a thousand times its own bytes. */
const KEPT_CELLS = 500_000;
const KEPT_TEXT = 16 * 1024 * 1024;

/**
 * A file up to this size is verified to its end before its first row is sent. A packed one is unpacked meanwhile, by
 * other threads: damage that its checksums tell, and what it holds too much of. Text is looked at for bytes that are none.
 * Either takes about as long as reading the beginning.
 */
const VERIFIED_BYTES = { packed: 4 * 1024 * 1024, text: 16 * 1024 * 1024 } as const;

/** A source that is being read. */
interface ReadAhead {
  next(): Promise<IteratorResult<readonly Row[], void>>;
  /** Which of the rows to come need only be counted. */
  readonly passing: Passing;
  /** How much of the file had been read when the rows that were given last were there. */
  bytesRead(): number;
  close(): Promise<void>;
}

/**
 * Begins to read a source, and keeps what it reads until it is asked for, as far as it is not too much to keep.
 * @param bytes how much of the file to read at once; 0: nothing
 * @throws InputError where that much of it is broken
 */
async function beginReadAhead(source: Source, bytes: number): Promise<ReadAhead> {
  const passing: Passing = { rows: 0, text: 0, cellText: 0 };
  const batches = source.batches(passing)[Symbol.asyncIterator]();
  // With how much of the file had been read when each was there.
  const ready: { readonly rows: readonly Row[]; readonly read: number }[] = [];
  const readAhead = async (): Promise<void> => {
    let [cells, text] = [0, 0];
    while (source.bytesRead() < bytes && cells < KEPT_CELLS && text < KEPT_TEXT) {
      const next = await batches.next();
      if (next.done) break;
      ready.push({ rows: next.value, read: source.bytesRead() });
      for (const row of next.value) {
        cells += row.cells.length;
        for (const cell of row.cells) text += cell?.length ?? 0;
      }
    }
  };
  const isVerified = bytes > 0 && source.info.bytes <= VERIFIED_BYTES[storageOf(source.info)];
  const [read, whole] = await Promise.allSettled([
    readAhead(),
    isVerified ? source.verify() : undefined,
  ]);
  for (const result of [read, whole])
    if (result.status === 'rejected') {
      await batches.return?.();
      throw result.reason;
    }
  let given = 0;
  return {
    next: async () => {
      const kept = ready.shift();
      const next = kept ? { value: kept.rows } : await batches.next();
      given = kept?.read ?? source.bytesRead();
      return next;
    },
    bytesRead: () => given,
    passing,
    close: async () => {
      await batches.return?.();
    },
  };
}

function storageOf({ format, gzip }: SourceInfo): 'text' | 'packed' {
  return gzip || traitsOf(format).isPacked ? 'packed' : 'text';
}
