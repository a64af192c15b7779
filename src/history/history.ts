import { DEFAULT_LEDGER, hasLedger } from '../options/places.js';
import type { RunRecord } from '../core/ledger.js';
import {
  withLedger,
  withSettings,
  recordedRun,
  piecesFrom,
  latestRun,
  keptFiles,
  namesIn,
  type ListedRun,
  viewLedger,
  listedRuns,
  originFinder,
  breathing,
  type OriginOfRejects,
  isNamedLikeRejects,
  originsOf,
  folderOf,
} from './runs.js';
import { type RowReport, OUTCOME_COLUMN } from '../core/report.js';
import { reportedRows } from '../run/recorded.js';
import type { Ledger, RunFilter } from '../ledger/port.js';
import { noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import { MODE_TRAITS } from '../core/mode.js';
import { readPlace, centerOf, readSettingsForReport } from '../run/settings.js';
import { rmSync, existsSync, rmdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { RunOptions } from '../run/requests.js';
import { centerKey } from '../core/center.js';
import type { SourceOptions } from '../core/table.js';
import type { CompareRunsRequest, ComparisonRequest, ComparisonState } from './compare.js';
import type { Erased, PersonRequest } from './erase.js';
import type { ReportFileRequest, ReportRequest } from './report.js';
import type { SourceTrend } from './trend.js';
import type { ComparisonCounts } from '../report/compare.js';
import type { LineFormat } from '../report/formats.js';
import type { Trend } from '../report/compare.js';

/*
 * What past runs tell, read from their facts: lists of runs, one run, its rows and reports, two runs side by side, many of
 * one source, and what is forgotten of them. What compares, draws and erases is loaded where it is asked for. The page keeps
 * indexes of rows besides (`results.ts`).
 */

export type { Erased, ErasedIn } from './erase.js';
export type { ReportFileRequest, ReportRequest } from './report.js';
export type { ListedRun, OriginOfRejects } from './runs.js';
export {
  existingLedger,
  mappingOf,
  noSuchRun,
  originFinder,
  recordedRun,
  withLedger,
} from './runs.js';

/** All runs of a ledger, the latest first, with their counts. */
export async function listRuns(ledgerFile = DEFAULT_LEDGER): Promise<RunRecord[]> {
  return withLedger(ledgerFile, async (ledger) => {
    const runs: RunRecord[] = [];
    for (const run of await ledger.runs())
      runs.push(await withSettings(ledger, await counted(ledger, run)));
    return runs;
  });
}

/** One run with its counts. @throws UsageError when the ledger does not have it. */
export async function showRun(wanted: string, ledgerFile = DEFAULT_LEDGER): Promise<RunRecord> {
  return withLedger(ledgerFile, async (ledger) => {
    const recorded = await recordedRun(ledger, ledgerFile, wanted);
    const run = await withSettings(ledger, await counted(ledger, recorded));
    return run.state === 'finished' ? run : { ...run, waiting: await ledger.waitingOf(run.run) };
  });
}

/**
 * Every row of a run with its outcome, in order; of a run that has not come to its end, those that it has got to. The
 * ledger is read as the rows are taken.
 * @throws InputError when there is no ledger, UsageError when it does not have the run.
 */
export const runRows = (
  wanted: string,
  ledgerFile = DEFAULT_LEDGER,
): AsyncGenerator<RowReport, void, undefined> =>
  piecesFrom(ledgerFile, async function* (ledger) {
    const run = await recordedRun(ledger, ledgerFile, wanted);
    yield* reportedRows(run, await ledger.rowsOf(run.run));
  });

/** Counts from the facts where no process could leave them behind. */
const counted = async (ledger: Ledger, run: RunRecord): Promise<RunRecord> =>
  run.rows === null ? { ...run, ...(await countRows(ledger, run.run)) } : run;

/** How the rows of a run have ended so far. */
interface CountedRows {
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
}

/** @param breath called now and then, to give way to others */
async function countRows(
  ledger: Ledger,
  run: string,
  breath: () => Promise<void> | undefined = () => undefined,
): Promise<CountedRows> {
  const outcomes = noOutcomes();
  let rows = 0;
  for (const row of await ledger.rowsOf(run)) {
    outcomes[row.outcome]++;
    rows++;
    if (rows % 100 === 0) await breath();
  }
  return { rows, outcomes };
}

/** Id of the latest run of a ledger. @throws InputError when there is no ledger, UsageError when it has no run */
export function latestRunId(ledgerFile = DEFAULT_LEDGER): Promise<string> {
  return withLedger(ledgerFile, async (ledger) => {
    const { run } = await latestRun(ledger, ledgerFile);
    return run;
  });
}

/**
 * Id of the latest run that can be taken back. One that was taken back already is named again: what was done before it
 * is not undone because a command was given twice.
 * @throws as `latestRunId` does
 */
export function latestUndoable(ledgerFile = DEFAULT_LEDGER): Promise<RunRecord> {
  return withLedger(ledgerFile, async (ledger) => {
    const canBeUndone = ({ mode, unread }: RunRecord): boolean =>
      unread === undefined && MODE_TRAITS[mode].notUndoable === null;
    const what = 'run that can be taken back';
    return latestRun(ledger, ledgerFile, canBeUndone, what);
  });
}

/** Where a run was: what an undo needs to know before it can begin. @throws UsageError */
export async function placeOfRun(
  wanted: string,
  ledgerFile = DEFAULT_LEDGER,
): Promise<{ readonly installation: string; readonly sandbox: boolean }> {
  return withLedger(ledgerFile, async (ledger) => {
    const { run } = await recordedRun(ledger, ledgerFile, wanted);
    return readPlace(run, await ledger.settingsOf(run));
  });
}

/**
 * Forgets finished runs that ended so many milliseconds ago. Returns their ids. `reports`: whether what they left in the
 * folders of their reports goes with them.
 */
export async function pruneRuns(
  olderThanMs: number,
  ledgerFile = DEFAULT_LEDGER,
  { reports = false } = {},
): Promise<string[]> {
  return withLedger(ledgerFile, async (ledger) => {
    const runs = new Map(reports ? (await ledger.runs()).map((run) => [run.run, run]) : []);
    return ledger.prune(Date.now() - olderThanMs, (old) => {
      for (const id of old) {
        const run = runs.get(id);
        if (run) removeKept(run);
      }
    });
  });
}

/** Removes what a run has left there, and the folder where nothing else is in it. */
function removeKept(run: Pick<RunRecord, 'run' | 'out'>): void {
  for (const { path } of keptFiles(run)) rmSync(path, { force: true });
  if (existsSync(run.out) && namesIn(run.out).length === 0) rmdirSync(run.out);
}

interface FindRunsRequest {
  readonly ledger: string;
  /** Part of the name of an input or of the campaign, in any case. */
  readonly text?: string | undefined;
  readonly state?: RunRecord['state'] | undefined;
  readonly mode?: RunRecord['mode'] | undefined;
  /** How many of the latest are left out. */
  readonly offset: number;
  readonly limit: number;
}

interface FoundRuns {
  /** How many fit. */
  readonly total: number;
  /** How many the ledger has. */
  readonly all: number;
  readonly runs: readonly ListedRun[];
}

/** A page of the runs of a ledger, the latest first. Where there is no ledger yet, there are no runs. @throws LedgerError */
export async function findRuns({
  ledger: file,
  offset,
  limit,
  ...wanted
}: FindRunsRequest): Promise<FoundRuns> {
  if (!hasLedger(file)) return { total: 0, all: 0, runs: [] };
  return viewLedger(file, async (ledger) => {
    const { runs, ...counts } = await ledger.page(await filterOf(wanted, ledger), offset, limit);
    return { ...counts, runs: await listedRuns(ledger, runs) };
  });
}

/** Rejects are found by the name of the file that they come from too: so they are shown. */
async function filterOf(
  { text = '', state, mode }: Pick<FindRunsRequest, 'text' | 'state' | 'mode'>,
  ledger: Ledger,
): Promise<RunFilter> {
  const part = text.trim().toLowerCase();
  if (part === '') return { state, mode };
  const origin = originFinder(await ledger.runs());
  const has = (name: string): boolean => name.toLowerCase().includes(part);
  const isNamed = (input: string): boolean =>
    has(basename(input)) || has(basename(origin(input)?.file ?? ''));
  return {
    ...{ state, mode },
    fits: (inputs, campaign) => inputs.some(isNamed) || (campaign !== null && has(campaign)),
  };
}

/** Counts the rows of a run whose process could not. Gives way to everything else. @throws as `findRun` does */
export const countRun = (
  file: string,
  wanted: string,
  signal?: AbortSignal,
): Promise<CountedRows> =>
  viewLedger(file, async (ledger) => {
    const { run } = await recordedRun(ledger, file, wanted);
    return countRows(ledger, run, breathing(signal));
  });

/** Those of these runs with which something can still happen: they are under way, or can be continued. */
export async function openRuns(
  ledger: string,
  runs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (runs.length === 0 || !hasLedger(ledger)) return new Set();
  return viewLedger(ledger, async (view) => {
    const resumable = await view.resumable(runs);
    const found = await Promise.all(runs.map((run) => view.find(run)));
    const atWork = found.flatMap((run) => (run?.state === 'running' ? [run.run] : []));
    return new Set([...resumable, ...atWork]);
  });
}

/** Ids of the runs of a ledger that have not come to their end: their inputs and mappings are still needed. */
export async function unfinishedRuns(ledger: string): Promise<ReadonlySet<string>> {
  if (!hasLedger(ledger)) return new Set();
  const runs = await viewLedger(ledger, (view) => view.runs());
  return new Set(runs.filter(({ state }) => state !== 'finished').map(({ run }) => run));
}

/** A contact center, and where its runs are kept. */
type CenterOfRuns = Pick<RunOptions, 'installation' | 'baseUrl' | 'ledger'>;

/**
 * A run of a contact center; `null` when it was on another one, the embedded sandbox being one.
 * @throws UsageError when the ledger does not have it, InputError when there is no ledger, ConfigurationError
 */
export async function runOnCenter(
  run: string,
  { installation, baseUrl, ledger }: CenterOfRuns,
): Promise<RunRecord | null> {
  const record = await showRun(run, ledger);
  const isSandbox = baseUrl !== undefined;
  const { sandbox } = await placeOfRun(run, ledger);
  // Lists of runs are asked for often, and most of them name no contact center.
  const { loadInstallation } = await import('../installation/load.js');
  const here = centerOf(await loadInstallation(installation), isSandbox);
  const isSame = sandbox === isSandbox && centerKey(record.installation) === centerKey(here);
  return isSame ? record : null;
}

/**
 * The run whose rejects a file holds, and its input: rows have other numbers there. Rejects of rejects come from the first
 * of these runs. `null` for another file, and where the run is not on record any more.
 */
export async function originOfRejects(
  ledger: string,
  path: string,
): Promise<OriginOfRejects | null> {
  if (!isNamedLikeRejects(path) || !hasLedger(ledger)) return null;
  return (await viewLedger(ledger, (view) => originsOf(view, [path])))(path);
}

/** An input whose header has been read. */
interface HeadedInput {
  readonly name: string;
  readonly headers: readonly string[];
}

/**
 * Names of the inputs that hold rejects, but not where a run of the ledger left them: which run they come from, and what
 * has become of their clients since, nothing tells.
 * @param paths absolute ones, in the order of the inputs
 */
export async function strayRejects(
  ledger: Pick<Ledger, 'runs'>,
  paths: readonly string[],
  inputs: readonly HeadedInput[],
): Promise<string[]> {
  const held = inputs.flatMap(({ name, headers }, at) =>
    headers.includes(OUTCOME_COLUMN) ? [{ name, path: paths[at] ?? name }] : [],
  );
  if (held.length === 0) return [];
  const folders = new Set((await ledger.runs()).map(({ out }) => resolve(out)));
  return held
    .filter(({ path }) => !isNamedLikeRejects(path) || !folders.has(folderOf(path)))
    .map(({ name }) => name);
}

/** How the rejects of a run are imported like the run itself. */
export interface MendSource {
  /** Path of the mapping. */
  readonly mapping: string;
  readonly source: SourceOptions;
  /** The campaign of the run; `null` where it had none. */
  readonly campaign: number | null;
}

/** What an import of a run's rejects is made with; `null` where another version began the run. @throws UsageError */
export function mendSource(wanted: string, ledgerFile: string): Promise<MendSource | null> {
  return withLedger(ledgerFile, async (ledger) => {
    const { run } = await recordedRun(ledger, ledgerFile, wanted);
    const kept = readSettingsForReport(await ledger.settingsOf(run));
    if (!kept) return null;
    const { sheet, ...source } = kept.source ?? {};
    // The rejects of a workbook have one sheet, under its own name.
    const isName = typeof sheet === 'string' && !/^\d+$/.test(sheet);
    return {
      mapping: kept.mapping,
      source: { ...source, ...(isName ? { sheet } : {}) },
      campaign: kept.campaign?.id ?? null,
    };
  });
}

/** Counts which rows are new, gone, ended differently or alike from one run to another. @throws as `compare.ts` says */
export async function compareRuns(request: CompareRunsRequest): Promise<ComparisonCounts> {
  return (await import('./compare.js')).compareRuns(request);
}

/** The same as pieces of text. */
export async function* comparisonLines(request: ComparisonRequest): AsyncGenerator<string, void> {
  yield* (await import('./compare.js')).comparisonLines(request);
}

/** The same of the run that began first with the other, state by state. Gives way to everything else. */
export async function* watchComparison(
  ...given: [file: string, pair: readonly [string, string], signal: AbortSignal]
): AsyncGenerator<ComparisonState, void> {
  yield* (await import('./compare.js')).watchComparison(...given);
}

/** How imports of files named like the first one of a run ended, run by run. @throws as `trend.ts` says */
export async function sourceTrend(
  ...given: [file: string, wanted: string, signal?: AbortSignal]
): Promise<SourceTrend> {
  return (await import('./trend.js')).sourceTrend(...given);
}

/** How the rows of a mapping's files ended from run to run. @throws as `trend.ts` says */
export async function mappingTrend(mapping: string, file?: string): Promise<Trend[]> {
  return (await import('./trend.js')).mappingTrend(mapping, file);
}

/** The report of a run, finished or not, as pieces of text of some size. @throws as `report.ts` says */
export async function* reportLines(
  request: ReportRequest & { readonly format: LineFormat },
): AsyncGenerator<string, void, undefined> {
  yield* (await import('./report.js')).reportLines(request);
}

/** Writes the report of a run, finished or not, into a file; resolves with its absolute path. @throws as `report.ts` says */
export async function writeReportFile(request: ReportFileRequest): Promise<string> {
  return (await import('./report.js')).writeReportFile(request);
}

/** Removes a person from the ledger, and from reports and rejects of all of its runs. @throws as `erase.ts` says */
export async function erasePerson(person: PersonRequest, ledger?: string): Promise<Erased> {
  return (await import('./erase.js')).erasePerson(person, ledger);
}
