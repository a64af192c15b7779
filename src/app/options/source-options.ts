import type { SourceOptions } from '../../core/table.js';
import type { OptionTable, RunOption } from './option.js';

const inEveryReader = <T extends string>(help: T) =>
  ({ import: help, reconcile: help, check: help, rows: help, suggest: help }) as const;

/** How files are read, where the command line says it. What is given is kept with a run, and identifies it. */
export const SOURCE_OPTIONS = {
  sheet: {
    kind: 'sheet',
    flag: 'sheet',
    help: inEveryReader(
      'Sheet of a workbook by its name, or by its number from 1; several with commas between, or "all". Default: the first visible sheet.',
    ),
    kept: 'settings',
  },
  allSheets: {
    kind: 'flag',
    flag: 'all-sheets',
    help: { rows: 'Read every sheet of a workbook, hidden ones included. Default: no.' },
    kept: 'settings',
  },
  encoding: {
    kind: 'text',
    flag: 'encoding',
    help: inEveryReader(
      'Encoding of a CSV file, such as utf-8, windows-1251 or utf-16le. Default: found out.',
    ),
    kept: 'settings',
  },
  delimiter: {
    kind: 'text',
    flag: 'delimiter',
    help: inEveryReader(
      'Delimiter of a CSV file: a character or several, or "tab". Default: found out.',
    ),
    kept: 'settings',
  },
} as const satisfies OptionTable & Record<keyof SourceOptions, RunOption>;
