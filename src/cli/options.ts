import { MODES } from '../core/mode.js';
import type { Options } from 'yargs';
import type { SourceOptions } from '../core/source.js';
import { defined } from '../core/defined.js';
import { wholeNumber, wholeNumberOrAuto } from './numbers.js';

/** Options that several commands share. Each says in one sentence what it does, with its unit and default. */

const text = { type: 'string', requiresArg: true } as const satisfies Options;

/** An option that takes text. */
export const textOption = <D extends string>(describe: D) => ({ ...text, describe }) as const;

/** An option that is given or not. */
export const flagOption = <D extends string>(describe: D) =>
  ({ type: 'boolean', describe }) as const;

/** An option that takes a whole number. */
export const numberOption = (name: string, describe: string, min: number, max?: number) =>
  ({ requiresArg: true, describe, coerce: wholeNumber(name, min, max) }) as const;

export const numberOrAutoOption = (name: string, describe: string, min: number, max?: number) =>
  ({ requiresArg: true, describe, coerce: wholeNumberOrAuto(name, min, max) }) as const;

export const readingOptions = {
  sheet: textOption(
    'Sheet of a workbook by its name, or by its number from 1. Default: the first visible sheet.',
  ),
  encoding: textOption(
    'Encoding of a CSV file, such as utf-8, windows-1251 or utf-16le. Default: found out.',
  ),
  delimiter: textOption('Delimiter of a CSV file: one character, or "tab". Default: found out.'),
} as const satisfies Record<string, Options>;

export const expectRowsOption = {
  'expect-rows': flagOption('End with 2 when a file has a header and no data rows. Default: no.'),
} as const;

export const modeOption = {
  mode: {
    ...textOption("What is done with every row. Default: the mapping's mode, else create."),
    choices: MODES,
  },
} as const;

export const mappingOption = {
  mapping: {
    ...textOption('Mapping file: how columns become client cards.'),
    alias: 'm',
    demandOption: true,
  },
} as const satisfies Record<string, Options>;

export const installationDescription =
  'Installation file: address and card configuration of the contact center.';

export const requiredInstallation = {
  installation: { ...textOption(installationDescription), alias: 'i', demandOption: true },
} as const satisfies Record<string, Options>;

export const outOption = {
  out: { ...textOption('Folder for what is written. Default: runs/<run id>.'), alias: 'o' },
} as const satisfies Record<string, Options>;

interface ReadingArguments {
  readonly sheet?: string | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly allSheets?: boolean | undefined;
}

/** What the person asked of the source. */
export function sourceOptions(args: ReadingArguments): SourceOptions {
  const { sheet, encoding, delimiter, allSheets } = args;
  return defined({ sheet, encoding, delimiter, allSheets });
}
