import { UsageError } from '../core/errors.js';
import { MODES, type Mode } from '../core/mode.js';
import type { RowRange } from '../core/table.js';
import { parseTimeOfDay } from '../core/hours.js';
import type { FailureLimit } from '../delivery/import.js';

type Read<T> = (value: unknown, option: RunOption) => T;

function amount(text: string, flag: string): number {
  if (AMOUNT.test(text)) return Number(text);
  throw new UsageError(`--${flag} is an amount such as 2.50.`);
}

const AMOUNT = /^\d+(?:\.\d+)?$/;

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const READERS: { readonly [K in OptionKind]: Read<OptionValues[K]> } = {
  text: (value, { flag }) => textOf(value, flag),
  flag: (value, { flag }) => {
    if (typeof value === 'boolean') return value;
    throw new UsageError(`--${flag} takes true or false, but got "${String(value)}".`);
  },
  count: (value, { flag, min = 0, max }) => wholeNumber(flag, min, max)(value),
  'count or auto': (value, { flag, min = 0, max }) => wholeNumberOrAuto(value, flag, min, max),
  duration: (value, { flag }) => duration(flag)(value),
  'time of day': (value, { flag }) => timeOfDay(value, flag),
  amount: (value, { flag }) => amount(String(value), flag),
  failures: failureLimit,
  mode: (value, { flag }) => {
    const mode = MODES.find((name) => name === value);
    if (mode) return mode;
    throw new UsageError(`--${flag} takes one of: ${MODES.join(', ')}.`);
  },
  names: (value, { flag }) =>
    (Array.isArray(value) ? value : textOf(value, flag).split(',')).map((name) =>
      textOf(name, flag).trim(),
    ),
  'row range': (value, { flag }) => rowRange(value, flag),
  sheet: (value, { flag }) => (typeof value === 'number' ? value : textOf(value, flag)),
};

/**
 * Reads the value of an option as a file of settings has it, by the option's kind.
 * @throws UsageError, which begins with the option's flag
 */
export const readOption = (value: unknown, option: RunOption): OptionValues[OptionKind] =>
  READERS[option.kind](value, option);

function textOf(value: unknown, flag: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (typeof value === 'number') return String(value);
  throw new UsageError(`--${flag} takes text.`);
}

/** Rows such as `100-200`, or `7` alone. */
function rowRange(value: unknown, flag: string): RowRange {
  const text = String(Array.isArray(value) ? value.at(-1) : value);
  const [, one, other] = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(text) ?? [];
  const first = Number(one);
  const last = Number(other ?? one);
  if (first >= 1 && first <= last && Number.isSafeInteger(last)) return { first, last };
  throw new UsageError(
    `--${flag} takes the numbers of the first and the last row, such as 100-200, but got "${text}".`,
  );
}

/** A time such as `06:00 Europe/Moscow`, which stays as it is written. */
function timeOfDay(value: unknown, flag: string): string {
  const text = String(value);
  const read = parseTimeOfDay(text);
  if ('mistake' in read) throw new UsageError(`--${flag}: ${read.mistake}`);
  return text;
}

function wholeNumberOrAuto(
  value: unknown,
  flag: string,
  min: number,
  max?: number,
): number | 'auto' {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  return last === 'auto' ? 'auto' : wholeNumber(flag, min, max, ', or auto')(last);
}

/** Makes a reader of whole numbers for the option `name`; anything else is a usage error. */
export function wholeNumber(name: string, min: number, max = Number.MAX_SAFE_INTEGER, or = '') {
  return (value: unknown): number => {
    const text = String(Array.isArray(value) ? value.at(-1) : value);
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`--${name} takes a whole number ${range}${or}, but got "${text}".`);
  };
}

/** How many rows may end badly: `20` rows, or `5%` of all rows of the input. */
function failureLimit(value: unknown): { count: number } | { percent: number } {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(String(value)) ?? [];
  const number = Number(digits);
  if (percent === '%' && number <= 100) return { percent: number };
  if (percent === '' && Number.isInteger(number)) return { count: number };
  throw new UsageError(
    `--max-failures takes a number of rows, or a percentage such as 5%, but got "${String(value)}".`,
  );
}

/** Makes a reader of times such as `90s`, `15m`, `2h`, `30d`, in milliseconds, for the option `name`. */
export function duration(name: string) {
  return (value: unknown): number => {
    const found = durationIn(String(value));
    if (found !== undefined) return found;
    throw new UsageError(
      `--${name} takes a time such as 90s, 15m, 2h or 30d, but got "${String(value)}".`,
    );
  };
}

/** The milliseconds of such a time; `undefined` where it is none. */
export function durationIn(text: string): number | undefined {
  const [, number, unit] = /^(\d+)\s*(s|m|min|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit === 'min' ? 'm' : (unit ?? '')];
  return factor === undefined ? undefined : Number(number) * factor;
}

/** The commands that take options of these tables. `resume` has those that every run has. */
export type Use = 'import' | 'reconcile' | 'undo' | 'check' | 'resume' | 'rows' | 'suggest';

/** What an option holds, by its kind. */
export interface OptionValues {
  readonly text: string;
  readonly flag: boolean;
  readonly count: number;
  /** As it is written, such as `06:00 Europe/Moscow`. */
  readonly 'time of day': string;
  /** With decimals, 0 or more. */
  readonly amount: number;
  readonly 'count or auto': number | 'auto';
  /** In milliseconds. */
  readonly duration: number;
  readonly failures: FailureLimit;
  readonly mode: Mode;
  readonly names: readonly string[];
  /** The first and the last of the rows. */
  readonly 'row range': RowRange;
  /** A sheet by its name or number. */
  readonly sheet: string | number;
}

export type OptionKind = keyof OptionValues;

export interface RunOption {
  readonly kind: OptionKind;
  /** Its name on the command line, without the dashes. */
  readonly flag: string;
  readonly alias?: string;
  /** For counts. */
  readonly min?: number;
  readonly max?: number;
  /** Its help text, by the command that has it. */
  readonly help: Readonly<Partial<Record<Use, string>>>;
  /**
   * Where its value is kept with a run, so that the run continues with it: among the settings, or in `wanted`, which
   * holds what replaces a part of the mapping. @default not kept
   */
  readonly kept?: 'settings' | 'wanted';
  /** Whether a command that goes on with a run has its own value kept in place of the one before. @default false */
  readonly isRenewed?: true;
  /** Whether an import with another value is another run. @default false */
  readonly identifies?: true;
}

export type OptionTable = Readonly<Record<string, RunOption>>;

/** The options of a command, as the library takes them. */
export type OptionsOf<T extends OptionTable, U extends Use> = {
  readonly [K in keyof T as U extends keyof T[K]['help'] ? K : never]?: OptionValues[T[K]['kind']];
};

/** Names of the flags of a command. */
export type FlagsOf<T extends OptionTable, U extends Use> = {
  [K in keyof T]: U extends keyof T[K]['help'] ? T[K]['flag'] : never;
}[keyof T];

/** The options that are kept in this place. */
export type KeptOptions<T extends OptionTable, P extends RunOption['kept']> = {
  readonly [
    K in keyof T as T[K] extends { readonly kept: P } ? K : never
  ]?: OptionValues[T[K]['kind']];
};

/** The options of a table that satisfy a condition, in its order. */
export const optionsWhere = (
  table: OptionTable,
  fits: (option: RunOption) => boolean,
): (readonly [name: string, RunOption])[] =>
  Object.entries(table).filter(([, option]) => fits(option));

/** The values that a request has for such options; `undefined` where it has none. */
export const pickOptions = (
  request: object,
  table: OptionTable,
  fits: (option: RunOption) => boolean,
): Record<string, unknown> => {
  const values = new Map<string, unknown>(Object.entries(request));
  return Object.fromEntries(optionsWhere(table, fits).map(([name]) => [name, values.get(name)]));
};
