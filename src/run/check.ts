import { type QualityCounts, QUALITY_PART_NAMES, noQuality } from '../core/quality.js';
import { join, resolve } from 'node:path';
import { EvidenceTally } from '../core/table.js';
import { changedText, type Progress } from '../core/report.js';
import { EXIT, interruption, isInterruption, StopRun } from '../core/errors.js';
import { notesOf, suspicionsOf } from '../mapping/suspicions.js';
import type { Mode } from '../core/mode.js';
import { noOutcomes } from '../core/outcome.js';
import type { PreparedChunk, ShownPayload } from '../core/prepared.js';
import { ProblemCounts, SuppressedTally } from '../core/problem.js';
import { seenKeysOf } from '../lists/seen.js';
import { ReasonTally, topReasons } from '../report/reasons.js';
import { checkWindow } from './call-window.js';
import { isStopped } from '../report/text/check-text.js';
import { type Screened, screenChunk } from '../delivery/import.js';
import { type ComparedRows, comparedRows, FileRows } from './rows.js';
import { scoped } from './scoped.js';
import type { rowsOnRecord } from './earlier-rows.js';
import { OutputError } from '../report/files.js';
import type { OpenedInput, Preparation } from '../prepare/plan.js';
import type { CheckRequest, CheckResult } from './requests.js';
import { CALL_TIMES, type CallCounts, noCalls } from '../core/hours.js';
import { type ListFacts, listFacts, type ListPlan, listPlan } from './list.js';
import { problemText } from '../report/text/words.js';
import type { RejectsWriter } from '../report/rejects/rejects-layout.js';
import { rejectsPath } from './settings.js';
import { rejectsWriter } from './rejects.js';

const DEFAULT_SHOW = 3;

/** Who looks on while files are checked. */
export interface CheckWatcher {
  /** Whether rejected rows are kept by it, and no files of them are to be written. */
  readonly keepsRejects: boolean;
  /** Called when all inputs are open. */
  onOpened(inputs: readonly OpenedInput[], mode: Mode): void;
  /** Called with each chunk, and with what was counted up to its end; `duplicates`: those of the chunk. */
  onChunk(
    chunk: PreparedChunk,
    counts: Pick<CheckResult, 'rows' | 'clients' | 'rejected' | 'skipped'>,
    duplicates: number,
  ): void;
}

/** The rejects of a check could not be written; everything else was found out. */
export class UnwrittenRejects extends OutputError {
  constructor(
    { file, cause }: OutputError,
    readonly result: CheckResult,
  ) {
    super(file, cause);
  }
}

/**
 * Does all that an import does but send: reads, maps, finds duplicates, and writes the rejects.
 * @throws ConfigurationError, InputError, StopRun when the signal is aborted, UnwrittenRejects
 */
export async function checkFiles(
  request: CheckRequest,
  watcher?: CheckWatcher,
): Promise<CheckResult> {
  try {
    return await checkInputs(request, watcher);
  } catch (error) {
    throw isInterruption(error) ? new StopRun('The check was stopped.', { cause: error }) : error;
  }
}

const checkInputs = (
  request: CheckRequest,
  watcher: CheckWatcher | undefined,
): Promise<CheckResult> =>
  scoped(async (closing) => {
    const { show = DEFAULT_SHOW, signal } = request;
    const rows = await FileRows.open(request, { purpose: 'check', show }, closing);
    const { preparation, mapping } = rows;
    watcher?.onOpened(preparation.inputs, mapping.mode);
    const search = {
      earlier: () => onRecord(request, preparation),
      later: (earlier: ComparedRows['earlier']) => rows.later(earlier, signal),
    };
    const compared = await comparedRows(preparation.duplicates, search, closing);
    const asking = checkWindow(request, mapping, preparation.installation);
    const [result] = await Promise.all([checkRows(request, rows, compared, watcher), asking]);
    return result;
  });

/** Few mappings compare with earlier runs: what reads a ledger is loaded where one does. */
const onRecord: typeof rowsOnRecord = async (request, preparation) =>
  (await import('./earlier-rows.js')).rowsOnRecord(request, preparation);

async function checkRows(
  request: CheckRequest,
  rows: FileRows,
  compared: ComparedRows,
  watcher: CheckWatcher | undefined,
): Promise<CheckResult> {
  const { preparation, names } = rows;
  const [started, seen] = [performance.now(), seenKeysOf(preparation.duplicates.by)];
  const screen = { ...compared, duplicates: preparation.duplicates, inputs: names, seen };
  const rejects = rejectsFor(request, preparation, watcher);
  const sample: ShownPayload[] = [];
  const [problems, remarks] = [new ProblemCounts(), new ProblemCounts()];
  const [repeated, suppressed] = [new ProblemCounts(), new SuppressedTally()];
  const [evidence, reasons] = [new EvidenceTally(), new ReasonTally()];
  const list = new CheckedList(rows, request);
  const counts = { rows: 0, clients: 0, rejected: 0, skipped: 0 };
  let number = 0;
  try {
    for await (const chunk of rows.chunks()) {
      if (request.signal?.aborted) throw interruption(request.signal);
      const { passed, duplicates } = screenChunk(screen, chunk, number++);
      list.add(chunk, passed, duplicates);
      counts.rows += chunk.count;
      counts.clients += passed.length;
      counts.rejected += chunk.rejected;
      counts.skipped += chunk.skipped + duplicates.length;
      addSample(sample, chunk, passed, request.show ?? DEFAULT_SHOW);
      problems.addCounts(chunk.problems);
      remarks.addCounts(chunk.remarks);
      suppressed.addCounts(chunk.suppressed);
      countDuplicates(repeated, chunk, duplicates);
      evidence.add(chunk.evidence);
      addReasons(reasons, chunk);
      watcher?.onChunk(chunk, counts, duplicates.length);
      await rejects?.write(chunk);
      request.onProgress?.(progressOf(counts, chunk.progress, started));
    }
  } catch (error) {
    await rejects?.discard();
    throw error;
  } finally {
    seen.close();
  }
  const written = await rejects?.close();
  const result = {
    ...counts,
    mode: preparation.mapping.mode,
    ...withExitCode(counts, list.facts()),
    inputs: preparation.inputs.map(({ name, info }) => ({ file: name, info })),
    sample,
    ...{ problems: problems.list(), remarks: remarks.list() },
    ...{ duplicates: repeated.list(), suppressed: suppressed.list() },
    suspicions: suspicionsOf(evidence.list()),
    notes: notesOf(evidence.list()).map(({ message }) => message),
    reasons: topReasons(reasons),
    rejects: written?.files ?? [],
    seconds: (performance.now() - started) / 1000,
  };
  const whole = await rows.withWhatIsLeft<CheckResult>(result);
  const checked = withChanged(whole, rows.seen.changed, request);
  if (written?.failure) throw new UnwrittenRejects(written.failure, checked);
  return checked;
}

/** Counts rows that are left out as duplicates; their numbers stand beside the clients. */
function countDuplicates(
  counts: ProblemCounts,
  { clients: { at, rows } }: PreparedChunk,
  duplicates: Screened['duplicates'],
): void {
  let index = 0;
  for (const [position, why] of duplicates) {
    while (index < at.length && at[index] !== position) index++;
    counts.add(why, rows[index] ?? 0);
  }
}

function progressOf(
  { rows, rejected, skipped }: Pick<CheckResult, 'rows' | 'rejected' | 'skipped'>,
  share: number,
  started: number,
): Progress {
  const outcomes = { ...noOutcomes(), rejected, skipped };
  return { rows, outcomes, share, seconds: (performance.now() - started) / 1000 };
}

/** `null` where the watcher keeps them. */
function rejectsFor(
  { out = join('runs', `check-${stamp()}`) }: CheckRequest,
  preparation: Preparation,
  watcher: CheckWatcher | undefined,
): CheckRejects | null {
  return watcher?.keepsRejects ? null : createCheckRejects(preparation, resolve(out));
}

/** An import that its checks stop would end with 64, whatever its rows are. */
function withExitCode<T extends Pick<CheckResult, 'checks'>>(
  { rejected }: Pick<CheckResult, 'rejected'>,
  facts: T,
): T & Pick<CheckResult, 'exitCode'> {
  const ofRows = rejected > 0 ? EXIT.rows : EXIT.ok;
  return { ...facts, exitCode: isStopped(facts.checks ?? []) ? EXIT.usage : ofRows };
}

/** A check of a file that was changed meanwhile says nothing of the rows that it has not read. */
function withChanged(
  result: CheckResult,
  changed: CheckResult['changedInputs'] = [],
  { onWarning }: CheckRequest,
): CheckResult {
  if (changed.length === 0) return result;
  for (const input of changed) onWarning?.(changedText(input, 'check'));
  const exitCode = result.exitCode === EXIT.ok ? EXIT.rows : result.exitCode;
  return { ...result, exitCode, changedInputs: changed };
}

/** A row's number among the rejected ones serves to tell it from others. */
function addReasons(reasons: ReasonTally, { input, sheet, first, kept }: PreparedChunk): void {
  for (const [at, { row, problems }] of kept.entries())
    reasons.add({
      ...{ ordinal: first + at, input, sheet, row, outcome: 'rejected', problems },
      ...{ createResult: null, enqueueResult: null, changeResult: null },
    });
}

function stamp(): string {
  return new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
}

function addSample(
  sample: ShownPayload[],
  { shown }: PreparedChunk,
  passed: readonly number[],
  show: number,
): void {
  if (sample.length >= show) return;
  const go = new Set(passed);
  const clients = shown.filter(({ index }) => go.has(index)).slice(0, show - sample.length);
  sample.push(...clients.map(({ json }) => JSON.parse(json) as ShownPayload));
}

/** What a check finds out about its list as a whole. */
class CheckedList {
  readonly #plan: ListPlan;
  readonly #quality = noQuality();
  readonly #calls = noCalls();
  readonly #isWhole: boolean;

  constructor({ preparation, part }: FileRows, { leadPrice }: CheckRequest) {
    this.#plan = listPlan(preparation, leadPrice);
    this.#isWhole = part === undefined;
  }

  /** `passed`, `duplicates`: what the screen made of the clients of the chunk. */
  add(chunk: PreparedChunk, passed: Screened['passed'], duplicates: Screened['duplicates']): void {
    const { list } = chunk;
    this.#plan.checks.addChunk(chunk);
    this.#plan.observations.addChunk(chunk);
    this.#plan.checks.addDuplicates(chunk, duplicates);
    if (!list) return;
    if (list.quality) addCounts(this.#quality, list.quality);
    addDuplicates(this.#quality, duplicates.length);
    if (chunk.shared) this.#quality.parts.unique.rows += remaining(chunk.shared, duplicates);
    if (list.calls) addCalls(this.#calls, list.calls, passed);
  }

  facts(): ListFacts {
    const isWhole = this.#isWhole;
    return listFacts(this.#plan, { quality: this.#quality, calls: this.#calls, isWhole });
  }
}

/** Rows at these positions that are no duplicates: each row counts once for a part. */
function remaining(shared: readonly number[], duplicates: Screened['duplicates']): number {
  if (duplicates.length === 0) return shared.length;
  const leftOut = new Set(duplicates.map(([at]) => at));
  return shared.filter((at) => !leftOut.has(at)).length;
}

type ChunkCalls = NonNullable<NonNullable<PreparedChunk['list']>['calls']>;

function addCalls(
  calls: CallCounts,
  { clients, leftOut }: ChunkCalls,
  passed: Screened['passed'],
): void {
  for (const index of passed) calls[CALL_TIMES[clients[index] ?? 0] ?? 'now']++;
  for (const time of CALL_TIMES) calls[time] += leftOut[time];
}

/** The rejects of a check, one file for each input that has any. */
interface CheckRejects {
  write(chunk: PreparedChunk): Promise<void>;
  /** Resolves with the paths of the files written, and with why another one could not be. */
  close(): Promise<{ readonly files: string[]; readonly failure?: OutputError }>;
  /** Forgets what was written: the check does not come to its end. */
  discard(): Promise<void>;
}

/** Writes the rejected rows as they come, since the chunks bring their cells. `out`: folder of the files. */
function createCheckRejects({ inputs }: Preparation, out: string): CheckRejects {
  const written: string[] = [];
  let open: { index: number; file: string; writer: RejectsWriter } | undefined;
  let failure: OutputError | undefined;
  /** The check goes on where nothing can be written: what it finds is worth as much without the files. */
  const orNote = async (writing: Promise<void>): Promise<void> => {
    try {
      await writing;
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      failure = error;
      await open?.writer.discard();
    }
  };
  const end = async (): Promise<void> => {
    if (open && (await open.writer.close()) > 0) written.push(open.file);
    open = undefined;
  };
  /** Chunks come in the order of the inputs: the rejects of the one before are whole. */
  const writerOf = async (index: number): Promise<RejectsWriter | undefined> => {
    const input = inputs[index];
    if (!input) return undefined;
    if (open?.index === index) return open.writer;
    await end();
    const file = rejectsPath(out, input, index, inputs.length);
    open = { index, file, writer: await rejectsWriter(file, input) };
    return open.writer;
  };
  const write = async (chunk: PreparedChunk): Promise<void> => {
    const writer = await writerOf(chunk.input);
    for (const { cells, problems } of chunk.kept)
      await writer?.write(cells, 'rejected', problemText(problems));
  };
  return {
    write: async (chunk) => {
      if (chunk.kept.length > 0 && !failure) await orNote(write(chunk));
    },
    close: async () => {
      if (!failure) await orNote(end());
      return { files: written, ...(failure ? { failure } : {}) };
    },
    discard: async () => {
      await open?.writer.discard();
    },
  };
}

/** Adds what was counted elsewhere. */
export function addCounts(counts: QualityCounts, more: QualityCounts): void {
  counts.rows += more.rows;
  counts.lost += more.lost;
  counts.outside += more.outside;
  for (const part of QUALITY_PART_NAMES) {
    counts.parts[part].rows += more.parts[part].rows;
    counts.parts[part].lost += more.parts[part].lost;
  }
}

/** Counts rows that were sent as far as anybody knew, and repeat others. */
export function addDuplicates(counts: QualityCounts, rows: number): void {
  counts.lost += rows;
  counts.parts.unique.rows += rows;
  counts.parts.unique.lost += rows;
}
