import type { Mode } from '../../core/mode.js';
import type { RowRange } from '../../core/table.js';
import type { FailureLimit } from '../../pipeline/failures.js';

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
