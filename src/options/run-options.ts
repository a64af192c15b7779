import { UsageError } from '../core/errors.js';
import { MODES, type Mode } from '../core/outcome.js';
import type { RowRange, SourceOptions } from '../core/table.js';
import { parseTimeOfDay } from '../core/time.js';
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

const inEveryRun = <T extends string>(help: T) =>
  ({ import: help, reconcile: help, undo: help, resume: help }) as const;

const OUT = 'Folder of the reports. Default: runs/<run id>.';
const MODE = "What is done with every row. Default: the mapping's mode, else create.";
const EXPECT_ROWS = 'End with 2 when a file has a header and no data rows. Default: no.';
const LIMIT = 'Read at most this many rows, over all files. Default: all.';
const ROWS =
  'Read only the rows with these numbers, as a spreadsheet program shows them, such as 100-200. Default: all.';
const CORRECTIONS =
  'File of corrected cells that replace those of the files, one JSON object a line. Default: none.';
const LEAD_PRICE =
  'What a row costs, such as 2.50, to tell what lost rows cost. Default: nothing is told.';
const LEDGER =
  "File in which every fact of the run is kept. Default: the installation's ledger, else cardline.db.";

/**
 * The options of runs. Flags, help texts, the types of the library's requests, and what is kept with a run derive from
 * this table. Its order is that of the help, and of the text by which runs are compared: new ones of those that
 * identify a run come last.
 */
export const RUN_OPTIONS = {
  /** What is done with every row. Wins over the mapping's `mode:`. @default 'create' */
  mode: {
    kind: 'mode',
    flag: 'mode',
    help: { import: MODE, reconcile: MODE, check: MODE },
    kept: 'wanted',
    identifies: true,
  },
  /** Whether deleted clients are restored when they are created again. @default the mapping's `recovery` */
  recovery: {
    kind: 'flag',
    flag: 'recovery',
    help: {
      import:
        "Restore deleted clients that are created again. Default: the mapping's recovery, else no.",
    },
    kept: 'wanted',
    identifies: true,
  },
  /** Has to be true where rows are deleted. @default false */
  confirmed: {
    kind: 'flag',
    flag: 'yes',
    help: {
      import: 'Confirm that clients are deleted (mode delete). Default: no.',
      undo: 'Do not ask for the number of rows; needed where there is no terminal. Default: no.',
    },
  },
  /** Card fields to compare. @default all that the mapping gives */
  fields: {
    kind: 'names',
    flag: 'fields',
    help: {
      reconcile: 'Card fields to compare, such as fullName,segment. Default: all of the mapping.',
    },
    kept: 'settings',
    identifies: true,
  },
  /** Folder for files that, imported, make every row match. */
  fix: {
    kind: 'text',
    flag: 'fix',
    help: {
      reconcile:
        'Folder for files that make every row match when they are imported: create.csv, update.csv, enqueue.csv, each with its mapping.',
    },
  },
  /** Whether callbacks of the call applications go with them (interface.md 4.10). @default false */
  cancelCallbacks: {
    kind: 'flag',
    flag: 'cancel-callbacks',
    help: { undo: 'Delete callbacks of the call applications with them. Default: no.' },
    kept: 'settings',
  },
  /** Begin a new run, also when the same import is finished or not at its end; all its rows are sent. @default false */
  again: {
    kind: 'flag',
    flag: 'again',
    help: {
      import:
        'Import again what was imported before, or what was stopped: all rows are sent. Default: no.',
      undo: 'Look through the run again, also when it was undone before. Default: no.',
    },
  },
  /** How many mapped clients to show. @default 3 */
  show: {
    kind: 'count',
    flag: 'show',
    min: 0,
    help: { check: 'How many mapped clients to show. Default: 3.' },
  },
  /** Path of the ledger. @default the installation's `ledger`, else 'cardline.db' */
  ledger: {
    kind: 'text',
    flag: 'ledger',
    help: {
      ...inEveryRun(LEDGER),
      check:
        "File of the runs that rows are compared with, where the mapping asks for that. Default: the installation's ledger, else cardline.db.",
      resume:
        "Where the runs are kept: a file, or postgres://… Default: the installation's ledger, else cardline.db.",
    },
  },
  /**
   * Goes on although the ledger has lost facts: every row of which nothing is on record is looked up before it is sent.
   * @default false
   */
  settleAll: {
    kind: 'flag',
    flag: 'settle-all',
    help: inEveryRun(
      'Continue although the ledger has lost facts: rows that are not on record are looked up before they are sent. Default: no.',
    ),
  },
  /** Folder for what is written. Default: `runs/<run id>`. */
  out: { kind: 'text', flag: 'out', alias: 'o', help: { ...inEveryRun(OUT), check: OUT } },
  /**
   * File that holds the metrics of the run, for a collector of text files: replaced as a whole while the run is under
   * way, and at its end. @default none
   */
  metricsFile: {
    kind: 'text',
    flag: 'metrics-file',
    help: inEveryRun(
      'File for the metrics of the run, in the text format of Prometheus; those of earlier runs are added up. Default: none.',
    ),
  },
  /** Address and port that serve the metrics of the run, and /healthz. @default none */
  metricsListen: {
    kind: 'text',
    flag: 'metrics-listen',
    help: inEveryRun(
      'Address that serves /metrics and /healthz during the run, such as 127.0.0.1:9464. Default: none.',
    ),
  },
  /** Clients in one request; `auto`: found out, within the installation's limit, else 500. @default 'auto' */
  batchSize: {
    kind: 'count or auto',
    flag: 'batch-size',
    min: 1,
    help: inEveryRun(
      'Clients in one request: a number, or auto, which finds the fastest. Default: auto.',
    ),
  },
  /** Requests in flight; `auto`: found out, within the installation's limit, else 32. @default 'auto' */
  concurrency: {
    kind: 'count or auto',
    flag: 'concurrency',
    min: 1,
    max: 256,
    help: inEveryRun(
      'Requests at the same time: a number, or auto, which finds the fastest. Default: auto.',
    ),
  },
  /** Time without one success after which the run stops, in milliseconds. @default 900000, and 10000 at the start */
  giveUpAfterMs: {
    kind: 'duration',
    flag: 'give-up-after',
    help: inEveryRun(
      'Stop after this time without a success, such as 90s or 1h. Default: 15m; 10s before the first one.',
    ),
  },
  /**
   * Time of day at which the run stops gently, such as `06:00 Europe/Moscow`, the next one from its start; without a zone
   * by the clock of the machine. @default none
   */
  deadline: {
    kind: 'time of day',
    flag: 'deadline',
    help: inEveryRun(
      'Stop at this time, such as 06:00 or "06:00 Europe/Moscow", with exit code 3; the same command continues. Default: none.',
    ),
  },
  /** Whether the run waits while the installation's hours are over; else it ends, and can be continued. @default true */
  waitForHours: {
    kind: 'flag',
    flag: 'wait-for-hours',
    help: inEveryRun(
      "Wait outside the installation's hours, before the run and during it; with --no-wait-for-hours the run stops with exit code 3. Default: yes.",
    ),
  },
  /**
   * Whether the import waits until no other run is at work on the same contact center, before it begins: then it knows all
   * that these have sent. @default false
   */
  waitForRuns: {
    kind: 'flag',
    flag: 'wait-for-runs',
    help: {
      import:
        'Wait until no other run is at work on the same contact center: with "within: runs", the import then knows all that they have sent. Default: no.',
    },
  },
  /** Requests in a second at most, within what the installation permits. @default what the installation permits */
  requestsPerSecond: {
    kind: 'count',
    flag: 'requests-per-second',
    min: 1,
    help: inEveryRun(
      'Most requests in a second. Default: what the installation permits, which is never exceeded.',
    ),
    kept: 'settings',
    isRenewed: true,
  },
  /** Clients in a second at most, within what the installation permits. @default what the installation permits */
  clientsPerSecond: {
    kind: 'count',
    flag: 'clients-per-second',
    min: 1,
    help: inEveryRun(
      'Most clients in a second. Default: what the installation permits, which is never exceeded.',
    ),
    kept: 'settings',
    isRenewed: true,
  },
  /**
   * Weight of the run beside others on the same contact center, 1 to 100: with twice the number it gets twice the share of
   * what is permitted. With a ledger in PostgreSQL. @default 10
   */
  priority: {
    kind: 'count',
    flag: 'priority',
    min: 1,
    max: 100,
    help: inEveryRun(
      'Share of the run beside others on the same contact center, 1 to 100, with a ledger in PostgreSQL. Default: 10.',
    ),
    kept: 'settings',
    isRenewed: true,
  },
  /**
   * How many rows may end badly before the run stops: a number, or a percentage of all rows of the input. These are
   * counted before the first of them is sent, up to a million; of a larger input, their number is estimated. Nothing is
   * sent when the rows that the mapping rejects are too many already. @default any
   */
  maxFailures: {
    kind: 'failures',
    flag: 'max-failures',
    help: inEveryRun(
      'Stop when more rows than this fail: a number, or a percentage of all rows such as 5%. Rows are counted first, up to a million, and nothing is sent when too many are rejected already. Default: no limit.',
    ),
    kept: 'settings',
    isRenewed: true,
  },
  /**
   * Clients that are sent first; the others follow only when, once all of these have ended, no more of them than
   * `maxFailures` did so badly, by default none. A percentage is one of these clients. @default 0
   */
  canary: {
    kind: 'count',
    flag: 'canary',
    min: 0,
    help: inEveryRun(
      'Send this many clients first, and the others only if no more of these failed than --max-failures allows (default: none). Default: 0.',
    ),
    kept: 'settings',
    isRenewed: true,
  },
  /** Whether any machine may work on the run, piece by piece. Needs a ledger in PostgreSQL. @default false */
  shared: {
    kind: 'flag',
    flag: 'shared',
    help: {
      import:
        'Share the work with other machines ("cardline worker"); needs --ledger postgres://… Default: no.',
    },
    kept: 'settings',
  },
  /** Whether a run that is shared is left to workers once it has been handed over. @default false */
  detach: {
    kind: 'flag',
    flag: 'detach',
    help: {
      import:
        'With --shared: leave the rows to the workers, print the id of the run, and end. Default: no.',
    },
  },
  /** Whether an input without data rows ends with exit code 2. @default false */
  expectRows: {
    kind: 'flag',
    flag: 'expect-rows',
    help: { import: EXPECT_ROWS, reconcile: EXPECT_ROWS, check: EXPECT_ROWS },
  },
  /** Data rows that are read at most, over all inputs, for a trial. @default all */
  limit: {
    kind: 'count',
    flag: 'limit',
    min: 1,
    help: { import: LIMIT, check: LIMIT },
    kept: 'settings',
    identifies: true,
  },
  /** Numbers of the first and the last row to read, as a spreadsheet program shows them. @default all */
  rows: {
    kind: 'row range',
    flag: 'rows',
    help: { import: ROWS, check: ROWS },
    kept: 'settings',
    identifies: true,
  },
  /**
   * File of corrections: single cells that a person has mended, in place of those of the files. A run is bound to what
   * they say. @default none
   */
  corrections: {
    kind: 'text',
    flag: 'corrections',
    help: { import: CORRECTIONS, reconcile: CORRECTIONS, check: CORRECTIONS },
    kept: 'settings',
  },
  /** What a row of the list costs: the score says what those that are lost do. @default nothing is said */
  leadPrice: {
    kind: 'amount',
    flag: 'lead-price',
    help: { import: LEAD_PRICE, check: LEAD_PRICE },
    kept: 'settings',
  },
} as const satisfies OptionTable;

/** The options of a command, as the library takes them. */
export type RunOptionsOf<U extends Use> = OptionsOf<typeof RUN_OPTIONS, U>;

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

/** The flags of commands with many of them, by what they are about: in the order of the help, the most used first. */
export const FLAG_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Files: ['mapping', 'installation', 'sandbox', 'run', 'ledger', 'corrections'],
  'What is done': ['mode', 'recovery', 'fields', 'fix', 'cancel-callbacks', 'again', 'yes'],
  Campaign: ['campaign', 'max-call-count'],
  Trial: ['dry-run', 'limit', 'rows', 'show'],
  Safety: ['max-failures', 'canary', 'expect-rows', 'settle-all'],
  Pace: [
    ...['deadline', 'give-up-after', 'wait-for-hours', 'wait-for-runs', 'requests-per-second'],
    ...['clients-per-second', 'concurrency', 'batch-size'],
  ],
  'Several machines': ['shared', 'detach', 'priority'],
  'How files are read': ['sheet', 'all-sheets', 'encoding', 'delimiter'],
  Output: [
    'out',
    'quiet',
    'json',
    'lead-price',
    'metrics-file',
    'metrics-listen',
    'help',
    'version',
    'no-color',
  ],
};
