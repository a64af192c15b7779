import { headerName, type Cell } from '../../core/table.js';
import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import { mistakeAt, inDocumentOrder, type Scalar } from '../../config/document.js';
import {
  type NumberCheck,
  type Problem,
  type Listed,
  listsText,
  SUPPRESSED,
} from '../../core/outcome.js';
import type { NumberPlan } from '../../calling/zones/zones.js';
import type { LoadedMapping } from '../mapping.js';
import { suggestion } from '../../core/text.js';
import {
  type TransformContext,
  Watch,
  InvalidValue,
  type Remarks,
  inOrder,
  type Step,
  type Value,
  comparedWord,
  lowerCase,
} from '../transforms/step.js';
import type { FieldValue, MappedPayload } from '../../core/client.js';
import type { ZoneSource } from '../../core/time.js';
import type { Path } from '../../config/document.js';
import type { ValueObject, ValueSpec } from '../schema.js';
import {
  byDefault,
  columnsInTemplate,
  compileTransforms,
  fill,
  map,
  partOf,
  templatePieces,
} from '../transforms/registry.js';
import { refuseAmbiguous } from '../transforms/number.js';

/** What is at hand while a mapping is compiled: the columns of the file, and the mistakes found so far. */
export type CompileContext = ReturnType<typeof compileContext>;

interface Callable {
  /** The lists of numbers that must not be called; absent where there are none. */
  readonly suppression?: NumberCheck | undefined;
  /** Where numbers were given out; absent where nobody says. */
  readonly numberPlan?: NumberPlan | undefined;
  /** Whether the numbers of phones are kept, to be compared once more before anybody is called. */
  readonly keepsNumbers?: boolean | undefined;
}

/** @param comparesPhones whether duplicates are known by phones */
export function compileContext(
  { document, tables }: Pick<LoadedMapping, 'document' | 'tables'>,
  headers: readonly string[],
  input = 'the spreadsheet',
  { suppression, numberPlan, keepsNumbers }: Callable = {},
  comparesPhones = false,
) {
  const names = headers.map(headerName);
  const mistakes = new Map<string, ConfigMistake>();
  const watches: Watch[] = [];
  const transforms: TransformContext = {
    label: null,
    watch(column, kind) {
      const watch = new Watch(column, kind);
      watches.push(watch);
      return watch;
    },
    mistake(path, message, hint) {
      const found = mistakeAt(document, path, message, hint);
      const text = `${found.path ?? ''} ${message}`;
      if (!mistakes.has(text)) mistakes.set(text, found);
    },
    column(name, path) {
      const wanted = headerName(name);
      const at = names.indexOf(wanted);
      if (at < 0) {
        const filled = names.filter((each) => each !== '');
        const message = `${input} has no column "${wanted}".`;
        transforms.mistake(path, message, suggestion(wanted, filled));
      } else if (names.includes(wanted, at + 1)) {
        transforms.mistake(path, `${input} has two columns "${wanted}".`, 'Rename one of them.');
      }
      used.add(wanted);
      return Math.max(0, at);
    },
    table: (file) => tables.get(file),
  };
  /** Columns that the mapping uses, in the order of its mention. */
  const used = new Set<string>();
  return {
    ...{ ...transforms, suppression, numberPlan, keepsNumbers, comparesPhones, used },
    /** What was seen of columns since this was last asked. */
    takeEvidence: () => watches.map((watch) => watch.take()).filter((seen) => seen !== null),
    mistakes: (): readonly ConfigMistake[] => [...mistakes.values()],
    /** @throws ConfigurationError when there was any mistake */
    finish(): void {
      if (mistakes.size > 0) throw new ConfigurationError(inDocumentOrder([...mistakes.values()]));
    },
  };
}

/**
 * Makes of a row what its mode sends; `null` when it cannot, and then `problems` says why or there is no uuid.
 * `fields` are all custom fields of the row, identifiers first; `null` where it has no value.
 */
export type MakePayload<P extends MappedPayload = MappedPayload> = (
  uuid: string | null,
  fields: readonly (FieldValue | null)[],
  cells: readonly Cell[],
  problems: RowProblems,
) => P | null;

/** The problems of one row, and what is left out of it, as they are found. */
export class RowProblems implements Remarks {
  readonly list: Problem[] = [];
  #dropped: Problem[] | undefined;
  #remarks: Problem[] | undefined;
  #listed:
    | { readonly column: string | null; readonly value: string; readonly names: Set<string> }
    | undefined;
  #isLeftOut = false;
  #numbers: { readonly phone: string; readonly number: number }[] | undefined;

  add(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    this.list.push({ column, code, message, value });
  }

  remark(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    (this.#remarks ??= []).push({ column, code, message, value });
  }

  /** Leaves out a phone that is on lists of numbers that must not be called; the row, where one of these wants it. */
  suppress(column: string | null, value: string, { names, scope }: Listed): void {
    const found = (this.#listed ??= { column, value, names: new Set() });
    for (const name of names) found.names.add(name);
    if (scope === 'row') this.leaveRowOut();
    const message = `Left out: the phone is on ${listsText(names)}.`;
    (this.#remarks ??= []).push({ column, code: SUPPRESSED, message, value, lists: names });
  }

  /** A phone that was compared with the lists and is on none; 0 where its number could not be made out. */
  keepNumber(phone: string, number: number): void {
    (this.#numbers ??= []).push({ phone, number });
  }

  /** The number of a phone that was compared; `undefined` where it was not. */
  numberOf(phone: string): number | undefined {
    return this.#numbers?.find((kept) => kept.phone === phone)?.number;
  }

  /** Whether a phone was on a list. */
  get hasSuppressed(): boolean {
    return this.#listed !== undefined;
  }

  /** The row is not sent, since nothing can be done with what is left of it. */
  leaveRowOut(): void {
    this.#isLeftOut = true;
  }

  /** Why the row is left out; `undefined` where it is not. */
  get suppressed(): Problem | undefined {
    if (!this.#isLeftOut || this.#listed === undefined) return undefined;
    const { column, value, names } = this.#listed;
    const lists = [...names];
    const message = `The row has a phone that must not be called: it is on ${listsText(lists)}.`;
    return { column, code: SUPPRESSED, message, value, lists };
  }

  /** Its phones as duplicates are known by them; `undefined` where the mapping does not compare phones. */
  compared: (number | string)[] | undefined;

  /** Where the time zone of the client comes from, where the mapping finds it by the phone. */
  zoneFrom: ZoneSource | undefined;

  /** The zones that the client can be in, where its phone does not say which. */
  possibleZones: readonly string[] | undefined;

  /** The numbers that may be called with what is sent, where there are lists to compare them with. */
  callable: readonly number[] | undefined;

  /** How many values have been left out so far. */
  get dropped(): number {
    return this.#dropped?.length ?? 0;
  }

  /** Leaves out a value that is wrong, in place of rejecting the row. */
  drop(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    (this.#dropped ??= []).push({ column, code, message, value });
  }

  /** Makes of the problems from place `from` on what is left out, and forgets the phones behind the first `compared`. */
  dropFrom(from: number, compared: number): void {
    (this.#dropped ??= []).push(...this.list.splice(from));
    if (this.compared) this.compared.length = compared;
  }

  /** Notes that something is missing. What was left out from place `from` on is a problem again: without it, it is not there. */
  lack(column: string | null, what: InvalidValue, from: number): void {
    this.list.push(...(this.#dropped?.splice(from) ?? []));
    this.add(column, what, null);
  }

  /** What a report says of the row when it is sent; `undefined` where nothing was left out. */
  get remarks(): readonly Problem[] | undefined {
    if (this.#dropped === undefined) return this.#remarks;
    const dropped = this.#dropped.map((problem) => ({
      ...problem,
      message: `Left out: ${problem.message}`,
    }));
    return this.#remarks ? [...dropped, ...this.#remarks] : dropped;
  }
}

/** One value of the client, from a row. `null` when there is none, or when it was bad: then `problems` says so. */
export type Part<T> = (cells: readonly Cell[], problems: RowProblems) => T | null;

/** Text to a value of the card, or why not; `cell` is what the text was taken from, where it is known. */
export type Convert<T> = (text: string, cell?: string | null) => T | InvalidValue;

/**
 * Reads a value and converts it. `required` is the problem of a row without the value; `null` when it may be missing.
 * @param isNumber whether it becomes a number
 */
export function compilePart<T>(
  spec: ValueSpec,
  path: Path,
  convert: Convert<T>,
  required: InvalidValue | null,
  context: CompileContext,
  isNumber = false,
): Part<T> {
  return partOfReader(compileValue(spec, path, context, { isNumber }), convert, required, context);
}

/**
 * The same of a value that is read already. Fixed texts of the mapping are converted now, so that a wrong one is a mistake
 * of the mapping and not of every row.
 */
export function partOfReader<T>(
  reader: ValueReader,
  convert: Convert<T>,
  required: InvalidValue | null,
  context: CompileContext,
): Part<T> {
  checkFixed(reader, convert, context);
  const { label, drops, constant } = reader;
  if (drops && required !== null) {
    context.mistake(
      [...reader.path, 'invalid'],
      'this value is required and cannot be left out.',
      'Remove "invalid: drop".',
    );
  }
  const same = constant === undefined ? null : convert(constant);
  if (same !== null && !(same instanceof InvalidValue)) return () => same;
  const refuse = (problems: RowProblems, why: InvalidValue, raw: string | null): void => {
    if (drops) problems.drop(label, why, raw);
    else problems.add(label, why, raw);
  };
  return (cells, problems) => {
    const value = reader.read(cells, problems);
    if (typeof value === 'string') {
      const converted = convert(value);
      if (!(converted instanceof InvalidValue)) return converted;
      refuse(problems, converted, reader.raw(cells));
    } else if (value !== null) {
      refuse(problems, value, reader.raw(cells));
    } else if (required !== null) {
      problems.add(label, required, null);
    }
    return null;
  };
}

/** Notes a mistake for every fixed text that cannot be used. */
export function checkFixed<T>(
  reader: ValueReader,
  convert: Convert<T>,
  context: CompileContext,
): void {
  for (const { text, path } of reader.fixed) {
    const converted = convert(text);
    if (converted instanceof InvalidValue) context.mistake(path, `"${text}": ${converted.message}`);
  }
}

/** The problem of a row that lacks something. */
export function missing(what: string): InvalidValue {
  return new InvalidValue('required', `${what} is required. Fill in the cell.`);
}

type Cells = readonly Cell[];

/** A value of the mapping, resolved to positions in the row. */
export type ValueReader = ReturnType<typeof compileValue>;

/**
 * Resolves a value of the mapping.
 * @param use.several whether `split` may stand without `part`
 * @param use.isNumber whether it becomes a number: a cell that means two numbers is refused, unless the mapping names the
 * style
 */
export function compileValue(
  written: ValueSpec,
  path: Path,
  context: CompileContext,
  { several = false, isNumber = false } = {},
) {
  const isName = typeof written === 'string';
  const spec: ValueObject = isName ? { column: written } : written;
  const source = valueSource(spec, path, context, isName ? path : [...path, 'column']);
  const { label, positions } = source;
  // Words that count as empty in these columns are taken out before anything else is done.
  const clear = spec.blank === undefined ? null : clearBlanks(spec.blank, positions);
  const raw: Raw = clear ? (cells) => source.raw(clear(cells)) : source.raw;
  const steps = stepsOf(spec, path, { ...context, label }, isNumber);
  const { split, part } = spec;
  if (split !== undefined && part === undefined && !several) {
    context.mistake([...path, 'split'], 'a split gives several values here.', 'Add "part".');
  }
  const chosen: Raw =
    split === undefined
      ? raw
      : (cells) => {
          const text = raw(cells);
          return text === null ? null : orNull(partOf(text, split, part ?? 1) ?? '');
        };
  const read: (cells: Cells, remarks: Remarks) => Value = steps
    ? (cells, remarks) => steps(chosen(cells), cells, remarks)
    : chosen;
  return {
    /** Header of the column, or of several with commas; `null` for a constant. */
    label,
    path,
    /** The cell as it stands, for problems; `null` when it is empty. */
    raw,
    read,
    /** Set when one cell holds several values: those that are there. */
    readAll: split !== undefined && part === undefined ? allOf(raw, split, steps) : undefined,
    required: spec.required ?? false,
    /** Whether a value that is wrong is left out, in place of rejecting the row. */
    drops: spec.invalid === 'drop',
    /** The text of a constant that nothing is done with. */
    constant:
      steps || split !== undefined || spec.value === undefined ? undefined : String(spec.value),
    /** Fixed texts that may come out: constant, default, results of the map. To be checked before the first row. */
    fixed: fixedOf(spec, path),
  };
}

function allOf(
  raw: Raw,
  separator: string,
  steps: Step | null,
): (cells: Cells, remarks: Remarks) => Value[] {
  return (cells, remarks) => {
    const text = raw(cells);
    const values: Value[] = [];
    let isEmpty = true;
    const add = (part: string | null): void => {
      const value = steps ? steps(part, cells, remarks) : part;
      if (value !== null) values.push(value);
    };
    for (const part of text?.split(separator) ?? []) {
      const trimmed = part.trim();
      if (trimmed === '') continue;
      isEmpty = false;
      add(trimmed);
    }
    // A default may take the place of what is not there.
    if (isEmpty) add(null);
    return values;
  };
}

function stepsOf(
  spec: ValueObject,
  path: Path,
  context: CompileContext,
  isNumber: boolean,
): Step | null {
  const steps: Step[] = [];
  const transform = compileTransforms(spec.transform, [...path, 'transform'], context);
  if (transform) steps.push(transform);
  if (isNumber && isWrittenInFile(spec)) steps.push(refuseAmbiguous(context));
  if (spec.map !== undefined) steps.push(map.compile(spec.map, [...path, 'map'], context, {}));
  if (spec.default !== undefined) {
    steps.push(byDefault.compile(spec.default, [...path, 'default'], context, {}));
  }
  return inOrder(steps);
}

/** Transforms after which a number is written as the mapping has it, and not as the file does. */
const REWRITING = ['number', 'map', 'lookup', 'default'] as const;

function isWrittenInFile({ value, transform = [] }: ValueObject): boolean {
  const steps = Array.isArray(transform) ? transform : [transform];
  const rewrites = steps.some((step) =>
    REWRITING.some((name) => (typeof step === 'string' ? step === name : step[name] !== undefined)),
  );
  return value === undefined && !rewrites;
}

function fixedOf(spec: ValueObject, path: Path): { text: string; path: Path }[] {
  const fixed: { text: string; path: Path }[] = [];
  const add = (constant: Scalar | undefined, ...at: string[]): void => {
    if (constant !== undefined && constant !== '')
      fixed.push({ text: String(constant), path: [...path, ...at] });
  };
  if (spec.transform === undefined && spec.map === undefined) add(spec.value, 'value');
  add(spec.default, 'default');
  for (const [key, result] of Object.entries(spec.map ?? {})) add(result, 'map', key);
  return fixed;
}

type Raw = (cells: Cells) => string | null;

function filledText(cell: Cell | undefined): string | null {
  if (cell === undefined || cell === null || cell === '') return null;
  // Most cells begin with a letter or digit, and are not looked at any further.
  const first = cell.charCodeAt(0);
  return first > SPACE && first < FIRST_WIDE && first !== NO_BREAK_SPACE ? cell : orNull(cell);
}

const [SPACE, NO_BREAK_SPACE] = [0x20, 0xa0];
/** The first of the wide spaces; Latin, Greek and Cyrillic letters are before it. */
const FIRST_WIDE = 0x1680;

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

/**
 * Where a value comes from: a label, the text, and the positions of the cells that it is made of.
 * @param columnPath where its only column stands
 */
function valueSource(
  { column, columns, template, value, join = ' ' }: ValueObject,
  path: Path,
  context: CompileContext,
  columnPath: Path,
): { label: string | null; raw: Raw; positions: number[] } {
  if (template !== undefined) {
    const pieces = templatePieces(template, [...path, 'template'], context, false);
    const positions = pieces.filter((piece) => typeof piece === 'number');
    // A template without any value in it is no value; what stands around the cells does not count.
    const raw: Raw = (cells) =>
      positions.length === 0 || positions.some((at) => filledText(cells[at]) !== null)
        ? orNull(fill(pieces, cells, ''))
        : null;
    return { label: columnsInTemplate(template).map(headerName).join(', '), raw, positions };
  }
  if (column === undefined && columns === undefined) {
    const constant = String(value);
    return { label: null, raw: () => constant, positions: [] };
  }
  const names = columns ?? [column ?? ''];
  const positions = names.map((name, index) =>
    context.column(name, columns ? [...path, 'columns', index] : columnPath),
  );
  const [first = 0] = positions;
  const raw: Raw = columns ? joined(positions, join) : (cells) => filledText(cells[first]);
  return { label: names.map(headerName).join(', '), raw, positions };
}

function joined(positions: readonly number[], separator: string): Raw {
  return (cells) => {
    let text: string | null = null;
    for (const at of positions) {
      const cell = filledText(cells[at]);
      if (cell !== null) text = text === null ? cell : text + separator + cell;
    }
    return text;
  };
}

/**
 * Makes cells empty that hold one of these words, in any case of letters; a row without any stays the same one.
 * @param positions the cells that are looked at; without it, all
 */
export function clearBlanks(
  words: readonly Scalar[],
  positions?: readonly number[],
): (cells: Cells) => Cells {
  const blank = new Set(words.map((word) => lowerCase(comparedWord(word))));
  const longest = Math.max(...[...blank].map((word) => word.length));
  const isBlank = (cell: Cell | undefined): boolean => {
    if (cell === null || cell === undefined) return false;
    const text = cell.trim();
    return text.length <= longest && blank.has(lowerCase(text));
  };
  return (cells) => {
    let cleared: Cell[] | undefined;
    for (const at of positions ?? cells.keys())
      if (isBlank(cells[at])) (cleared ??= [...cells])[at] = null;
    return cleared ?? cells;
  };
}
