import type { z } from 'zod';
import type { Path } from '../../config/document.js';
import { type ColumnEvidence, type Cell, isSuspicious, seenText } from '../../core/table.js';

/** What a transform may ask for while it is compiled. */
export interface TransformContext {
  /** Header of the column that the value comes from, or of several with commas; `null` for a constant. */
  readonly label: string | null;
  /** Where it is counted what the values of a column look like. */
  watch(column: string | null, kind: ColumnEvidence['kind']): Watch;
  /** Notes a mistake of the mapping; compiling goes on, so that all are found. */
  mistake(path: Path, message: string, suggestion?: string): void;
  /** Position of a column in the rows; notes a mistake when the file lacks it. */
  column(name: string, path: Path): number;
  /** A lookup table by the file name in the mapping. */
  table(file: string): Table | undefined;
}

/** Makes a step of the options as written, where they stand, and what stands beside them. */
export type Compile<Options> = (
  options: Options,
  path: Path,
  context: TransformContext,
  beside: { readonly part?: number | undefined },
) => Step;

/** A transform: what stands behind its name in `{ name: options }`, and what is made of it. */
export interface Transform<Schema extends z.ZodType> {
  readonly options: Schema;
  readonly compile: Compile<z.output<Schema>>;
}

/** A transform that may also be written as its bare name. */
export interface BareTransform<Schema extends z.ZodType> extends Transform<Schema> {
  /** What the bare name stands for; asked for where one stands, since a first look at a schema takes long. */
  readonly bare: () => z.output<Schema>;
}

/** Declares a transform that needs options. */
export function transform<Schema extends z.ZodType>(
  options: Schema,
  compile: Compile<z.output<Schema>>,
): Transform<Schema> {
  return { options, compile };
}

/** Declares a transform that needs no options: `bare` are those that its name alone stands for. */
export function bareTransform<Schema extends z.ZodType>(
  options: Schema,
  bare: () => z.output<Schema>,
  compile: Compile<z.output<Schema>>,
): BareTransform<Schema> {
  return { options, bare, compile };
}

/** Counts what the values of a column look like, as rows are mapped. It changes nothing about any row. */
export class Watch {
  #values = 0;
  readonly #looks = new Map<string, number>();

  constructor(
    private readonly column: string | null,
    private readonly kind: ColumnEvidence['kind'],
  ) {}

  /** A value went by. */
  see(): void {
    this.#values++;
  }

  /** It looks like this. */
  look(like: string): void {
    this.#looks.set(like, (this.#looks.get(like) ?? 0) + 1);
  }

  /** What was seen so far, which is then forgotten; `null` when nothing was. */
  take(): ColumnEvidence | null {
    if (this.#values === 0) return null;
    const { column, kind } = this;
    const taken = { column, kind, values: this.#values, looks: Object.fromEntries(this.#looks) };
    this.#values = 0;
    this.#looks.clear();
    return taken;
  }
}

/** Why a value could not be used; without the value. One object for every row, made when the mapping is compiled. */
export class InvalidValue {
  constructor(
    readonly code: string,
    readonly message: string,
    /** Whether a default may take the place of the value: it is unknown, not wrong. */
    readonly unmapped = false,
  ) {}
}

/** A value on its way from the cell to the card; `null` when there is none. */
export type Value = string | null | InvalidValue;

/** Takes what is left out of a value that is kept, such as the extension of a phone. */
export interface Remarks {
  remark(column: string | null, what: InvalidValue, value: string | null): void;
}

/** One step of that way. It sees the whole row, since a template may name other columns. */
export type Step = (value: Value, cells: readonly Cell[], remarks: Remarks) => Value;

/** A step that changes text and lets everything else pass. An empty result means that there is no value. */
export function onText(
  change: (text: string, cells: readonly Cell[], remarks: Remarks) => Value,
): Step {
  return (value, cells, remarks) => {
    if (typeof value !== 'string') return value;
    const changed = change(value, cells, remarks);
    return changed === '' ? null : changed;
  };
}

/** Several steps as one. */
export function inOrder(steps: readonly Step[]): Step | null {
  const [first, second] = steps;
  if (first === undefined) return null;
  if (second === undefined) return first;
  if (steps.length === 2)
    return (value, cells, remarks) => second(first(value, cells, remarks), cells, remarks);
  return (value, cells, remarks) => {
    for (const step of steps) value = step(value, cells, remarks);
    return value;
  };
}

/** What spreadsheet programs write of a long number, of which they keep the first digits alone: `4.91512E+11`. */
const EXPONENT = /^\s*[+-]?\d(?:[.,]\d+[eE][+-]?|[eE][+-])\d+\s*$/;

/** Whether a text is a number with an exponent. */
export const hasExponent = (text: string): boolean =>
  (text.includes('E') || text.includes('e')) && EXPONENT.test(text);

export const LOST_DIGITS = new InvalidValue(
  'digits_lost',
  'A program has written this number with an exponent, such as 4.91512E+11, and has lost digits of it. Write all digits as text.',
);

/** Digits of other scripts, the signs of Arabic between them, and full-width signs. */
const FOREIGN = /[^\P{Nd}0-9]|[\u066b\u066c\uff01-\uff0f\uff1a\uff20]/gu;

/** The text with the digits 0 to 9 in place of those of other scripts: `٢٠٢٦` is 2026. */
export function asciiDigits(text: string): string {
  return text.replace(FOREIGN, (sign) => {
    if (sign === '\u066b') return '.';
    if (sign === '\u066c') return "'";
    const code = sign.codePointAt(0) ?? 0;
    if (code >= 0xff01 && code <= 0xff20 && (code < 0xff10 || code > 0xff19))
      return String.fromCharCode(code - 0xfee0);
    return String(digitOf(code));
  });
}

/** Mathematical digits stand five times in a row. */
const MATHEMATICAL = 0x1d7ce;

/** Digits of a script stand in order, from a zero before which there is none. */
export function digitOf(code: number): number {
  if (code >= MATHEMATICAL && code < MATHEMATICAL + 50) return (code - MATHEMATICAL) % 10;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}

/** Rows of a lookup table, header first. */
export type Rows = readonly (readonly string[])[];

/** A column that is looked up, and the one that takes its place. */
export interface LookupColumns {
  readonly key: string;
  readonly value: string;
}

/** What a table says of keys; a `Map` is one. */
export interface LookupEntries {
  get(key: string): string | undefined;
}

/** A table that is too large to be held: it is asked for one key after the other. */
export interface LargeTable {
  /** SHA-256 of the file, as hexadecimal text. */
  readonly digest: string;
  /** What it says, or the row that says something else of a key than one further up. */
  entries(columns: LookupColumns): LookupEntries | { readonly conflict: number };
}

export type Table = Rows | LargeTable;

export const isLarge = (table: Table): table is LargeTable => !Array.isArray(table);

/** Reads a lookup table. `columns`: what the mapping looks up in it. */
export type ReadTable = (file: string, columns: readonly LookupColumns[]) => Promise<Table>;

/** Small letters; those of İ, as Turkish begins Istanbul, have no dot above the dot. */
export function lowerCase(text: string): string {
  const small = text.toLowerCase();
  return small.includes('\u0307') ? small.replaceAll('i\u0307', 'i') : small;
}

/** Capital letters, in NFC. */
export const upperCase = (text: string): string => {
  const capitals = text.toUpperCase();
  return isSuspicious(capitals) ? seenText(capitals) : capitals;
};

/** A word of a mapping, a list or a table as cells are compared with it. */
export const comparedWord = (word: unknown): string => seenText(String(word)).trim();
