import {
  type ReportFileRequest,
  reportLines as lines,
  type ReportRequest,
  writeReportFile,
  compareRuns as compare,
  mappingTrend as trend,
  listRuns as list,
  runRows as rowsOf,
  showRun as show,
  placeOfRun,
} from '../history/history.js';
import type { RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import type { LineFormat } from '../report/formats.js';
import {
  type LedgerOptions,
  ledgerOf,
  refusePlaces,
  type RunResult,
  modeOf,
  resultOf,
} from './result.js';
import type { ComparisonCounts, RowDifference, Trend } from '../history/compare.js';
import { reconcileRun as reconcile, undoRun as undo } from '../run/on-record.js';
import { reconcileFiles } from '../run/reconcile.js';
import { importFiles } from '../run/import.js';
import type {
  ExecutableRun,
  ImportResult,
  ReconcileRunRequest,
  RunOptions,
  UndoRequest,
} from '../run/requests.js';
import { resumption } from '../run/resume.js';
import { UsageError } from '../core/errors.js';
import type { RunMode } from '../core/mode.js';

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
  return list(await ledgerOf(options));
}

/** One run with its counts. @throws UsageError when the ledger does not have it; and as `listRuns` does */
export async function showRun(options: RunOfLedgerOptions): Promise<RunRecord> {
  return show(options.run, await ledgerOf(options));
}

/**
 * Every row of a run with its outcome, in order; of a run that is not at its end, those that it has got to. The ledger is
 * read as the rows are taken.
 * @throws as `showRun` does, with the first row
 */
export async function* runRows(
  options: RunOfLedgerOptions,
): AsyncGenerator<RowReport, void, undefined> {
  yield* rowsOf(options.run, await ledgerOf(options));
}

/**
 * How the rows of a mapping's files ended from run to run, so that a decline is seen.
 * @throws UsageError when no run is of the mapping; and as `listRuns` does
 */
export async function mappingTrend(options: MappingTrendOptions): Promise<Trend[]> {
  return trend(options.mapping, await ledgerOf(options));
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
  const file = await writeReportFile({ ...request, ledger });
  return { ...(await show(options.run, ledger)), file };
}

/**
 * The same as pieces of text of some size, which end with line breaks. The ledger is read as they are taken.
 * @throws InputError, UsageError, LedgerError as `reportRun` does, with the first piece
 */
export async function* reportLines(
  options: ReportLinesOptions,
): AsyncGenerator<string, void, undefined> {
  const { installation: _, ...request } = options;
  yield* lines({ ...request, ledger: await ledgerOf(options) });
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
  const counts = await compare({ ...request, ledger });
  const earlier = await show(options.earlier, ledger);
  const later = await show(options.later, ledger);
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
  const place = await placeFor(run, options);
  return resultOf(undo({ ...options, ...place, undoes: run }), () => ({ mode: 'undo' }));
}

/**
 * Checks that everything that the report of a run claims is so in the contact center, and changes nothing.
 * @throws UsageError when the run is not on record, changed nothing, or was on another contact center;
 * LedgerInUseError when it is under way; ConfigurationError, LedgerError
 */
export async function reconcileRun({ run, ...options }: ReconcileRunOptions): Promise<RunResult> {
  refusePlaces(options);
  const place = await placeFor(run, options);
  return resultOf(reconcile({ ...options, ...place, checks: run }), () => ({ mode: 'reconcile' }));
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
  return resultOf(execute(resumed, given), async () => ({
    run: resumed.request.run,
    mode: await modeOfRun(resumed),
  }));
}

/** Where the run was, as far as the options do not say it. */
async function placeFor(run: string, options: Omit<OnRun, 'run'> & Place): Promise<Where> {
  const ledger = await ledgerOf(options);
  const { installation, sandbox } = await placeOfRun(run, ledger);
  if (sandbox) needAddress(run, options);
  return { ledger, installation: options.installation ?? installation };
}

type Place = Pick<RunOptions, 'ledger' | 'baseUrl'>;
type Where = Required<Pick<RunOptions, 'ledger' | 'installation'>>;

/** Such a run was at an address that is not the installation's, and that may be another one each time. */
function needAddress(run: string | undefined, { baseUrl }: Place): void {
  if (baseUrl === undefined)
    throw new UsageError(
      `Run ${run ?? ''} was sent to another address than the installation's, such as a sandbox. Give that address as baseUrl.`,
    );
}

async function modeOfRun({ kind, request }: ExecutableRun): Promise<RunMode> {
  if (kind === 'import') return (await modeOf(request)).mode;
  return kind === 'undo' ? 'undo' : 'reconcile';
}

/** `given` has what is not kept with a run: who listens, the address, and the environment. */
function execute(
  resumed: ExecutableRun,
  given: Omit<RunOptions, 'installation'>,
): Promise<ImportResult> {
  switch (resumed.kind) {
    case 'import':
      return importFiles({ ...given, ...resumed.request });
    case 'reconcile':
      return reconcileFiles({ ...given, ...resumed.request });
    case 'undo':
      return undo({ ...given, ...resumed.request });
    case 'check':
      return reconcile({ ...given, ...resumed.request });
  }
}
