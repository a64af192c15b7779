import { resolve } from 'node:path';
import { env as processEnv } from 'node:process';
import { type ContactCenter, createContactCenter } from '../client/contact-center.js';
import {
  EXIT,
  type ExitCode,
  InputError,
  isInterruption,
  StopRun,
  UsageError,
} from '../core/errors.js';
import type { RunRecord } from '../core/ledger.js';
import { type Mode, type RunMode, noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import type { RowReport, Summary } from '../core/report.js';
import type { Row, SourceOptions } from '../core/table.js';
import * as history from '../history/history.js';
import type {
  ComparisonCounts,
  ReportFileRequest,
  ReportRequest,
  RowDifference,
  Trend,
} from '../history/history.js';
import { loadInstallation } from '../installation/installation.js';
import { type ListedCampaign, startNewCampaign } from '../operations/operation.js';
import {
  ledgerPath,
  PLACE_KINDS,
  type PlaceKind,
  refuseUnusablePlaces,
} from '../options/places.js';
import type { LineFormat } from '../report/formats.js';
import * as checks from '../run/check.js';
import * as imports from '../run/import.js';
import type { StartedRun as Started } from '../run/import.js';
import { execute, resumption } from '../run/execute.js';
import { readRows as batchesOf } from '../run/preview.js';
import type {
  CheckRequest,
  CheckResult as Checked,
  ImportRequest,
  ImportResult,
  ReconcileRequest,
  ReconcileRunRequest,
  RunOptions,
  UndoRequest,
} from '../run/requests.js';
import { executeWorker, type WorkerRequest } from '../run/shared.js';
import {
  type RunningCheck as Running,
  startCheck as start,
  type StartCheckRequest,
} from '../run/start-check.js';
import { initInstallation, type InitResult } from '../setup/init.js';
import { headerOf, showHeader } from '../source/header.js';

/* What a program that imports `cardline` calls, in one shape of options and results. */

/**
 * A run as it ends: also where it was stopped so early that the ledger does not have it.
 * @param what what it does; of an import that has not said so, its mapping is read in this case alone
 */
async function resultOf(
  executing: Promise<ImportResult>,
  what: 'undo' | 'reconcile' | Pick<ImportRequest, 'mapping' | 'installation' | 'mode'>,
  run = '',
): Promise<RunResult> {
  try {
    const { exitCode, summary, stoppedBy: _, ...files } = await executing;
    const { mode, state, rows, outcomes } = summary;
    return { run: summary.run, mode, state, exitCode, rows, outcomes, summary, ...files };
  } catch (error) {
    if (!isInterruption(error)) throw error;
    const mode =
      typeof what === 'string' ? what : (what.mode ?? (await imports.plannedImport(what)).mode);
    const counts = { rows: 0, outcomes: noOutcomes() };
    const none = { requests: 0, retries: 0, seconds: 0, rowsPerSecond: 0, inputs: [] };
    const state = 'stopped';
    return {
      ...{ run, mode, state, exitCode: EXIT.stopped, ...counts, rejects: [] },
      summary: { run, mode, ...counts, ...none, state, campaignId: null, ledger: '' },
      ...{ out: '', report: '', ledger: '', stopped: error.message },
    };
  }
}

/**
 * How rows ended, whichever function worked on them. The fields that a run on record has too (`run`, `mode`, `state`,
 * `rows`, `outcomes`) have the same names and meanings there.
 */
export interface Result {
  /** Id of the run in the ledger; `null` for a check, which keeps none. */
  readonly run: string | null;
  /** What was done with the rows: the mode of an import or a check, `undo`, or `reconcile`. */
  readonly mode: RunMode;
  /** `finished`, or `stopped` when `resumeRun` can go on with it. */
  readonly state: 'finished' | 'stopped';
  /**
   * That of the command: 0 when every row ended well, 2 when some did not, 3 when the run stopped and can be continued,
   * 64 when the input turned out to be broken.
   */
  readonly exitCode: ExitCode;
  /** Data rows that were read and have ended. */
  readonly rows: number;
  /** Rows by outcome; those of a run add up to `rows`. */
  readonly outcomes: OutcomeCounts;
  /** Absolute paths of the files of rows that did not end well, one for each input that has any. */
  readonly rejects: readonly string[];
  /** What the command prints with `--json`. */
  readonly summary: Summary | CheckSummary;
}

/**
 * How a run ended. Errors that come before the first request are thrown; whatever comes later stands here, and so does
 * that it was stopped, whenever that was.
 */
export interface RunResult extends Result {
  /** Id of the run; empty, as `out`, `report` and `ledger` are, when it was stopped before the ledger had it. */
  readonly run: string;
  /** The content of `summary.json`: requests, retries, seconds, and what is left to do. */
  readonly summary: Summary;
  /** Absolute path of the folder with the report. */
  readonly out: string;
  /** Absolute path of `report.csv`; empty where it could not be written. */
  readonly report: string;
  /** Absolute path of the ledger. */
  readonly ledger: string;
  /** Set when the same was done by an earlier run: nothing was sent, and all fields are those of that run. */
  readonly already?: true;
  /** With `already`: when that run ended, in milliseconds since the epoch. */
  readonly endedAt?: number;
  /** With the state `stopped`: why, for a person. */
  readonly stopped?: string;
}

/** What a check found: rows that would be sent (`clients`), reasons of the others, and clients as they would be sent. */
export type CheckSummary = Omit<Checked, 'exitCode' | 'mode' | 'rejects'>;

/** How a check ended. Of `outcomes`, `rejected` and `skipped` alone are known: nothing was sent. */
export interface CheckResult extends Result {
  readonly run: null;
  readonly mode: Mode;
  readonly state: 'finished';
  readonly summary: CheckSummary;
}

function checkResult({ exitCode, mode, rejects, ...summary }: Checked): CheckResult {
  const { rows, rejected, skipped } = summary;
  const outcomes = { ...noOutcomes(), rejected, skipped };
  return { run: null, mode, state: 'finished', exitCode, rows, outcomes, rejects, summary };
}

/** Where to look for runs. */
export interface LedgerOptions {
  /** Path of the ledger. @default the installation's `ledger`, else 'cardline.db' */
  readonly ledger?: string | undefined;
  /** Path of an installation file, whose ledger is used. @default none */
  readonly installation?: string | undefined;
}

/** Path of the ledger that the options mean. @throws ConfigurationError; UsageError where none can be */
async function ledgerOf({ ledger, installation }: LedgerOptions): Promise<string> {
  refusePlaces({ ledger }, { ledger: 'read ledger' });
  if (ledger !== undefined || installation === undefined) return ledgerPath(ledger, {});
  return ledgerPath(undefined, await loadInstallation(installation));
}

/** What runs write, by the option that names its place. */
const OF_RUNS = { ...PLACE_KINDS, fix: 'folder' } as const;

/**
 * Makes sure that something can be written where the options say, before anything else is done.
 * @param kinds what is going to be there, by option. @default what runs write
 * @throws UsageError with every place that does not do
 */
const refusePlaces = (
  options: object,
  kinds: Readonly<Record<string, PlaceKind>> = OF_RUNS,
): void => {
  refuseUnusablePlaces({ ...options }, kinds, (name) => name);
};

/** Options of `importShared`. `ledger`: the address of a ledger in PostgreSQL. */
export type ImportSharedOptions = Omit<ImportFilesOptions, 'shared'> & { readonly ledger: string };

/**
 * Imports spreadsheets together with all workers on the same ledger, and resolves when all rows have ended, whoever sent
 * them; with `detach`, as soon as they are handed over.
 * @throws as `importFiles` does; UsageError when the import cannot be shared
 */
export function importShared(options: ImportSharedOptions): Promise<RunResult> {
  return importFiles({ ...options, shared: true });
}

/** Options of `startWorker`. */
export interface StartWorkerOptions extends Omit<WorkerRequest, 'signal' | 'onNote'> {
  /** Aborted to stop gently: what is in flight ends, and pieces are given back. @default never */
  readonly signal?: AbortSignal | undefined;
  /** Called with what a person may want to know. @default nobody is told */
  readonly onNote?: ((message: string) => void) | undefined;
}

/** A worker that is at work. */
export interface StartedWorker {
  /** Stops gently, and resolves when that has been done. */
  stop(): Promise<void>;
  /**
   * Resolves when it was stopped.
   * @throws UsageError, LedgerError: why it could not begin, or its database was away for too long
   */
  readonly ended: Promise<ExitCode>;
}

/** Starts to take pieces of shared runs. */
export function startWorker(options: StartWorkerOptions): StartedWorker {
  const stopping = new AbortController();
  const { signal = stopping.signal, onNote = () => undefined } = options;
  const ended = executeWorker({
    ...options,
    onNote,
    signal: AbortSignal.any([signal, stopping.signal]),
  });
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** What only cardline itself gives. */
type Internal = 'watcher' | 'observer' | 'pickup';

/** Options of `checkFiles`. */
export type CheckFilesOptions = CheckRequest;
/** Options of `importFiles`. */
export type ImportFilesOptions = Omit<ImportRequest, 'run' | Internal>;
/** Options of `reconcileFiles`. */
export type ReconcileFilesOptions = Omit<ReconcileRequest, 'run' | Internal>;

/**
 * Does all that an import does but send: reads, maps, finds duplicates, and writes the rejects.
 * @throws ConfigurationError with all mistakes of mapping and installation; InputError when a file cannot be read;
 * UsageError; StopRun when `signal` is aborted
 */
export async function checkFiles(options: CheckFilesOptions): Promise<CheckResult> {
  refusePlaces(options, { out: 'folder', ledger: 'read ledger' });
  return checkResult(await checks.checkFiles(options));
}

/**
 * Imports spreadsheets: every row becomes a client by the mapping, is created, added to the campaign when there is one,
 * and reported. A run of the same content, mapping, installation and campaign that is not at its end is continued; one
 * that is finished is not repeated. When `signal` is aborted, the result says that the run is stopped.
 * @throws ConfigurationError, InputError, UsageError before anything is sent; LedgerError when the ledger cannot be
 * opened; StopRun when the contact center does not list its campaigns. What comes later stands in the result.
 */
export async function importFiles(options: ImportFilesOptions): Promise<RunResult> {
  refusePlaces(options);
  return resultOf(imports.importFiles(options), options);
}

/**
 * Compares spreadsheets with the contact center, row by row, and changes nothing. The exit code is 0 when every row
 * matches.
 * @throws as `importFiles` does; UsageError when the mapping does not say what a card should look like
 */
export async function reconcileFiles(options: ReconcileFilesOptions): Promise<RunResult> {
  refusePlaces(options);
  const run = { kind: 'reconcile', sandbox: false, request: options } as const;
  return resultOf(execute(run), 'reconcile');
}

/** Options of `startCheck`. */
export type StartCheckOptions = StartCheckRequest;
/** Options of `startImport`. */
export type StartImportOptions = Omit<
  ImportRequest,
  'watcher' | 'onProgress' | 'onWarning' | 'run'
>;
/** A check under way, or at its end. */
export type RunningCheck = Omit<Running<CheckResult>, 'remedies'>;
/** A run under way, or at its end. */
export type StartedRun = Started<RunResult>;

/**
 * Starts to check files as `checkFiles` does, to be watched, and its rejected rows to be shown page by page meanwhile.
 * @throws UsageError where nothing can be written; `result` rejects as `checkFiles` does
 */
export async function startCheck(options: StartCheckOptions): Promise<RunningCheck> {
  refusePlaces(options, { out: 'folder', ledger: 'read ledger', folder: 'folder' });
  const { remedies: _, ...check } = await start(options);
  return { ...check, result: watched(check.result.then(checkResult)) };
}

/** Starts an import as `importFiles` does, to be watched, paused and stopped; `result` rejects as `importFiles` does. */
export function startImport(options: StartImportOptions): StartedRun {
  const run = imports.startRun(async (watched) => {
    refusePlaces(options);
    return imports.importFiles({ ...options, ...watched });
  }, options.signal);
  return { ...run, result: watched(resultOf(run.result, options)) };
}

/** Whoever asks for the result gets the error; others know it by the last state. */
function watched<R>(result: Promise<R>): Promise<R> {
  result.catch(() => undefined);
  return result;
}

/** A run of a ledger. */
export interface RunOfLedgerOptions extends LedgerOptions {
  /** Id of the run. */
  readonly run: string;
}

/** Options of `mappingTrend`. */
export interface MappingTrendOptions extends LedgerOptions {
  /** Path of the mapping file. */
  readonly mapping: string;
}

/** All runs of a ledger, the latest first, with their counts. @throws InputError when there is no ledger, LedgerError */
export async function listRuns(options: LedgerOptions = {}): Promise<RunRecord[]> {
  return history.listRuns(await ledgerOf(options));
}

/** One run with its counts. @throws UsageError when the ledger does not have it; and as `listRuns` does */
export async function showRun(options: RunOfLedgerOptions): Promise<RunRecord> {
  return history.showRun(options.run, await ledgerOf(options));
}

/**
 * Every row of a run with its outcome, in order; of a run that is not at its end, those that it has got to. The ledger is
 * read as the rows are taken.
 * @throws as `showRun` does, with the first row
 */
export async function* runRows(
  options: RunOfLedgerOptions,
): AsyncGenerator<RowReport, void, undefined> {
  yield* history.runRows(options.run, await ledgerOf(options));
}

/**
 * How the rows of a mapping's files ended from run to run, so that a decline is seen.
 * @throws UsageError when no run is of the mapping; and as `listRuns` does
 */
export async function mappingTrend(options: MappingTrendOptions): Promise<Trend[]> {
  return history.mappingTrend(options.mapping, await ledgerOf(options));
}

/** Options of `reportRun`. */
export interface ReportRunOptions extends ReportFileRequest, LedgerOptions {}

/** Options of `reportLines`. */
export interface ReportLinesOptions extends ReportRequest, LedgerOptions {
  readonly format: LineFormat;
}

/** A run, and where its report is. */
export interface ReportedRun extends RunRecord {
  /** Absolute path of the report. */
  readonly file: string;
}

/**
 * Writes the report of a run, finished or not, into a file that appears whole or not at all. Memory does not grow with the
 * rows.
 * @throws UsageError when the ledger does not have the run, the file's ending says no format, or the file may not be
 * replaced; InputError when there is no ledger; OutputError when the file cannot be written; LedgerError
 */
export async function reportRun(options: ReportRunOptions): Promise<ReportedRun> {
  refusePlaces(options, { file: 'file' });
  const { installation: _, ...request } = options;
  const ledger = await ledgerOf(options);
  const file = await history.writeReportFile({ ...request, ledger });
  return { ...(await history.showRun(options.run, ledger)), file };
}

/**
 * The same as pieces of text of some size, which end with line breaks. The ledger is read as they are taken.
 * @throws InputError, UsageError, LedgerError as `reportRun` does, with the first piece
 */
export async function* reportLines(
  options: ReportLinesOptions,
): AsyncGenerator<string, void, undefined> {
  const { installation: _, ...request } = options;
  yield* history.reportLines({ ...request, ledger: await ledgerOf(options) });
}

/** Options of `compareRuns`. */
export interface CompareRunsOptions extends LedgerOptions {
  /** Ids of the runs, which one ledger has. */
  readonly earlier: string;
  readonly later: string;
  /** Called with every row that is new, gone or ended differently, one after the other. */
  readonly onDifference?: (difference: RowDifference) => void;
}

/** Two runs of a ledger, and how many of their rows are alike. */
export interface ComparedRuns extends ComparisonCounts {
  readonly earlier: RunRecord;
  readonly later: RunRecord;
}

/**
 * Counts which rows are new, gone, ended differently or alike from one run to another, matched by uuid. What is held is
 * the uuids of the earlier run.
 * @throws InputError when there is no ledger, UsageError when it does not have the runs, LedgerError
 */
export async function compareRuns(options: CompareRunsOptions): Promise<ComparedRuns> {
  const { installation: _, ...request } = options;
  const ledger = await ledgerOf(options);
  const counts = await history.compareRuns({ ...request, ledger });
  const earlier = await history.showRun(options.earlier, ledger);
  const later = await history.showRun(options.later, ledger);
  return { ...counts, earlier, later };
}

interface OnRun {
  /** Id of the run. */
  readonly run: string;
  /** Path of the installation file. @default the one of the run */
  readonly installation?: string;
}

/** Options of `undoRun`. */
export interface UndoRunOptions
  extends Omit<UndoRequest, 'run' | 'undoes' | 'installation'>, OnRun {}
/** Options of `reconcileRun`. */
export interface ReconcileRunOptions
  extends Omit<ReconcileRunRequest, 'run' | 'checks' | 'installation'>, OnRun {}
/** Options of `resumeRun`. */
export interface ResumeRunOptions extends Omit<RunOptions, 'again' | 'run' | 'installation'> {
  /** Id of the run. @default the latest that is not finished */
  readonly run?: string;
  /** Path of an installation file, whose ledger is used; the run goes on with its own. @default none */
  readonly installation?: string;
}

/**
 * Takes back what a run did: removes the call applications that it added, deletes the clients that it created, and gives
 * the fields that it changed their values from before. It is a run of its own; what cannot be taken back ends as
 * `failed`.
 * @throws UsageError when the run is not on record, was of a mode of which nothing can be taken back, or was on another
 * contact center; LedgerInUseError when it is under way; ConfigurationError, LedgerError
 */
export async function undoRun({ run, ...options }: UndoRunOptions): Promise<RunResult> {
  refusePlaces(options);
  const request = { ...options, ...(await placeFor(run, options)), undoes: run };
  return resultOf(execute({ kind: 'undo', sandbox: false, request }), 'undo');
}

/**
 * Checks that everything that the report of a run claims is so in the contact center, and changes nothing.
 * @throws UsageError when the run is not on record, changed nothing, or was on another contact center;
 * LedgerInUseError when it is under way; ConfigurationError, LedgerError
 */
export async function reconcileRun({ run, ...options }: ReconcileRunOptions): Promise<RunResult> {
  refusePlaces(options);
  const request = { ...options, ...(await placeFor(run, options)), checks: run };
  return resultOf(execute({ kind: 'check', sandbox: false, request }), 'reconcile');
}

/**
 * Goes on with a run that is not at its end, with the options that it began with. What is on record is not sent again;
 * what was under way is looked up first.
 * @throws UsageError when there is no such run, it read standard input, or its input, mapping, installation or campaign
 * has changed; and as the function that began it
 */
export async function resumeRun(options: ResumeRunOptions = {}): Promise<RunResult> {
  refusePlaces(options);
  const { run, installation: _, ...given } = options;
  const resumed = await resumption(await ledgerOf(options), run, given);
  if (resumed.sandbox) needAddress(resumed.request.run, options);
  const { kind, request } = resumed;
  const what = kind === 'import' ? request : kind === 'undo' ? kind : 'reconcile';
  // What is not kept with a run, such as who listens, is in the request already: it was asked with all options.
  return resultOf(execute({ ...resumed, sandbox: false }), what, request.run);
}

/** Where the run was, as far as the options do not say it. */
async function placeFor(run: string, options: Omit<OnRun, 'run'> & Place) {
  const ledger = await ledgerOf(options);
  const { installation, sandbox } = await history.placeOfRun(run, ledger);
  if (sandbox) needAddress(run, options);
  return { ledger, installation: options.installation ?? installation };
}

type Place = Pick<RunOptions, 'ledger' | 'baseUrl'>;

/** Such a run was at an address that is not the installation's, and that may be another one each time. */
function needAddress(run: string | undefined, { baseUrl }: Place): void {
  if (baseUrl === undefined)
    throw new UsageError(
      `Run ${run ?? ''} was sent to another address than the installation's, such as a sandbox. Give that address as baseUrl.`,
    );
}

/** Options of `draftInstallation`. */
export interface DraftInstallationOptions {
  /** Path of the file to write. */
  readonly file: string;
  /** Address of the contact center. */
  readonly url: string;
  /** Headers of every request, by name; `${NAME}` stands for a variable of the environment. @default {} */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Synchronization identifiers of a client that is there, by name: it is read, and the card drafted from its fields. Or
   * their names alone: nothing is asked for.
   */
  readonly identifiers: Readonly<Record<string, string | number>> | readonly string[];
  /** Card fields beside those that are read, such as `budget:Number`. @default [] */
  readonly fields?: readonly string[];
  /** Whether a file that is there is replaced. @default false */
  readonly force?: boolean;
  /** Environment for `${NAME}` in headers. @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop at once; nothing is written then. */
  readonly signal?: AbortSignal;
}

/** A drafted installation file. */
export interface DraftedInstallation extends InitResult {
  /** Absolute path of the file. */
  readonly file: string;
}

/**
 * Drafts an installation file, with comments on what the interface does not show, and makes sure that it can be used.
 * @throws UsageError when the file is there, or an option is no good; ConfigurationError; ContactCenterError when the
 * client cannot be read; StopRun when the signal is aborted. Nothing is written then.
 */
export async function draftInstallation(
  options: DraftInstallationOptions,
): Promise<DraftedInstallation> {
  const { file, url, headers = {}, identifiers, fields = [], force = false } = options;
  refusePlaces(options, { file: 'file' });
  const { signal = new AbortController().signal, env = processEnv } = options;
  try {
    const drafted = await initInstallation({
      ...{ url, fields, force, out: file, env, signal },
      headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ids: idsOf(identifiers),
    });
    return { file: resolve(file), ...drafted };
  } catch (error) {
    throw signal.aborted ? new StopRun('Nothing was drafted.', { cause: error }) : error;
  }
}

const idsOf = (identifiers: DraftInstallationOptions['identifiers']): readonly string[] =>
  isNames(identifiers)
    ? identifiers
    : Object.entries(identifiers).map(([name, value]) => `${name}=${value}`);

const isNames = (
  identifiers: DraftInstallationOptions['identifiers'],
): identifiers is readonly string[] => Array.isArray(identifiers);

/** Options of `readRows`. */
export interface ReadRowsOptions {
  /** Path of the file, or its bytes. */
  readonly file: string | AsyncIterable<Uint8Array>;
  /** How the file is read: sheet, encoding, delimiter, as in a mapping's `source:`. @default all found out */
  readonly source?: SourceOptions;
  /** Row number of the header; `none`: every row is a data row. @default found out by the content of the first rows */
  readonly headerRow?: number | 'none';
}

/** A data row of a spreadsheet. */
export interface TableRow extends Row {
  /** Names of the columns, without white space around them, in the order of `cells`; `A`, `B`, … without a header. */
  readonly header: readonly string[];
}

/**
 * The data rows of a spreadsheet as the reader of an import sees them, one after the other, with the numbers that a
 * spreadsheet program shows. Blank rows are left out, and those above the header. Memory does not grow with the rows.
 * @throws InputError when the file is broken, or has no row where its header should be; UsageError when `source` names
 * an unknown encoding, an impossible delimiter, or a sheet of a file without sheets
 */
export async function* readRows(
  options: ReadRowsOptions,
): AsyncGenerator<TableRow, void, undefined> {
  const { file, source = {} } = options;
  let table: ReturnType<typeof tableOf> | undefined;
  // The first rows of a sheet, until they show its header.
  let first: Row[] = [];
  for await (const batch of batchesOf(file, source))
    for (const row of batch) {
      if (row.sheet === table?.sheet) {
        yield { ...row, header: table.header };
        continue;
      }
      if (first[0] && first[0].sheet !== row.sheet) {
        yield* tableOf(first, options).rows;
        first = [];
      }
      first.push(row);
      if (showHeader(first, options)) {
        table = tableOf(first, options);
        yield* table.rows;
        first = [];
      }
    }
  if (first.length > 0) yield* tableOf(first, options).rows;
}

/** A sheet, or a file without sheets, from its first data rows on. */
function tableOf(rows: readonly Row[], { file, headerRow }: ReadRowsOptions) {
  const sheet = rows[0]?.sheet ?? null;
  const chosen = headerOf(rows, { headerRow });
  if (!chosen) {
    const reason = 'this row should be the header, and is empty or missing. Check headerRow.';
    const name = typeof file === 'string' ? file : 'the stream';
    const row = headerRow === 'none' ? undefined : headerRow;
    throw new InputError('no_header', reason, { file: name, sheet: sheet ?? undefined, row });
  }
  const { names: header, rows: own } = chosen;
  const last = own.at(-1);
  const data = rows.slice(last ? rows.indexOf(last) + 1 : 0);
  return { sheet, header, rows: data.map((row) => ({ ...row, header })) };
}

/** Options of `startSandbox`. */
export interface StartSandboxOptions {
  /** Path of the installation file: card, client roles, limits and blacklist. Its headers are not asked for. */
  readonly installation: string;
  /** TCP port; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Further host names under which it may be asked, such as `sandbox:8080`; without a port, with any. @default [] */
  readonly allowHosts?: readonly string[];
  /** Path of the SQLite file with its clients and campaigns; `:memory:` forgets them. @default ':memory:' */
  readonly database?: string;
  /** Names of campaigns that are created and started, in this order. @default [] */
  readonly campaigns?: readonly string[];
  /** Its clock, in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

/** A contact center that runs in this process. Give `url` as `baseUrl`, and `env`, to what is to work with it. */
export interface RunningSandbox {
  /** Address, without a trailing slash. */
  readonly url: string;
  /** A value for each variable that the installation's headers name: credentials are not asked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All operations on it, to prepare what a test needs and to look at what became of it. */
  readonly center: ContactCenter;
  /** The campaigns that were asked for, in their order. */
  readonly campaigns: readonly ListedCampaign[];
  /** Finishes what is in flight and frees the port. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a contact center with all operations of the interface, for tests and trials. It answers in this process, on the
 * loopback address unless `host` says otherwise, and ends with `close`.
 * @throws ConfigurationError when the installation file is wrong; UsageError when the port is taken, the database cannot
 * be used, or no card field identifies a client
 */
export async function startSandbox(options: StartSandboxOptions): Promise<RunningSandbox> {
  const { port = 0, database = ':memory:', campaigns = [], ...rest } = options;
  refusePlaces({ database }, { database: 'sandbox' });
  const installation = await loadInstallation(options.installation);
  // Loaded when it is wanted: its HTTP server is as large as the rest of the library.
  const room = await import('../sandbox/sandbox.js');
  const sandbox = await room.startSandbox({ ...rest, installation, port, database });
  const { url } = sandbox;
  const env = room.sandboxEnvironment(installation);
  // The installation's proxy does not find an address of this machine.
  const { proxy: _, ...transport } = installation.transport;
  const center = createContactCenter({ ...installation, transport }, { baseUrl: url, env });
  const close = async (): Promise<void> => {
    await center.close();
    await sandbox.close();
  };
  try {
    const started = [];
    for (const name of campaigns) started.push(await startNewCampaign(center, name));
    return { url, env, center, campaigns: started, close };
  } catch (error) {
    await close();
    throw error;
  }
}
