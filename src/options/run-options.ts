import type { OptionTable, RunOption, Use, OptionsOf } from './option.js';
import type { SourceOptions } from '../core/table.js';

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
