import type { Options } from 'yargs';
import {
  type FlagsOf,
  type OptionKind,
  type OptionsOf,
  type OptionTable,
  type RunOption,
  type Use,
  optionsWhere,
  failureLimit,
  timeOfDay,
  rowRange,
  amount,
  duration,
} from '../../options/option.js';
import { RUN_OPTIONS, SOURCE_OPTIONS } from '../../options/run-options.js';
import { defined } from '../../core/defined.js';
import { MODES } from '../../core/mode.js';
import { flagOption, numberOption, numberOrAutoOption, textOption } from './options.js';

type MakeFlag = (help: string, option: RunOption) => Options;

const KINDS = {
  text: textOption,
  flag: flagOption,
  count: (help, { flag, min = 0, max }) => numberOption(flag, help, min, max),
  amount: (describe, { flag }) => ({ requiresArg: true, coerce: amount(flag), describe }),
  'count or auto': (help, { flag, min = 0, max }) => numberOrAutoOption(flag, help, min, max),
  duration: (describe, { flag }) => ({ coerce: duration(flag), describe }),
  'time of day': (describe, { flag }) => ({ requiresArg: true, coerce: timeOfDay(flag), describe }),
  failures: (describe) => ({ coerce: failureLimit, describe }),
  mode: (help) => ({ ...textOption(help), choices: MODES }),
  names: textOption,
  'row range': (describe, { flag }) => ({ requiresArg: true, coerce: rowRange(flag), describe }),
  sheet: textOption,
} as const satisfies Record<OptionKind, MakeFlag>;

/** The flags of a run, as a command has them. */
export const runFlags = <U extends Use>(use: U) => flagsIn(RUN_OPTIONS, use);

/** The flags that say how files are read, as a command has them. */
export const sourceFlags = <U extends Use>(use: U) => flagsIn(SOURCE_OPTIONS, use);

/** What these flags were given. */
export const givenOptions = <U extends Use>(use: U, args: Arguments) =>
  givenIn(RUN_OPTIONS, use, args);

export const givenSource = <U extends Use>(use: U, args: Arguments) =>
  givenIn(SOURCE_OPTIONS, use, args);

type Arguments = Readonly<Record<string, unknown>>;

function flagsIn<T extends OptionTable, U extends Use>(
  table: T,
  use: U,
): Readonly<Record<FlagsOf<T, U>, Options>> {
  const flags = optionsOfUse(table, use).map(([, option]) => {
    const make: MakeFlag = KINDS[option.kind];
    const { flag, alias, help } = option;
    return [flag, { ...make(help[use] ?? '', option), ...defined({ alias }) }] as const;
  });
  // Object.fromEntries forgets the names; no check can bring them back.
  return Object.fromEntries(flags) as Record<FlagsOf<T, U>, Options>;
}

function givenIn<T extends OptionTable, U extends Use>(
  table: T,
  use: U,
  args: Arguments,
): OptionsOf<T, U> {
  const values = optionsOfUse(table, use).map(([name, { flag, kind }]) => {
    const value = args[flag];
    return [name, kind === 'names' && typeof value === 'string' ? namesIn(value) : value] as const;
  });
  // The parser has read each value by its kind.
  return defined(Object.fromEntries(values)) as OptionsOf<T, U>;
}

const optionsOfUse = (table: OptionTable, use: Use) =>
  optionsWhere(table, ({ help }) => help[use] !== undefined);

const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());
