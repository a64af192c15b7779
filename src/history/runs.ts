import { hasLedger, DEFAULT_LEDGER } from '../options/places.js';
import { centerKey, centerName } from '../core/center.js';
import type { RunRecord } from '../core/ledger.js';
import {
  centerOf,
  runBehind,
  readPlace,
  readSettingsForReport,
  wasInSandbox,
} from '../run/settings.js';
import type { RunOptions } from '../run/requests.js';
import { basename, dirname, resolve, join } from 'node:path';
import { noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import { openLedger } from '../ledger/ledger.js';
import type { Ledger, RunFilter, LedgerOptions } from '../ledger/port.js';
import { OUTCOME_COLUMN, REJECTS_NAME, type RowReport } from '../core/report.js';
import { InputError, UsageError, codeOf } from '../core/errors.js';
import { defined, ledgerCommand } from '../core/text.js';
import { reportedRows } from '../run/recorded.js';
import { MODE_TRAITS } from '../core/mode.js';
import { nearest } from '../config/nearest.js';
import { existsSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { z } from 'zod';
import { type ReportFormat, FORMATS, REPORT_FORMATS } from '../report/formats.js';

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

/** How standard input is called among the inputs of a run. */
const STANDARD_INPUT = 'standard input';

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

/** A run, and what can be done with it. `rows` is `null` where nobody has counted them yet. */
export interface ListedRun extends RunRecord {
  /** Name of the contact center. */
  readonly center: string;
  /** The run that this one takes back or checks; `null` where it works on files. */
  readonly worksOn: string | null;
  /** The inputs of that run, or its own. */
  readonly files: readonly string[];
  /** Where the rows of the first of them come from; `null` unless it holds rejects of a run on record. */
  readonly rejectsOf: OriginOfRejects | null;
  readonly canResume: boolean;
  /** Runs that took it back, or a part of it. */
  readonly undos: readonly string[];
  /** Whether one of them has come to its end. */
  readonly isTakenBack: boolean;
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

/** Runs with what can be done with them. Of those that are not at their end, finding that out takes a while. */
export async function listedRuns(ledger: Ledger, runs: readonly RunRecord[]): Promise<ListedRun[]> {
  const undos = await ledger.undosOf(runs.map(({ run }) => run));
  const ofFiles = runs.filter(({ inputs }) => !inputs.includes(STANDARD_INPUT));
  const resumable = await ledger.resumable(ofFiles.map(({ run }) => run));
  const works: { readonly worksOn: string | null; readonly files: readonly string[] }[] = [];
  for (const run of runs) {
    const worksOn = runBehind(await ledger.settingsOf(run.run));
    const files = (worksOn === null ? run : await ledger.find(worksOn))?.inputs ?? [];
    works.push({ worksOn, files });
  }
  const origin = await originsOf(
    ledger,
    works.flatMap(({ files }) => files.slice(0, 1)),
  );
  const breath = breathing();
  const listed: ListedRun[] = [];
  for (const [index, run] of runs.entries()) {
    const undoneBy = undos.get(run.run) ?? [];
    const { worksOn = null, files = [] } = works[index] ?? {};
    const undoRuns = await Promise.all(undoneBy.map((id) => ledger.find(id)));
    listed.push({
      ...(await withSettings(ledger, run)),
      center: centerName(run.installation),
      ...{ worksOn, files, rejectsOf: origin(files[0] ?? '') },
      canResume: resumable.has(run.run),
      undos: undoneBy,
      isTakenBack: undoRuns.some((undo) => undo && hasTakenBack(undo)),
    });
    await breath();
  }
  return listed;
}

/** How the rows of a run have ended so far. */
interface CountedRows {
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
}

/** Counts the rows of a run whose process could not. Gives way to everything else. @throws as `findRun` does */
export const countRun = (
  file: string,
  wanted: string,
  signal?: AbortSignal,
): Promise<CountedRows> =>
  viewLedger(file, async (ledger) => {
    const { run } = await recordedRun(ledger, file, wanted);
    const breath = breathing(signal);
    const outcomes = noOutcomes();
    let rows = 0;
    for (const row of await ledger.rowsOf(run)) {
      outcomes[row.outcome]++;
      rows++;
      if (rows % 100 === 0) await breath();
    }
    return { rows, outcomes };
  });

/** Whether an undo has come to its end, and has taken something back: once more it would find nothing to do. */
export const hasTakenBack = ({ state, outcomes }: RunRecord): boolean =>
  state === 'finished' && (outcomes?.undone ?? 0) > 0;

/** Where rows of a rejects file come from. */
export interface OriginOfRejects {
  /** The first run of them. */
  readonly run: string;
  /** Its input. */
  readonly file: string;
}

/** Finds where the rows of a file come from; `null` for another file, and where the run is not on record any more. */
type FindOrigin = (path: string) => OriginOfRejects | null;

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
 * The same for the files of several runs. The folder of a run is named by its id unless the command named it: only then are
 * all runs read, once.
 */
async function originsOf(
  ledger: Pick<Ledger, 'runs' | 'find'>,
  paths: readonly string[],
): Promise<FindOrigin> {
  const known = new Map<string, RunRecord>();
  let missing = paths.filter(isNamedLikeRejects);
  while (missing.length > 0) {
    const found = await Promise.all(missing.map((path) => ledger.find(idIn(path))));
    for (const run of found) if (run) known.set(resolve(run.out), run);
    if (missing.some((path) => !known.has(folderOf(path))))
      return originFinder(await ledger.runs());
    const before = missing.flatMap((path) => originIn(known, path)?.file ?? []);
    missing = before.filter((file) => isNamedLikeRejects(file) && !known.has(folderOf(file)));
  }
  return finderIn(known);
}

/** Whether all inputs of a run are rejects of another one, or rejects of these. */
export async function isOfRejects(
  ledger: Pick<Ledger, 'runs' | 'find'>,
  { run }: Pick<RunRecord, 'run'>,
  { inputs }: Pick<RunRecord, 'inputs'>,
): Promise<boolean> {
  const originOf = await originsOf(ledger, inputs);
  return inputs.length > 0 && inputs.every((path) => originOf(path)?.run === run);
}

/** Finds origins among these runs, the latest first. */
export const originFinder = (runs: readonly RunRecord[]): FindOrigin =>
  finderIn(new Map(runs.map((run) => [resolve(run.out), run] as const).reverse()));

type RunsByFolder = ReadonlyMap<string, RunRecord>;

function finderIn(byFolder: RunsByFolder): FindOrigin {
  return (path) => {
    let origin = originIn(byFolder, path);
    for (let next = origin; next; next = originIn(byFolder, next.file)) origin = next;
    return origin;
  };
}

function originIn(byFolder: RunsByFolder, path: string): OriginOfRejects | null {
  const [name, number = '-1'] = REJECTS_NAME.exec(basename(path)) ?? [];
  if (name === undefined) return null;
  const from = byFolder.get(folderOf(path));
  const file = from?.inputs[Number(number.slice(1)) - 1];
  return from && file !== undefined && file !== path ? { run: from.run, file } : null;
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

const isNamedLikeRejects = (path: string): boolean => REJECTS_NAME.test(basename(path));
const folderOf = (path: string): string => dirname(resolve(path));
const idIn = (path: string): string => basename(folderOf(path));

/** How long a ledger is waited for that another process has for itself, in milliseconds. */
const BUSY_MS = 250;

/** Opens a ledger that others may be using. @throws InputError when there is none, LedgerError */
export const viewedLedger = (file: string): Promise<Ledger> =>
  existingLedger(file, { thread: false, busyMs: BUSY_MS });

/** The same for as long as `use` takes. */
export async function viewLedger<T>(file: string, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await viewedLedger(file);
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

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
export async function* runRows(
  wanted: string,
  ledgerFile = DEFAULT_LEDGER,
): AsyncGenerator<RowReport, void, undefined> {
  const ledger = await existingLedger(ledgerFile);
  try {
    const run = await recordedRun(ledger, ledgerFile, wanted);
    yield* reportedRows(run, await ledger.rowsOf(run.run));
  } finally {
    await ledger.close();
  }
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

/** With the name of its campaign, and whether it was in a sandbox, where the run kept that. */
export async function withSettings(ledger: Ledger, run: RunRecord): Promise<RunRecord> {
  const kept = await ledger.settingsOf(run.run);
  const campaignName =
    run.campaignId === null ? undefined : readSettingsForReport(kept)?.campaign?.name;
  return { ...run, ...defined({ campaignName, isSandbox: wasInSandbox(kept) }) };
}

/** Counts from the facts where no process could leave them behind. */
async function counted(ledger: Ledger, run: RunRecord): Promise<RunRecord> {
  if (run.rows !== null) return run;
  const outcomes = noOutcomes();
  let rows = 0;
  for (const row of await ledger.rowsOf(run.run)) {
    outcomes[row.outcome]++;
    rows++;
  }
  return { ...run, rows, outcomes };
}

/** Opens a ledger that is there. @throws InputError when there is none. */
export async function existingLedger(file: string, options: LedgerOptions = {}): Promise<Ledger> {
  if (hasLedger(file)) return openLedger(file, options);
  const reason = 'there is no ledger here. Check its path, which --ledger gives.';
  throw new InputError('no_such_file', reason, { file });
}

/** Opens a ledger that is there, for as long as `use` takes. */
export async function withLedger<T>(file: string, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await existingLedger(file);
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** A run by its id. @throws UsageError when the ledger does not have it. */
export async function recordedRun(
  ledger: Ledger,
  ledgerFile: string,
  wanted: string,
): Promise<RunRecord> {
  const run = await ledger.find(wanted);
  if (!run) throw noSuchRun(ledgerFile, wanted, await ledger.runs());
  return run;
}

/** The latest run of a ledger, or the latest that fits. @throws UsageError when there is none */
export async function latestRun(
  ledger: Ledger,
  ledgerFile: string,
  fits: (run: RunRecord) => boolean = () => true,
  what = 'runs',
): Promise<RunRecord> {
  const found = (await ledger.runs()).find(fits);
  if (!found) throw new UsageError(`${ledgerFile} has no ${what}.`);
  return found;
}

/** What is wrong where a run is not there, or none is left to continue. */
export function noSuchRun(
  ledger: string,
  wanted: string | undefined,
  runs: readonly RunRecord[],
): UsageError {
  if (wanted === undefined)
    return new UsageError(`Every run in ${ledger} is finished; there is nothing to resume.`);
  const near = nearest(
    wanted,
    runs.map(({ run }) => run),
  );
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return new UsageError(
    `${ledger} has no run ${wanted}; "${ledgerCommand(ledger, 'runs')}" lists what it has.${meant}`,
  );
}

/** Files that runs leave in the folders of their reports. */
type KeptKind = 'report' | 'rows' | 'other';

export interface KeptFile {
  readonly path: string;
  readonly name: string;
  /** `report`: made from the ledger alone; `rows`: it has rows of the inputs; `other`: it names nobody. */
  readonly kind: KeptKind;
}

const ENDINGS = REPORT_FORMATS.map((format: ReportFormat) => FORMATS[format].ending.slice(1)).join(
  '|',
);
const KINDS: readonly (readonly [RegExp, KeptKind])[] = [
  [new RegExp(`^report(-[a-z_-]+)?\\.(${ENDINGS})$`), 'report'],
  [/^(rejects|fixes)(-\d+)?\.(csv|xlsx)$/, 'rows'],
  [/^(summary\.json|run\.log)$/, 'other'],
];

/** What a file of this name is to a run; `undefined`: somebody else's. */
export const kindOf = (name: string): KeptKind | undefined =>
  KINDS.find(([pattern]) => pattern.test(name))?.[1];

/** What a run has left in the folder of its report. Nothing where the folder has that of a later run. */
export function keptFiles({ run, out }: Pick<RunRecord, 'run' | 'out'>): KeptFile[] {
  const owner = ownerOf(out);
  if (owner !== undefined && owner !== run) return [];
  return namesIn(out).flatMap((name) => {
    const kind = kindOf(name);
    return kind ? [{ path: join(out, name), name, kind }] : [];
  });
}

/** Removes what a run has left there, and the folder where nothing else is in it. */
function removeKept(run: Pick<RunRecord, 'run' | 'out'>): void {
  for (const { path } of keptFiles(run)) rmSync(path, { force: true });
  if (existsSync(run.out) && namesIn(run.out).length === 0) rmdirSync(run.out);
}

const summary = z.object({ run: z.string() });

/** The run whose summary is in a folder; `undefined`: none. */
function ownerOf(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, 'summary.json'), 'utf8');
    return summary.safeParse(JSON.parse(text)).data?.run;
  } catch (error) {
    if (error instanceof SyntaxError || isAbsent(error)) return undefined;
    throw error;
  }
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** How long one thing may keep the event loop from everything else, in milliseconds. */
const SLICE_MS = 15;

/** Gives way to everything else at times, for work that takes long in one thread. @returns what is awaited now and then */
export function breathing(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve, reject) =>
      setImmediate(() => {
        since = performance.now();
        if (signal?.aborted) reject(signal.reason as Error);
        else resolve();
      }),
    );
  };
}
