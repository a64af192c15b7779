import { hasLedger } from '../options/places.js';
import { centerName } from '../core/client.js';
import type { RunRecord } from '../core/ledger.js';
import { runBehind, readSettingsForReport, wasInSandbox } from '../run/settings.js';
import { basename, dirname, resolve, join } from 'node:path';
import { openLedger } from '../ledger/ledger.js';
import type { Ledger, LedgerOptions } from '../ledger/port.js';
import { REJECTS_NAME } from '../core/report.js';
import { InputError, UsageError, codeOf } from '../core/errors.js';
import { defined, ledgerCommand, nearest } from '../core/text.js';
import { readFileSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import { type ReportFormat, FORMATS, REPORT_FORMATS } from '../report/formats.js';

/** How standard input is called among the inputs of a run. */
const STANDARD_INPUT = 'standard input';

/** A run, and what can be done with it. `rows` is `null` where nobody has counted them yet. */
export interface ListedRun extends RunRecord {
  readonly center: string;
  /** The run that this one takes back or checks; `null` where it works on files. */
  readonly worksOn: string | null;
  readonly files: readonly string[];
  /** Where the rows of the first of them come from; `null` unless it holds rejects of a run on record. */
  readonly rejectsOf: OriginOfRejects | null;
  readonly canResume: boolean;
  /** Runs that took it back, or a part of it. */
  readonly undos: readonly string[];
  /** Whether one of them has come to its end. */
  readonly isTakenBack: boolean;
}

/** Runs with what can be done with them. Of those that are not at their end, finding that out takes a while. */
export async function listedRuns(ledger: Ledger, runs: readonly RunRecord[]): Promise<ListedRun[]> {
  const undos = await ledger.undosOf(runs.map(({ run }) => run));
  const ofFiles = runs.filter(({ inputs }) => !inputs.includes(STANDARD_INPUT));
  const resumable = await ledger.resumable(ofFiles.map(({ run }) => run));
  const works: Pick<ListedRun, 'worksOn' | 'files'>[] = [];
  for (const run of runs) {
    const worksOn = runBehind(await ledger.settingsOf(run.run));
    const files = (worksOn === null ? run : await ledger.find(worksOn))?.inputs ?? [];
    works.push({ worksOn, files });
  }
  const firsts = works.flatMap(({ files }) => files.slice(0, 1));
  const origin = await originsOf(ledger, firsts);
  const breath = breathing();
  const listed: ListedRun[] = [];
  for (const [index, run] of runs.entries()) {
    const undoneBy = undos.get(run.run) ?? [];
    const { worksOn = null, files = [] } = works[index] ?? {};
    listed.push({
      ...(await withSettings(ledger, run)),
      center: centerName(run.installation),
      ...{ worksOn, files, rejectsOf: origin(files[0] ?? '') },
      canResume: resumable.has(run.run),
      undos: undoneBy,
      isTakenBack: await haveTakenBack(ledger, undoneBy),
    });
    await breath();
  }
  return listed;
}

/** Whether one of these undos has come to its end, and has taken something back: once more it would find nothing to do. */
export async function haveTakenBack(ledger: Ledger, undos: readonly string[]): Promise<boolean> {
  const runs = await Promise.all(undos.map((id) => ledger.find(id)));
  return runs.some((run) => run?.state === 'finished' && (run.outcomes?.undone ?? 0) > 0);
}

/** Where rows of a rejects file come from. */
export interface OriginOfRejects {
  readonly run: string;
  readonly file: string;
}

/** Finds where the rows of a file come from; `null` for another file, and where the run is not on record any more. */
type FindOrigin = (path: string) => OriginOfRejects | null;

/**
 * The same for the files of several runs. The folder of a run is named by its id unless the command named it: only then are
 * all runs read, once.
 */
export async function originsOf(
  ledger: Pick<Ledger, 'runs' | 'find'>,
  paths: readonly string[],
): Promise<FindOrigin> {
  const known = new Map<string, RunRecord>();
  let missing = paths.filter(isNamedLikeRejects);
  while (missing.length > 0) {
    const found = await Promise.all(missing.map((path) => ledger.find(basename(folderOf(path)))));
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

export const isNamedLikeRejects = (path: string): boolean => REJECTS_NAME.test(basename(path));
export const folderOf = (path: string): string => dirname(resolve(path));

/** How long a ledger is waited for that another process has for itself, in milliseconds. */
const BUSY_MS = 250;

/** How a ledger is opened that others may be using. */
export const VIEWED: LedgerOptions = { thread: false, busyMs: BUSY_MS };

/** Opens it for as long as `use` takes. @throws InputError when there is none, LedgerError */
export const viewLedger = <T>(file: string, use: (ledger: Ledger) => Promise<T>): Promise<T> =>
  withLedger(file, use, VIEWED);

/** With the name of its campaign, and whether it was in a sandbox, where the run kept that. */
export async function withSettings(ledger: Ledger, run: RunRecord): Promise<RunRecord> {
  const kept = await ledger.settingsOf(run.run);
  const campaignName =
    run.campaignId === null ? undefined : readSettingsForReport(kept)?.campaign?.name;
  return { ...run, ...defined({ campaignName, isSandbox: wasInSandbox(kept) }) };
}

/** Opens a ledger that is there. @throws InputError when there is none. */
export async function existingLedger(file: string, options: LedgerOptions = {}): Promise<Ledger> {
  if (hasLedger(file)) return openLedger(file, options);
  const reason = 'there is no ledger here. Check its path, which --ledger gives.';
  throw new InputError('no_such_file', reason, { file });
}

/** Opens a ledger that is there, for as long as `use` takes. */
export async function withLedger<T>(
  file: string,
  use: (ledger: Ledger) => Promise<T>,
  options?: LedgerOptions,
): Promise<T> {
  const ledger = await existingLedger(file, options);
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** The same for what is made piece by piece: the ledger is read as the pieces are taken. */
export async function* piecesFrom<T>(
  file: string,
  make: (ledger: Ledger) => AsyncIterable<T>,
  options?: LedgerOptions,
): AsyncGenerator<T, void, undefined> {
  const ledger = await existingLedger(file, options);
  try {
    yield* make(ledger);
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

/** Opens a ledger that is there for as long as `use` takes, which is given a run of it. @throws as `recordedRun` does */
export const withRun = <T>(
  file: string,
  wanted: string,
  use: (ledger: Ledger, run: RunRecord) => Promise<T>,
  options?: LedgerOptions,
): Promise<T> =>
  withLedger(file, async (ledger) => use(ledger, await recordedRun(ledger, file, wanted)), options);

/** What is wrong where a run is not there, or none is left to continue. */
export function noSuchRun(
  ledger: string,
  wanted: string | undefined,
  runs: readonly RunRecord[],
): UsageError {
  if (wanted === undefined)
    return new UsageError(
      runs.length === 0
        ? `There is no run in ${ledger} yet; there is nothing to resume.`
        : `Every run in ${ledger} is finished; there is nothing to resume.`,
    );
  const near = nearest(
    wanted,
    runs.map(({ run }) => run),
  );
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return new UsageError(
    `${ledger} has no run ${wanted}; "${ledgerCommand(ledger, 'runs')}" lists what it has.${meant}`,
  );
}

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
  const owner = summaryIn(out, true)?.run;
  if (owner !== undefined && owner !== run) return [];
  return namesIn(out).flatMap((name) => {
    const kind = kindOf(name);
    return kind ? [{ path: join(out, name), name, kind }] : [];
  });
}

const summary = z.object({
  run: z.string(),
  checks: z
    .array(
      z.object({
        ...{ subject: z.string(), holds: z.boolean(), else: z.enum(['stop', 'warn']) },
        ...{ rows: z.number(), of: z.number(), limit: z.string() },
        examples: z.array(
          z.object({ input: z.number(), sheet: z.string().nullable(), row: z.number() }),
        ),
      }),
    )
    .catch([]),
});

/**
 * What is kept of the summary in a folder: which run it is of, and what the checks of its list came to. `isNeeded`: whether
 * one that may not be read is an error.
 */
export function summaryIn(folder: string, isNeeded: boolean): z.infer<typeof summary> | undefined {
  try {
    return summary.safeParse(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError || isAbsent(error)) return undefined;
    if (!isNeeded && codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

export function namesIn(folder: string): string[] {
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

const keptMapping = z.object({ mapping: z.string() });

/** Path of the mapping of a run; `null` when it had none, as an undo. */
export const mappingOf = (kept: unknown): string | null =>
  keptMapping.safeParse(kept).data?.mapping ?? null;
