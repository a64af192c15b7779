import type { CallTime, ZoneSource } from '../core/time.js';
import type { FieldValue, MappedPayload } from '../core/client.js';
import {
  type ColumnEvidence,
  type Cell,
  ERROR_VALUE,
  type Row,
  type RowDefect,
  CORRECTED,
  headerName,
  columnLetters,
  STRAY_QUOTE,
} from '../core/table.js';
import type { Installation } from '../installation/installation.js';
import type { Problem, NumberCheck } from '../core/outcome.js';
import {
  clearBlanks,
  compilePart,
  missing,
  compileContext,
  type CompileContext,
  RowProblems,
  type MakePayload,
} from './compile/values.js';
import { compileFields, type Fields, toFilledText } from './compile/convert.js';
import { compilePayload } from './compile/payload.js';
import { compileTimeRules, type TimeRules } from './compile/times.js';
import type { NumberPlan } from '../calling/zones/zones.js';
import type { LoadedMapping } from './mapping.js';
import { isErrorWord } from '../core/errors.js';
import type { CheckSpec, Where } from './schema.js';
import { hash } from 'node:crypto';
import { jsonOf } from '../core/text.js';
import type { Path } from '../config/document.js';
import { compilePattern } from './transforms/registry.js';
import { comparedWord } from './transforms/step.js';
import { OUTCOME_COLUMN, PROBLEMS_COLUMN } from '../core/report.js';

interface CompileRequest {
  readonly mapping: LoadedMapping;
  /** Card configuration; without it the fields are not checked and their values pass as text. */
  readonly card?: Installation['card'] | undefined;
  /** Roles that exist; without them any whole number is one. */
  readonly clientRoles?: readonly number[] | undefined;
  /** Headers of the spreadsheet, in the order of its cells. */
  readonly headers: readonly string[];
  /** Name of the spreadsheet, for messages. */
  readonly file?: string | undefined;
  /** Lists of numbers that must not be called. @default none */
  readonly suppression?: NumberCheck | undefined;
  /** Whether rows keep the numbers of their phones, to be compared with the lists once more. @default false */
  readonly keepsNumbers?: boolean | undefined;
  /** Where numbers were given out. @default what their first digits say */
  readonly numberPlan?: NumberPlan | undefined;
  /** The moment that counts for rules that depend on the time, in milliseconds since 1970. @default they are off */
  readonly asOf?: number | null | undefined;
}

export type MappedRow =
  | {
      readonly status: 'client';
      readonly uuid: string;
      /** In the order of `identifierNames`. */
      readonly identifiers: readonly (string | number)[];
      /** What is sent for the row, by the mode of the mapping. */
      readonly payload: MappedPayload;
      /** What was left out of it; absent where nothing was. */
      readonly remarks?: readonly Problem[] | undefined;
      /** Its phones, where duplicates are known by them: E.164 without the plus, or as sent where they are none. */
      readonly compared?: readonly (number | string)[] | undefined;
      /** Where its time zone comes from, where the mapping finds it by the phone. */
      readonly zoneFrom?: ZoneSource | undefined;
      /** Numbers of its phones, E.164 without the plus, where they are kept. */
      readonly callable?: readonly number[] | undefined;
      /** When the client may be called, where the mapping has hours. */
      readonly callTime?: CallTime | undefined;
    }
  | {
      /** `rejected`: the row could not become a client; `skipped`: the mapping leaves it out. */
      readonly status: 'rejected' | 'skipped';
      /** `null` when it could not be made out. */
      readonly uuid: string | null;
      /** In the order of `identifierNames`, `null` where one could not be made out. */
      readonly identifiers: readonly (string | number | null)[];
      /** At least one; exactly one, such as `filtered` or `suppressed`, for a skipped row. */
      readonly problems: readonly Problem[];
      /** When the client may be called, of a row that is left out for now. */
      readonly callTime?: CallTime | undefined;
    };

export interface CompiledMapping {
  /** What a row becomes. Pure, and never throws, whatever the cells hold. */
  readonly map: (cells: readonly Cell[]) => MappedRow;
  /** Synchronization identifiers in the order of the card; empty without a card. */
  readonly identifierNames: readonly string[];
  /** What numbers and dates looked like in the rows mapped since this was last asked. */
  readonly takeEvidence: () => ColumnEvidence[];
  /** Columns that the mapping uses. */
  readonly columns: readonly string[];
  /** What a row lacks in its file: values of formulas that ended in an error, among others. */
  readonly findErrors: FindErrors;
  /** Tests of the mapping's checks, in their order; `null` where a row alone does not show what one counts. */
  readonly checks: readonly (RowTest | null)[];
}

/**
 * Fits a mapping to a spreadsheet and an installation. Everything is resolved here, once; a row then costs a few
 * microseconds.
 * @throws ConfigurationError with every mistake: columns that the file lacks, fields that the card lacks or requires,
 * constants that cannot be used.
 */
export function compileMapping(request: CompileRequest): CompiledMapping {
  const { mapping, headers, file, card } = request;
  const { sections } = mapping;
  const comparesPhones = mapping.duplicates.by.includes('phone');
  const context = compileContext(mapping, headers, file, request, comparesPhones);
  const filter = mapping.where ? compileWhere(mapping.where, ['where'], context) : null;
  const fields = compileFields(mapping, card, context);
  const parts: RowParts = {
    ...fields,
    uuid: compileUuid(mapping.uuid, fields, card !== undefined, context),
    payload: compilePayload(sections, fields, request.clientRoles, context),
    times: compileTimeRules(mapping, request.asOf, context),
  };
  const checks = compileChecks(sections.checks ?? [], context);
  for (const [at, name] of (sections.report?.show ?? []).entries())
    context.column(name, ['report', 'show', at]);
  context.finish();
  const map: CompiledMapping['map'] = (cells) => {
    if (filter === null || filter.passes(cells)) return mapCells(parts, cells);
    // A row that is left out still says who it is, as far as it can.
    const unheard = new RowProblems();
    const identifiers = identify(parts, cells, unheard);
    const uuid = parts.uuid(
      cells,
      identifiers,
      fieldsOf(parts, identifiers, cells, unheard),
      unheard,
    );
    const { column, code, message } = filter;
    const value = cells[filter.position] ?? null;
    return { status: 'skipped', uuid, identifiers, problems: [{ column, code, message, value }] };
  };
  const clear = mapping.blank && clearBlanks(mapping.blank);
  return {
    map: clear ? (cells) => map(clear(cells)) : map,
    identifierNames: parts.identifiers.map(({ name }) => name),
    takeEvidence: () => context.takeEvidence(),
    columns: [...context.used],
    findErrors: errorsInCells(mapping.document.value),
    checks,
  };
}

interface RowParts extends Fields {
  readonly uuid: RowUuid;
  readonly payload: MakePayload;
  readonly times: TimeRules | null;
}

type Identified = readonly (string | number | null)[];

function mapCells(parts: RowParts, cells: readonly Cell[]): MappedRow {
  const problems = new RowProblems();
  const values = identify(parts, cells, problems);
  const fields = fieldsOf(parts, values, cells, problems);
  const uuid = parts.uuid(cells, values, fields, problems);
  const payload = parts.payload(uuid, fields, cells, problems);
  const times = parts.times?.(cells, payload, problems);
  const leftOut = problems.suppressed ?? times?.old;
  if (leftOut) return { status: 'skipped', uuid, identifiers: values, problems: [leftOut] };
  if (problems.list.length > 0 || uuid === null || payload === null || !isWhole(values)) {
    return { status: 'rejected', uuid, identifiers: values, problems: problems.list };
  }
  const callTime = times?.when;
  if (times?.closed)
    return { status: 'skipped', uuid, identifiers: values, problems: [times.closed], callTime };
  const { remarks, zoneFrom, compared, callable } = problems;
  return {
    status: 'client',
    uuid,
    identifiers: values,
    payload,
    remarks,
    compared,
    zoneFrom,
    callable,
    callTime,
  };
}

function isWhole(values: Identified): values is readonly (string | number)[] {
  return !values.includes(null);
}

function identify(parts: RowParts, cells: readonly Cell[], problems: RowProblems): Identified {
  const values: (string | number | null)[] = [];
  for (const { part } of parts.identifiers) values.push(part(cells, problems));
  return values;
}

function fieldsOf(
  parts: RowParts,
  identifiers: Identified,
  cells: readonly Cell[],
  problems: RowProblems,
): (FieldValue | null)[] {
  const values: (FieldValue | null)[] = [...identifiers];
  for (const { part } of parts.others) values.push(part(cells, problems));
  return values;
}

/** What a row lacks in its file that the mapping cannot do without. */
type FindErrors = (row: Pick<Row, 'cells' | 'defects'>) => readonly RowDefect[];

/**
 * What rows lack in their file. The word of an error that the mapping itself names, as one that means nothing or in a map,
 * is none.
 * @param mapping as it is written
 */
function errorsInCells(mapping: unknown): FindErrors {
  const named = new Set<string>();
  collectErrorWords(mapping, named);
  return ({ cells, defects = [] }) =>
    named.size === 0
      ? defects
      : defects.filter(
          ({ code, column }) =>
            code !== ERROR_VALUE || column === null || !named.has(wordOf(cells[column] ?? '')),
        );
}

const wordOf = (text: string): string => text.trim().toUpperCase();

function collectErrorWords(value: unknown, words: Set<string>): void {
  if (typeof value === 'string') {
    if (isErrorWord(value)) words.add(wordOf(value));
  } else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      collectErrorWords(key, words);
      collectErrorWords(inner, words);
    }
}

type RowTest = (cells: readonly Cell[], mapped: MappedRow) => boolean;

const AMBIGUOUS = 'ambiguous_time_zone';
/** Remarks of values that are not wrong. */
const NOT_WRONG = new Set([
  ...['suppressed', 'not_compared', 'too_old', AMBIGUOUS, CORRECTED],
  ...['phone_extension', 'ambiguous_phone', 'phone_words', 'phone_rewritten', 'phone_elsewhere'],
]);

/** The tests of the checks in their order; `null` where a row alone does not show what one counts. */
function compileChecks(checks: readonly CheckSpec[], context: CompileContext): (RowTest | null)[] {
  return checks.map((check, at) => {
    const { invalid, empty, rejected, suppressed, timeZone } = check;
    if (invalid !== undefined) {
      context.column(invalid, ['checks', at, 'invalid']);
      const name = invalid.trim();
      return (_, mapped) =>
        notesOf(mapped).some(
          ({ column, value, code }) => column === name && value !== null && !NOT_WRONG.has(code),
        );
    }
    if (empty !== undefined) {
      const position = context.column(empty, ['checks', at, 'empty']);
      return (cells) => (cells[position]?.trim() ?? '') === '';
    }
    if (rejected) return (_, { status }) => status === 'rejected';
    if (suppressed) return (_, mapped) => notesOf(mapped).some(({ code }) => code === 'suppressed');
    if (timeZone)
      return (_, mapped) =>
        (mapped.status === 'client' && mapped.zoneFrom === 'ambiguous') ||
        notesOf(mapped).some(({ code }) => code === AMBIGUOUS);
    return null;
  });
}

/** What is said of a row. A skipped row says why in its problem. */
const notesOf = (mapped: MappedRow): readonly Problem[] =>
  mapped.status === 'client' ? (mapped.remarks ?? NONE) : mapped.problems;

const NONE: readonly Problem[] = [];

/** UUID of a row; `null` when it could not be made out. */
type RowUuid = (
  cells: readonly Cell[],
  identifiers: readonly (string | number | null)[],
  fields: readonly (FieldValue | null)[],
  problems: RowProblems,
) => string | null;

/**
 * The column that the mapping names, or a UUIDv5 of the synchronization identifiers, so that the same lead has the
 * same UUID in every file. Without a card nothing says what identifies, and all fields do.
 */
function compileUuid(
  spec: LoadedMapping['uuid'],
  { identifiers, others }: Fields,
  hasCard: boolean,
  context: CompileContext,
): RowUuid {
  if (spec !== undefined) {
    const path = ['uuid'];
    if (typeof spec === 'object' && spec.value !== undefined)
      context.mistake(path, 'a constant would give every row the same UUID.', 'Name a column.');
    const part = compilePart(spec, path, toFilledText, missing('The UUID'), context);
    return (cells, _identifiers, _fields, problems) => part(cells, problems);
  }
  if (!hasCard) {
    const json = canonicalJson(others.map(({ name }) => name));
    return (_cells, _identifiers, fields) => uuidOf(json(fields));
  }
  const json = canonicalJson(identifiers.map(({ name }) => name));
  return (_cells, values) => (values.includes(null) ? null : uuidOf(json(values)));
}

/** Namespace of cardline's UUIDs; never to be changed, since rows are recognised by them from one run to the next. */
export const NAMESPACE = '6f3b1c52-8a0e-4d57-9c41-2e5d7a90b3f8';

const NAMESPACE_BYTES = 16;
const LONGEST_CHARACTER = 3;
/** Where the bytes of a UUID stand in its text, which is made here. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const [VERSION_BYTE, VARIANT_BYTE] = [PLACES[6], PLACES[8]];
const DIGITS = Buffer.from('0123456789abcdef');
const text = Buffer.alloc(36, '-');

let buffer = withNamespace(512);
/** Its beginnings by their length, each made once. */
let beginnings: Buffer[] = [];

/** UUIDv5 (RFC 9562) of a name in cardline's namespace. */
function uuidOf(name: string): string {
  if (NAMESPACE_BYTES + name.length * LONGEST_CHARACTER > buffer.length) {
    buffer = withNamespace(NAMESPACE_BYTES + name.length * LONGEST_CHARACTER);
    beginnings = [];
  }
  const end = NAMESPACE_BYTES + buffer.write(name, NAMESPACE_BYTES, 'utf8');
  const bytes = (beginnings[end] ??= buffer.subarray(0, end));
  const digest = hash('sha1', bytes, 'binary');
  for (let index = 0; index < PLACES.length; index++) {
    const place = PLACES[index] ?? 0;
    let byte = digest.charCodeAt(index);
    if (place === VERSION_BYTE) byte = (byte & 0x0f) | 0x50;
    else if (place === VARIANT_BYTE) byte = (byte & 0x3f) | 0x80;
    text[place] = DIGITS[byte >> 4] ?? 0;
    text[place + 1] = DIGITS[byte & 0x0f] ?? 0;
  }
  // In one piece: one that is put together from slices of the digest takes several times the memory.
  return text.toString('latin1');
}

function withNamespace(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(NAMESPACE.replaceAll('-', ''), 'hex');
  return bytes;
}

/** Canonical JSON (RFC 8785) of an object with these names and scalar values, compiled for speed. */
function canonicalJson(
  names: readonly string[],
): (values: readonly (string | number | boolean | null)[]) => string {
  const order = names
    .map((name, index) => ({ name, index }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, index }, place) => ({
      before: `${place === 0 ? '' : ','}${JSON.stringify(name)}:`,
      index,
    }));
  return (values) => {
    let text = '{';
    for (const { before, index } of order) text += before + jsonOf(values[index] ?? null);
    return `${text}}`;
  };
}

type Test = (cells: readonly Cell[]) => boolean;

/** The condition of a mapping on its rows, and the problem that is reported of a row that does not pass. */
function compileWhere(where: Where, path: Path, context: CompileContext) {
  const { column } = where;
  return {
    passes: compileTest(where, path, context),
    /** Of a condition on one column alone. */
    column: column === undefined ? null : headerName(column),
    position: column === undefined ? -1 : context.column(column, [...path, 'column']),
    code: 'filtered',
    message: `Left out by the mapping: it takes rows where ${describe(where)}.`,
  };
}

function compileTest(where: Where, path: Path, context: CompileContext): Test {
  const inner = (conditions: readonly Where[], key: string): Test[] =>
    conditions.map((condition, index) => compileTest(condition, [...path, key, index], context));
  if (where.all) {
    const tests = inner(where.all, 'all');
    return (cells) => tests.every((test) => test(cells));
  }
  if (where.any) {
    const tests = inner(where.any, 'any');
    return (cells) => tests.some((test) => test(cells));
  }
  if (where.not) {
    const test = compileTest(where.not, [...path, 'not'], context);
    return (cells) => !test(cells);
  }
  const at = context.column(where.column ?? '', [...path, 'column']);
  const tests: ((text: string) => boolean)[] = [];
  const among = (words: Where['in'], wanted: boolean): void => {
    const known = new Set(words?.map(comparedWord));
    if (words) tests.push((text) => known.has(text) === wanted);
  };
  among(where.in, true);
  among(where.notIn, false);
  if (where.equals !== undefined) among([where.equals], true);
  if (where.notEquals !== undefined) among([where.notEquals], false);
  if (where.matches !== undefined) {
    const pattern = compilePattern(where.matches, [...path, 'matches'], context);
    tests.push((text) => pattern.test(text));
  }
  const { empty } = where;
  if (empty !== undefined) tests.push((text) => (text === '') === empty);
  return (cells) => {
    const text = cells[at]?.trim() ?? '';
    return tests.every((test) => test(text));
  };
}

function describe(where: Where): string {
  if (where.all) return where.all.map(describe).join(' and ');
  if (where.any) return `(${where.any.map(describe).join(' or ')})`;
  if (where.not) return `not (${describe(where.not)})`;
  const says: string[] = [];
  if (where.in) says.push(`is one of ${where.in.join(', ')}`);
  if (where.notIn) says.push(`is none of ${where.notIn.join(', ')}`);
  if (where.equals !== undefined) says.push(`is ${where.equals}`);
  if (where.notEquals !== undefined) says.push(`is not ${where.notEquals}`);
  if (where.matches !== undefined) says.push(`matches ${where.matches}`);
  if (where.empty !== undefined) says.push(where.empty ? 'is empty' : 'is not empty');
  return `"${where.column ?? ''}" ${says.join(' and ')}`;
}

/* Rows as files have them: with cells too many or too few, left out by their file, or with cells that it could not read. */

/** What is known of the columns of an input. */
export interface InputColumns {
  readonly headers: readonly string[];
  /** The names in each row of a header of two rows, which are read as one. @default the header has one row */
  readonly headerRows?: readonly (readonly string[])[];
  /** Cells that a row should have. Absent where their number means nothing. */
  readonly width: number | undefined;
  /** What stands between cells, where the file is text. */
  readonly delimiter?: string | undefined;
}

/** A row, wherever it is from. */
export type MappableRow = Omit<Row, 'sheet'>;
type RowMapping = Pick<CompiledMapping, 'map' | 'findErrors' | 'columns' | 'identifierNames'>;

/** Maps a row, unless it has so many cells more or fewer than the header that none can be trusted. */
export function mapRow(row: MappableRow, columns: InputColumns, mapping: RowMapping): MappedRow {
  const { width, headers, headerRows = [] } = columns;
  if (row.leftOut) {
    // A row that is left out still says who it is, as far as it can.
    const { uuid, identifiers } = mapping.map(row.cells);
    const { column: at, code, message } = row.leftOut;
    const column = at === null ? null : (headers[at] ?? null);
    const value = at === null ? null : (row.cells[at] ?? null);
    return { status: 'skipped', uuid, identifiers, problems: [{ column, code, message, value }] };
  }
  const cells = row.cells.length;
  if (width !== undefined && cells !== width) return mapUneven(row, width, columns, mapping);
  const mapped = mapping.map(row.cells);
  const repeats = (names: readonly string[]): boolean => repeatsHeader(row.cells, names);
  if (mapped.status !== 'skipped' && (repeats(headers) || headerRows.some(repeats)))
    return rejectRow(mapping, 'repeated_header', REPEATED);
  return rejectDefects(mapped, mapping.findErrors(row), headers, mapping.columns);
}

const REPEATED =
  'The row repeats the header, as lists do that were put one below the other. Delete it.';

/** What a file of rejects has beside the cells of its rows. */
const OWN_COLUMNS: ReadonlySet<string> = new Set([OUTCOME_COLUMN, PROBLEMS_COLUMN]);

/** Whether the cells of a row are the names of their columns: a header in the middle of a list is nobody. */
function repeatsHeader(cells: readonly Cell[], headers: readonly string[]): boolean {
  const first = cells.findIndex((cell) => cell !== null && cell !== '');
  // Of hardly any row, more than this is looked at.
  if (!isName(cells[first], headers[first])) return false;
  let names = 0;
  for (const [at, header] of headers.entries()) {
    const cell = cells[at]?.trim() ?? '';
    if (cell === '' || OWN_COLUMNS.has(header)) continue;
    // The letters of a column stand for a name that several have.
    if (header.startsWith(columnLetters(at))) {
      if (cells.filter((other) => other?.trim() === cell).length > 1) continue;
    }
    if (!isName(cell, header)) return false;
    names++;
  }
  return names > 1;
}

/** A name is never longer than the cell that it is made of. */
const isName = (cell: Cell | undefined, header = ''): boolean =>
  typeof cell === 'string' && cell.length >= header.length && headerName(cell) === header;

/** What programs leave out at the end of a row, or put there, is empty: the other cells stand in their columns. */
function mapUneven(
  row: MappableRow,
  width: number,
  { headers, delimiter }: InputColumns,
  mapping: RowMapping,
): MappedRow {
  const { cells, remarks = [] } = row;
  const isOdd = remarks.some(({ code }) => code === STRAY_QUOTE);
  const other = delimiter === undefined ? undefined : otherDelimiter(cells, width, delimiter);
  if (other !== undefined) {
    const message = `The cells of this row are divided by ${shownDelimiter(other)}, those of the table by ${shownDelimiter(delimiter ?? '')}. Put rows with one delimiter into one file.`;
    return rejectRow(mapping, 'other_delimiter', message);
  }
  const isWide =
    cells.length > width && cells.slice(width).some((cell) => cell !== null && cell.trim() !== '');
  const isAlone = cells.length === 1 && width > 2 && mapping.columns.length > 1;
  if (isOdd || isWide || isAlone) {
    const message = `The number of cells is ${cells.length}, and that of the header ${width}. Check its quotes and delimiters.`;
    return rejectRow(mapping, 'ragged', message);
  }
  const defects = mapping.findErrors(row);
  const mapped = rejectDefects(mapping.map(cells), defects, headers, mapping.columns);
  const missing = headers.slice(cells.length).filter((name) => mapping.columns.includes(name));
  if (mapped.status !== 'client' || missing.length === 0) return mapped;
  const message = `The row has ${cells.length} of ${width} cells: those that it lacks at its end are taken as empty.`;
  const remark = { column: missing.join(', '), code: 'cells_missing', message, value: null };
  return { ...mapped, remarks: [...(mapped.remarks ?? []), remark] };
}

const DELIMITERS = [';', ',', '\t', '|'];

/** What divides a row into as many cells as the header has, where the delimiter of the table does not. */
function otherDelimiter(
  cells: readonly Cell[],
  width: number,
  delimiter: string,
): string | undefined {
  if (cells.length >= width || width < 2) return undefined;
  const line = cells.map((cell) => cell ?? '').join(delimiter);
  return DELIMITERS.find((one) => {
    const others = one === delimiter ? [] : line.split(one);
    // Blanks behind it are those of sentences, in a row that merely lacks its last cells.
    const isProse = cells.length > 1 && others.some((cell) => cell.startsWith(' '));
    return others.length === width && !isProse;
  });
}

const shownDelimiter = (one: string): string => (one === '\t' ? 'a tab' : `"${one}"`);

function rejectRow(mapping: RowMapping, code: string, message: string): MappedRow {
  return {
    status: 'rejected',
    uuid: null,
    identifiers: mapping.identifierNames.map(() => null),
    problems: [{ column: null, code, message, value: null }],
  };
}

/**
 * The row as mapped, or rejected where the file lacks something that the mapping uses. Such a cell looks empty to the
 * mapping, so that even a row that a filter leaves out cannot be trusted to be left out rightly. Values without a column
 * that the mapping cannot use are a remark.
 * @param used names of the columns that the mapping uses
 */
export function rejectDefects(
  mapped: MappedRow,
  defects: readonly RowDefect[],
  headers: readonly string[],
  used: readonly string[],
): MappedRow {
  if (defects.length === 0) return mapped;
  const problems: Problem[] = [];
  const remarks: Problem[] = [];
  for (const { column, names, code, message } of defects) {
    const name = column === null ? null : (headers[column] ?? '');
    // A value stands where a column has its own: within it, such as `phone.0` for `phone`, or around it.
    const isUsed = names?.some((one) =>
      used.some((its) => its === one || its.startsWith(`${one}.`) || one.startsWith(`${its}.`)),
    );
    if (isUsed === false)
      remarks.push({ column: null, code, message: `Left out: ${message}`, value: null });
    else if (name === null || used.includes(name))
      problems.push({ column: name, code, message, value: null });
  }
  if (problems.length === 0) {
    if (mapped.status !== 'client' || remarks.length === 0) return mapped;
    return { ...mapped, remarks: [...(mapped.remarks ?? []), ...remarks] };
  }
  // The mapping calls the cell empty; what is wrong with it stands here already.
  const others = mapped.status === 'rejected' ? mapped.problems : [];
  const columns = new Set(problems.map(({ column }) => column));
  problems.push(...others.filter(({ column }) => !columns.has(column)));
  const { uuid, identifiers } = mapped;
  return { status: 'rejected', uuid, identifiers, problems };
}
