import { DEFAULT_LEDGER, hasLedger } from '../options/places.js';
import type { RunRecord } from '../core/ledger.js';
import {
  withLedger,
  withRun,
  withSettings,
  recordedRun,
  piecesFrom,
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
  isOfRejects,
  VIEWED,
  mappingOf,
} from './runs.js';
import { type RowReport, OUTCOME_COLUMN } from '../core/report.js';
import { reportedRows } from '../run/recorded.js';
import type { Ledger, RunFilter } from '../ledger/port.js';
import { noOutcomes, MODE_TRAITS, isImport } from '../core/outcome.js';
import { readPlace, centerOf, readSettingsForReport } from '../run/settings.js';
import { rmSync, existsSync, rmdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { RunOptions } from '../run/requests.js';
import { centerKey } from '../core/client.js';
import type { SourceOptions } from '../core/table.js';
import type { Erased, PersonRequest } from './erase.js';
import type { ReportFileRequest, ReportRequest } from './report.js';
import type { LineFormat } from '../report/formats.js';
import {
  comparisonJson,
  comparisonText,
  type ComparedWay,
  frequentFirst,
  noteWay,
  type ComparisonCounts,
  noCounts,
  type RowDifference,
  type RunPair,
  comparisonSteps,
  sourceOf,
  type TrendFigures,
  trendFigures,
  type Trend,
  type TrendPoint,
  trendPoints,
  trendsOf,
} from './compare.js';
import { UsageError } from '../core/errors.js';
import { suggestion } from '../core/text.js';

/*
 * What past runs tell, read from their facts: lists of runs, one run, its rows and reports, two runs side by side, many of
 * one source, and what is forgotten of them. What writes reports and erases is loaded where it is asked for. The page keeps
 * indexes of rows besides (`results.ts`).
 */

export {
  type ComparisonCounts,
  type RejectReason,
  type RowDifference,
  type Trend,
  type TrendPoint,
  sourceOf,
  trendText,
} from './compare.js';
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
  return withRun(ledgerFile, wanted, async (ledger, recorded) => {
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

/** How the rows of a run have ended so far. `breath`: called now and then, to give way to others. */
async function countRows(
  ledger: Ledger,
  run: string,
  breath: () => Promise<void> | undefined = () => undefined,
) {
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
export const latestRunId = async (ledgerFile = DEFAULT_LEDGER): Promise<string> =>
  (await latestRun(ledgerFile, () => true, 'runs')).run;

const latestRun = (
  ledgerFile: string,
  fits: (run: RunRecord) => boolean,
  what: string,
): Promise<RunRecord> =>
  withLedger(ledgerFile, async (ledger) => {
    const found = (await ledger.runs()).find(fits);
    if (!found) throw new UsageError(`${ledgerFile} has no ${what}.`);
    return found;
  });

/**
 * Id of the latest run that can be taken back. One that was taken back already is named again: what was done before it
 * is not undone because a command was given twice.
 * @throws as `latestRunId` does
 */
export function latestUndoable(ledgerFile = DEFAULT_LEDGER): Promise<RunRecord> {
  const canBeUndone = ({ mode, unread }: RunRecord): boolean =>
    unread === undefined && MODE_TRAITS[mode].notUndoable === null;
  return latestRun(ledgerFile, canBeUndone, 'run that can be taken back');
}

/** Where a run was: what an undo needs to know before it can begin. @throws UsageError */
export async function placeOfRun(
  wanted: string,
  ledgerFile = DEFAULT_LEDGER,
): Promise<{ readonly installation: string; readonly sandbox: boolean }> {
  return withRun(ledgerFile, wanted, async (ledger, { run }) =>
    readPlace(run, await ledger.settingsOf(run)),
  );
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
        if (!run) continue;
        for (const { path } of keptFiles(run)) rmSync(path, { force: true });
        // The folder goes where nothing else is in it.
        if (existsSync(run.out) && namesIn(run.out).length === 0) rmdirSync(run.out);
      }
    });
  });
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

/**
 * A page of the runs of a ledger, the latest first, with how many fit (`total`) and how many the ledger has (`all`). Where
 * there is no ledger yet, there are no runs. @throws LedgerError
 */
export async function findRuns({
  ledger: file,
  offset,
  limit,
  ...wanted
}: FindRunsRequest): Promise<{
  readonly total: number;
  readonly all: number;
  readonly runs: readonly ListedRun[];
}> {
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

/** Counts the rows of a run whose process could not. Gives way to everything else. @throws as `recordedRun` does */
export const countRun = (file: string, wanted: string, signal?: AbortSignal) =>
  withRun(file, wanted, (ledger, { run }) => countRows(ledger, run, breathing(signal)), VIEWED);

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

/**
 * A run of a contact center; `null` when it was on another one, the embedded sandbox being one.
 * @throws UsageError when the ledger does not have it, InputError when there is no ledger, ConfigurationError
 */
export async function runOnCenter(
  run: string,
  { installation, baseUrl, ledger }: Pick<RunOptions, 'installation' | 'baseUrl' | 'ledger'>,
): Promise<RunRecord | null> {
  const record = await showRun(run, ledger);
  const isSandbox = baseUrl !== undefined;
  const { sandbox } = await placeOfRun(run, ledger);
  // Lists of runs are asked for often, and most of them name no contact center.
  const { loadInstallation } = await import('../installation/installation.js');
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

/**
 * Names of the inputs that hold rejects, but not where a run of the ledger left them: which run they come from, and what
 * has become of their clients since, nothing tells.
 * @param paths absolute ones, in the order of the inputs
 */
export async function strayRejects(
  ledger: Pick<Ledger, 'runs'>,
  paths: readonly string[],
  inputs: readonly { readonly name: string; readonly headers: readonly string[] }[],
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
  readonly mapping: string;
  readonly source: SourceOptions;
  /** The campaign of the run; `null` where it had none. */
  readonly campaign: number | null;
}

/** What an import of a run's rejects is made with; `null` where another version began the run. @throws UsageError */
export function mendSource(wanted: string, ledgerFile: string): Promise<MendSource | null> {
  return withRun(ledgerFile, wanted, async (ledger, { run }) => {
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

interface RunPairRequest {
  readonly earlier: string;
  readonly later: string;
  /** @default 'cardline.db' */
  readonly ledger?: string | undefined;
}

interface CompareRunsRequest extends RunPairRequest {
  /** Called with every row that is new, gone or ended differently, one after the other. */
  readonly onDifference?: ((difference: RowDifference) => void) | undefined;
}

/**
 * Counts which rows are new, gone, ended differently or alike from one run to another, matched by uuid. What is held is
 * the uuids of the earlier run.
 * @throws InputError when there is no ledger, UsageError when it does not have the runs, LedgerError.
 */
export const compareRuns = (request: CompareRunsRequest): Promise<ComparisonCounts> =>
  withLedger(request.ledger ?? DEFAULT_LEDGER, async (ledger) => {
    const counts = noCounts();
    const pair = await pairOf(ledger, request);
    for (const step of await between(ledger, pair, counts)) if (step) request.onDifference?.(step);
    return counts;
  });

interface ComparisonRequest extends RunPairRequest {
  /** JSON with every row that differs, not a text with examples. */
  readonly json: boolean;
  /** Of the terminal, in characters. @default lines are not wrapped */
  readonly width?: number | undefined;
}

/** The same as pieces of text. @throws as `compareRuns` does */
export const comparisonLines = (
  request: ComparisonRequest,
): AsyncGenerator<string, void, undefined> =>
  piecesFrom(request.ledger ?? DEFAULT_LEDGER, async function* (ledger) {
    const counts = noCounts();
    const pair = await pairOf(ledger, request);
    const steps = await between(ledger, pair, counts);
    if (request.json) yield* comparisonJson(pair, steps, counts);
    else yield comparisonText(pair, steps, counts, request.width);
  });

const pairOf = async (
  ledger: Ledger,
  { earlier, later, ledger: file = DEFAULT_LEDGER }: RunPairRequest,
): Promise<RunPair> => ({
  earlier: await recordedRun(ledger, file, earlier),
  later: await recordedRun(ledger, file, later),
});

async function between(ledger: Ledger, { earlier, later }: RunPair, counts: ComparisonCounts) {
  const before = await ledger.rowsOf(earlier.run);
  const ofRejects = await isOfRejects(ledger, earlier, later);
  return comparisonSteps(() => before, await ledger.rowsOf(later.run), counts, ofRejects);
}

/** How often a state is yielded, in milliseconds. */
const EVERY_MS = 250;

/**
 * Compares two runs as `compareRuns` does, the one that began first with the other, and yields how far it is. Gives way
 * to everything else.
 * @throws UsageError when the ledger does not have the runs, LedgerError
 */
export const watchComparison = (
  file: string,
  pair: readonly [string, string],
  signal: AbortSignal,
) =>
  piecesFrom(
    file,
    async function* (ledger) {
      const records = await Promise.all(pair.map((run) => recordedRun(ledger, file, run)));
      records.sort((a, b) => a.createdAt - b.createdAt);
      const [earlier, later] = await listedRuns(ledger, records);
      if (!earlier || !later) return;
      const [before, after] = [earlier.rows, later.rows];
      const all = before === null || after === null ? null : 2 * before + after;
      const counts = noCounts();
      const ways = new Map<string, ComparedWay>();
      // In the later run, or in the earlier one where the row is gone.
      const placeOf = ({ kind, place: { input, ...place } }: RowDifference) => {
        const { inputs } = kind === 'gone' ? earlier : later;
        return { file: inputs[input] ?? '', ...place };
      };
      const stateAfter = (seen: number, done: boolean) => ({
        ...{ earlier, later, counts },
        ways: frequentFirst(ways).map((way) => ({ ...way, examples: way.examples.map(placeOf) })),
        // 0 to 1; `null` where nobody has counted the rows of both.
        share: done ? 1 : all === null ? null : Math.min(1, seen / Math.max(1, all)),
        done,
      });
      const breath = breathing(signal);
      let [seen, announcedAt] = [0, performance.now()];
      for (const step of await between(ledger, { earlier, later }, counts)) {
        if (step) noteWay(ways, step);
        if (++seen % 100 > 0) continue;
        await breath();
        if (performance.now() - announcedAt < EVERY_MS) continue;
        yield stateAfter(seen, false);
        announcedAt = performance.now();
      }
      yield stateAfter(seen, true);
    },
    VIEWED,
  );

/** How many runs are shown at most: the latest. */
const MAX_RUNS = 100;
/** So many are looked at for them: undos and comparisons of the same files are among those. */
const MAX_LOOKED_AT = 4 * MAX_RUNS;

/**
 * How imports of files named like the first one of a run ended, run by run, the earliest first. Where the ledger has the
 * counts, no row is read; else they are counted, and everything else is given way to.
 * @throws UsageError when the ledger does not have the run, or it has no file; LedgerError
 */
export const sourceTrend = (file: string, wanted: string, signal?: AbortSignal) =>
  viewLedger(file, async (ledger) => {
    const {
      inputs: [first],
    } = await recordedRun(ledger, file, wanted);
    if (first === undefined) throw new UsageError(`Run ${wanted} was not of a file.`);
    const source = sourceOf(first);
    const isAlike = (inputs: readonly string[]): boolean =>
      inputs.some((input) => sourceOf(input) === source);
    const { runs } = await ledger.page({ fits: isAlike }, 0, MAX_LOOKED_AT);
    const imports = runs.filter(({ mode, state }) => isImport(mode) && state !== 'running');
    const points: TrendFigures[] = [];
    for (const run of imports.slice(0, MAX_RUNS).reverse())
      for (const point of await pointsOf(ledger, run, signal))
        if (point.rows > 0 && sourceOf(point.file) === source) points.push(point);
    const mapping = mappingOf(await ledger.settingsOf(wanted));
    // `source`: the name of the files, with `#` for numbers; `isCut`: whether there are earlier runs that are left out.
    return { source, points, isCut: imports.length > MAX_RUNS, mapping };
  });

async function pointsOf(
  ledger: Ledger,
  run: RunRecord,
  signal: AbortSignal | undefined,
): Promise<TrendFigures[]> {
  const [only = '', ...others] = run.inputs;
  if (others.length === 0 && run.outcomes !== null) return [trendFigures(run, only, run.outcomes)];
  const counts = run.inputs.map(() => noOutcomes());
  const breath = breathing(signal);
  let rows = 0;
  for (const { input, outcome } of await ledger.rowsOf(run.run)) {
    const its = counts[input];
    if (its) its[outcome]++;
    if (++rows % 100 === 0) await breath();
  }
  return counts.map((outcomes, index) => trendFigures(run, run.inputs[index] ?? '', outcomes));
}

/**
 * How the rows of a mapping's files ended from run to run, so that a decline is seen. Runs are identified by the path of their
 * mapping.
 * @throws InputError when there is no ledger, UsageError when no run is of the mapping.
 */
export const mappingTrend = (mapping: string, file = DEFAULT_LEDGER): Promise<Trend[]> =>
  withLedger(file, async (ledger) => {
    const wanted = resolve(mapping);
    const known = new Set<string>();
    const points: TrendPoint[] = [];
    for (const run of await ledger.runs()) {
      // A comparison sends nothing: it is no import of a file.
      if (run.mode === 'reconcile') continue;
      const kept = await ledger.settingsOf(run.run);
      const its = mappingOf(kept);
      if (its === null) continue;
      known.add(its);
      if (its !== wanted) continue;
      const settings = readSettingsForReport(kept) ?? {};
      points.push(...trendPoints(run, await ledger.rowsOf(run.run), settings));
    }
    if (!known.has(wanted)) {
      const hint = suggestion(wanted, [...known]);
      throw new UsageError(
        `${file} has no run of the mapping ${wanted}.${hint === undefined ? '' : ` ${hint}`}`,
      );
    }
    return trendsOf(points);
  });
