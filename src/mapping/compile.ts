import type { CallTime, ZoneSource } from '../core/hours.js';
import type { FieldValue, MappedPayload } from '../core/client.js';
import {
  type ColumnEvidence,
  type Cell,
  ERROR_VALUE,
  type Row,
  type RowDefect,
  CORRECTED,
  headerName,
  comparedWord,
} from '../core/table.js';
import type { Installation } from '../installation/installation.js';
import type { Problem, NumberCheck } from '../core/problem.js';
import { clearBlanks, compilePart, missing } from './compile/value-reader.js';
import {
  compileContext,
  type CompileContext,
  RowProblems,
  type MakePayload,
} from './compile/context.js';
import { compileFields, type Fields, toFilledText } from './compile/convert.js';
import { compilePayload, otherFieldsOf } from './compile/payload.js';
import { compileTimeRules, type TimeRules } from './compile/time-rules.js';
import type { NumberPlan } from '../calling/zones/zones.js';
import type { LoadedMapping } from './load.js';
import { isErrorWord } from '../core/errors.js';
import type { CheckSpec } from './schema/rules.js';
import { hash } from 'node:crypto';
import { jsonOf } from '../core/text.js';
import type { Path } from '../config/document.js';
import type { Where } from './schema/value.js';
import { compilePattern } from './transforms/registry.js';
import { InvalidValue } from './transforms/step.js';

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
  const { mapping, headers, file } = request;
  const comparesPhones = mapping.duplicates.by.includes('phone');
  const context = compileContext(mapping, headers, file, request, comparesPhones);
  const { filter, parts, checks } = compileParts(request, context);
  context.finish();
  const map: CompiledMapping['map'] = filter
    ? (cells) => (filter.passes(cells) ? mapRow(parts, cells) : skip(parts, filter, cells))
    : (cells) => mapRow(parts, cells);
  const clear = request.mapping.blank && clearBlanks(request.mapping.blank);
  return {
    map: clear ? (cells) => map(clear(cells)) : map,
    identifierNames: parts.identifiers.map(({ name }) => name),
    takeEvidence: () => context.takeEvidence(),
    columns: [...context.used],
    findErrors: errorsInCells(mapping.document.value),
    checks,
  };
}

function compileParts(request: CompileRequest, context: CompileContext) {
  const { mapping, clientRoles, card } = request;
  const { sections, borrowed } = mapping;
  const filter = mapping.where ? compileWhere(mapping.where, ['where'], context) : null;
  const others = otherFieldsOf(sections, borrowed);
  const fields = compileFields(sections.client.fields, others, mapping.mode, card, context);
  const parts = {
    ...fields,
    uuid: compileUuid(mapping.uuid, fields, card !== undefined, context),
    payload: compilePayload(sections, fields, clientRoles, context),
    times: compileTimeRules(mapping, request.asOf, context),
  };
  const checks = compileChecks(sections.checks ?? [], context);
  for (const [at, name] of (sections.report?.show ?? []).entries())
    context.column(name, ['report', 'show', at]);
  return { filter, parts, checks };
}

/** Everything that makes up what a row becomes, each part a function of the row. */
interface RowParts extends Fields {
  readonly uuid: RowUuid;
  readonly payload: MakePayload;
  readonly times: TimeRules | null;
}

type Identified = readonly (string | number | null)[];

function mapRow(parts: RowParts, cells: readonly Cell[]): MappedRow {
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
  const values: (FieldValue | null)[] = [];
  for (const value of identifiers) values.push(value);
  for (const { part } of parts.others) values.push(part(cells, problems));
  return values;
}

/** A row that is left out still says who it is, as far as it can. */
function skip(parts: RowParts, filter: Filter, cells: readonly Cell[]): MappedRow {
  const unheard = new RowProblems();
  const identifiers = identify(parts, cells, unheard);
  const fields = fieldsOf(parts, identifiers, cells, unheard);
  const { code, message } = filter.mistake;
  return {
    status: 'skipped',
    uuid: parts.uuid(cells, identifiers, fields, unheard),
    identifiers,
    problems: [{ column: filter.column, code, message, value: cells[filter.position] ?? null }],
  };
}

/** What a row lacks in its file that the mapping cannot do without; `undefined` where that is nothing. */
type FindErrors = (row: Pick<Row, 'cells' | 'defects'>) => readonly RowDefect[] | undefined;

/**
 * What rows lack in their file. The word of an error that the mapping itself names, as one that means nothing or in a map,
 * is none.
 * @param mapping as it is written
 */
function errorsInCells(mapping: unknown): FindErrors {
  const named = new Set<string>();
  collectErrorWords(mapping, named);
  return ({ cells, defects }) => {
    if (defects === undefined || named.size === 0) return defects;
    const others = defects.filter(
      ({ code, column }) =>
        code !== ERROR_VALUE || column === null || !named.has(wordOf(cells[column] ?? '')),
    );
    return others.length > 0 ? others : undefined;
  };
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

/** What became of a row, as far as checks look at it. */
type CheckedRow =
  | {
      readonly status: 'client';
      readonly remarks?: readonly Problem[] | undefined;
      readonly zoneFrom?: ZoneSource | undefined;
    }
  | { readonly status: 'rejected' | 'skipped'; readonly problems: readonly Problem[] };

/** Whether a row is as a check looks for. */
type RowTest = (cells: readonly Cell[], mapped: CheckedRow) => boolean;

const AMBIGUOUS = 'ambiguous_time_zone';
/** Remarks of values that are not wrong. */
const NOT_WRONG = new Set([
  ...[
    'suppressed',
    'not_compared',
    'phone_extension',
    'ambiguous_phone',
    'phone_words',
    'phone_rewritten',
    'phone_elsewhere',
    'too_old',
    AMBIGUOUS,
    CORRECTED,
  ],
]);

/** The tests of the checks in their order; `null` where a row alone does not show what one counts. */
function compileChecks(checks: readonly CheckSpec[], context: CompileContext): (RowTest | null)[] {
  return checks.map((check, at) => {
    const { invalid, empty, rejected, suppressed, timeZone } = check;
    if (invalid !== undefined) {
      context.column(invalid, ['checks', at, 'invalid']);
      return isInvalid(invalid.trim());
    }
    if (empty !== undefined) {
      const position = context.column(empty, ['checks', at, 'empty']);
      return (cells) => (cells[position]?.trim() ?? '') === '';
    }
    if (rejected) return (_, { status }) => status === 'rejected';
    if (suppressed) return (_, mapped) => notesOf(mapped).some(({ code }) => code === 'suppressed');
    if (timeZone) return (_, mapped) => isUnsure(mapped);
    return null;
  });
}

const isInvalid =
  (column: string): RowTest =>
  (_, mapped) =>
    notesOf(mapped).some(
      (note) => note.column === column && note.value !== null && !NOT_WRONG.has(note.code),
    );

const isUnsure: (mapped: CheckedRow) => boolean = (mapped) =>
  (mapped.status === 'client' && mapped.zoneFrom === 'ambiguous') ||
  notesOf(mapped).some(({ code }) => code === AMBIGUOUS);

/** What is said of a row. A skipped row says why in its problem. */
const notesOf = (mapped: CheckedRow): readonly Problem[] =>
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

type Scalar = string | number | boolean | null;

/** Canonical JSON (RFC 8785) of an object with these names and scalar values, compiled for speed. */
function canonicalJson(names: readonly string[]): (values: readonly Scalar[]) => string {
  const order = names
    .map((name, index) => ({ name, index }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, index }, place) => ({
      before: `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`,
      index,
    }));
  return (values) => {
    let text = order.length === 0 ? '{' : '';
    for (const { before, index } of order) text += before + jsonOf(values[index] ?? null);
    return `${text}}`;
  };
}

/** A condition on rows. */
interface Filter {
  passes(cells: readonly Cell[]): boolean;
  /** Column of a condition on one column alone. */
  readonly column: string | null;
  readonly position: number;
  /** The problem that is reported of a row that does not pass. */
  readonly mistake: InvalidValue;
}

type Test = (cells: readonly Cell[]) => boolean;

/** Compiles the `where` of a mapping. */
function compileWhere(where: Where, path: Path, context: CompileContext): Filter {
  const { column } = where;
  return {
    passes: compileTest(where, path, context),
    column: column === undefined ? null : headerName(column),
    position: column === undefined ? -1 : context.column(column, [...path, 'column']),
    mistake: new InvalidValue(
      'filtered',
      `Left out by the mapping: it takes rows where ${describe(where)}.`,
    ),
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
  return columnTest(where, path, context);
}

function columnTest(where: Where, path: Path, context: CompileContext): Test {
  const at = context.column(where.column ?? '', [...path, 'column']);
  const tests = textTests(where, path, context);
  const [only] = tests;
  if (only && tests.length === 1) return (cells) => only(cells[at]?.trim() ?? '');
  return (cells) => {
    const text = cells[at]?.trim() ?? '';
    return tests.every((test) => test(text));
  };
}

function textTests(
  where: Where,
  path: Path,
  context: CompileContext,
): ((text: string) => boolean)[] {
  const tests: ((text: string) => boolean)[] = [];
  if (where.in) {
    const words = wordsOf(where.in);
    tests.push((text) => words.has(text));
  }
  if (where.notIn) {
    const words = wordsOf(where.notIn);
    tests.push((text) => !words.has(text));
  }
  if (where.equals !== undefined) {
    const word = comparedWord(where.equals);
    tests.push((text) => text === word);
  }
  if (where.notEquals !== undefined) {
    const word = comparedWord(where.notEquals);
    tests.push((text) => text !== word);
  }
  if (where.matches !== undefined) {
    const pattern = compilePattern(where.matches, [...path, 'matches'], context);
    tests.push((text) => pattern.test(text));
  }
  if (where.empty !== undefined) {
    const { empty } = where;
    tests.push((text) => (text === '') === empty);
  }
  return tests;
}

function wordsOf(words: readonly (string | number | boolean)[]): Set<string> {
  return new Set(words.map(comparedWord));
}

/** The condition in words. */
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
