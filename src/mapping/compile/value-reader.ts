import { type Cell, headerName, comparedWord, lowerCase } from '../../core/table.js';
import { InvalidValue, inOrder, type Remarks, type Step, type Value } from '../transforms/step.js';
import type { CompileContext, RowProblems } from './context.js';
import type { Path } from '../../config/document.js';
import type { Scalar } from '../../config/scalar.js';
import type { ValueObject, ValueSpec } from '../schema/value.js';
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
export interface ValueReader {
  /** Header of the column, or of several with commas; `null` for a constant. */
  readonly label: string | null;
  readonly path: Path;
  /** The cell as it stands, for problems; `null` when it is empty. */
  raw(cells: Cells): string | null;
  read(cells: Cells, remarks: Remarks): Value;
  /** Set when one cell holds several values: those that are there. */
  readonly readAll?: ((cells: Cells, remarks: Remarks) => Value[]) | undefined;
  readonly required: boolean;
  /** Whether a value that is wrong is left out, in place of rejecting the row. */
  readonly drops: boolean;
  /** The text of a constant that nothing is done with. */
  readonly constant?: string | undefined;
  /** Fixed texts that may come out: constant, default, results of the map. To be checked before the first row. */
  readonly fixed: readonly { readonly text: string; readonly path: Path }[];
}

/**
 * Resolves a value of the mapping.
 * @param use.several whether `split` may stand without `part`
 * @param use.isNumber whether it becomes a number: a cell that means two numbers is refused, unless the mapping names the
 * style
 */
export function compileValue(
  spec: ValueSpec,
  path: Path,
  context: CompileContext,
  { several = false, isNumber = false } = {},
): ValueReader {
  if (typeof spec === 'string') return columnReader(spec, path, context, isNumber);
  const { label, raw } = valueSource(spec, path, context);
  const steps = stepsOf(spec, path, { ...context, label }, isNumber);
  const { split, part } = spec;
  if (split !== undefined && part === undefined && !several) {
    context.mistake([...path, 'split'], 'a split gives several values here.', 'Add "part".');
  }
  const chosen = split === undefined ? raw : partsOf(raw, split, part ?? 1);
  return {
    label,
    path,
    raw,
    read: steps ? (cells, remarks) => steps(chosen(cells), cells, remarks) : chosen,
    readAll: split !== undefined && part === undefined ? allOf(raw, split, steps) : undefined,
    required: spec.required ?? false,
    drops: spec.invalid === 'drop',
    constant:
      steps || split !== undefined || spec.value === undefined ? undefined : String(spec.value),
    fixed: fixedOf(spec, path),
  };
}

function columnReader(
  name: string,
  path: Path,
  context: CompileContext,
  isNumber: boolean,
): ValueReader {
  const raw = cellReader(context.column(name, path));
  const label = headerName(name);
  const refuse = isNumber ? refuseAmbiguous({ ...context, label }) : null;
  const read: ValueReader['read'] = refuse
    ? (cells, remarks) => refuse(raw(cells), cells, remarks)
    : raw;
  return { label, path, raw, read, required: false, drops: false, fixed: [] };
}

function partsOf(raw: Raw, separator: string, part: number): Raw {
  return (cells) => {
    const text = raw(cells);
    return text === null ? null : orNull(partOf(text, separator, part) ?? '');
  };
}

const NO_PARTS: readonly string[] = [];

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
    for (const part of text === null ? NO_PARTS : text.split(separator)) {
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

/** The cells that a value is made of as one text; `null` when there is none. */
type Raw = (cells: Cells) => string | null;

/** The cell at a position; blank is nothing. */
function cellReader(at: number): Raw {
  return (cells) => filledText(cells[at]);
}

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

/** Where a value comes from: a label, the text, and the positions of the cells that it is made of. */
interface ValueSource {
  readonly label: string | null;
  readonly raw: Raw;
  readonly positions: readonly number[];
}

/** Words that count as empty in these columns are taken out before anything else is done. */
function valueSource(spec: ValueObject, path: Path, context: CompileContext): ValueSource {
  const source = sourceOf(spec, path, context);
  if (spec.blank === undefined) return source;
  const clear = clearBlanks(spec.blank, source.positions);
  return { ...source, raw: (cells) => source.raw(clear(cells)) };
}

function sourceOf(spec: ValueObject, path: Path, context: CompileContext): ValueSource {
  if (spec.column !== undefined) {
    const at = context.column(spec.column, [...path, 'column']);
    return { label: headerName(spec.column), raw: cellReader(at), positions: [at] };
  }
  if (spec.columns !== undefined) {
    const positions = spec.columns.map((name, index) =>
      context.column(name, [...path, 'columns', index]),
    );
    const label = spec.columns.map(headerName).join(', ');
    return { label, raw: joined(positions, spec.join ?? ' '), positions };
  }
  if (spec.template !== undefined) return templateSource(spec.template, path, context);
  const constant = String(spec.value);
  return { label: null, raw: () => constant, positions: [] };
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

/** A template without any value in it is no value; what stands around the cells does not count. */
function templateSource(template: string, path: Path, context: CompileContext): ValueSource {
  const pieces = templatePieces(template, [...path, 'template'], context, false);
  const positions = pieces.filter((piece) => typeof piece === 'number');
  const raw: Raw = (cells) =>
    positions.length === 0 || positions.some((at) => filledText(cells[at]) !== null)
      ? orNull(fill(pieces, cells, ''))
      : null;
  return { label: columnsInTemplate(template).map(headerName).join(', '), raw, positions };
}

/** The row with some cells empty; the same row where none of them is to be. */
type Clear = (cells: Cells) => Cells;

/**
 * Makes cells empty that hold one of these words, in any case of letters. `positions`: the cells that are looked at;
 * without it, all.
 */
export function clearBlanks(words: readonly Scalar[], positions?: readonly number[]): Clear {
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
