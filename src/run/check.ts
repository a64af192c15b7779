import { EvidenceTally } from '../core/table.js';
import { type QualityCounts, QUALITY_PART_NAMES, noQuality } from '../core/quality.js';
import { join, resolve } from 'node:path';
import { changedText } from '../core/report.js';
import { CardlineError, EXIT, interruption, isInterruption, StopRun } from '../core/errors.js';
import { defined } from '../core/text.js';
import { connect as openSocket } from 'node:net';
import { substitute } from '../files/placeholders.js';
import type { Installation } from '../installation/installation.js';
import { notesOf, suspicionsOf } from '../mapping/column-uses.js';
import { type Mode, noOutcomes, ProblemCounts, SuppressedTally } from '../core/outcome.js';
import type { PreparedChunk, ShownPayload } from '../core/prepared.js';
import { ReasonTally, topReasons } from '../report/reasons.js';
import { isStopped } from '../report/text/check-text.js';
import { FileRows, type Screen, type Screened } from './rows.js';
import { scoped } from './scoped.js';
import { OutputError } from '../report/files.js';
import type { MappingFacts, OpenedInput } from '../prepare/plan.js';
import type { CheckRequest, CheckResult } from './requests.js';
import { CALL_TIMES, noCalls } from '../core/time.js';
import { type ListFacts, ListPlan } from './list.js';
import { problemText } from '../report/text/words.js';
import { RejectsFiles } from './rejects.js';

const DEFAULT_SHOW = 3;

/** Who looks on while files are checked. */
export interface CheckWatcher {
  /** Whether rejected rows are kept by it, and no files of them are to be written. */
  readonly keepsRejects: boolean;
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
  const { show = DEFAULT_SHOW, signal } = request;
  return scoped(async (closing) => {
    const rows = await FileRows.open(request, { purpose: 'check', show }, closing);
    const { preparation, mapping } = rows;
    watcher?.onOpened(preparation.inputs, mapping.mode);
    const onRecord = async () => {
      // Few mappings compare with earlier runs: what reads a ledger is loaded where one does.
      const { rowsOnRecord } = await import('./earlier-rows.js');
      return rowsOnRecord(request, preparation);
    };
    const screen = await rows.screen(onRecord, signal, closing);
    const asking = checkWindow(request, mapping, preparation.installation);
    const [result] = await Promise.all([checkRows(request, rows, screen, watcher), asking]);
    return result;
  }).catch((error: unknown) => {
    throw isInterruption(error) ? new StopRun('The check was stopped.', { cause: error }) : error;
  });
}

async function checkRows(
  request: CheckRequest,
  rows: FileRows,
  screen: Screen,
  watcher: CheckWatcher | undefined,
): Promise<CheckResult> {
  const { preparation } = rows;
  const started = performance.now();
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const { out = join('runs', `check-${stamp}`), show = DEFAULT_SHOW } = request;
  const rejects = watcher?.keepsRejects
    ? null
    : checkRejects(new RejectsFiles(resolve(out), preparation.inputs));
  const sample: ShownPayload[] = [];
  const [problems, remarks] = [new ProblemCounts(), new ProblemCounts()];
  const [repeated, suppressed] = [new ProblemCounts(), new SuppressedTally()];
  const [evidence, reasons] = [new EvidenceTally(), new ReasonTally()];
  const list = new CheckedList(rows, request);
  const counts = { rows: 0, clients: 0, rejected: 0, skipped: 0 };
  try {
    for await (const chunk of rows.chunks()) {
      if (request.signal?.aborted) throw interruption(request.signal);
      const { passed, duplicates } = screen(chunk);
      list.add(chunk, passed, duplicates);
      counts.rows += chunk.count;
      counts.clients += passed.length;
      counts.rejected += chunk.rejected;
      counts.skipped += chunk.skipped + duplicates.length;
      if (sample.length < show) {
        const go = new Set(passed);
        const clients = chunk.shown.filter(({ index }) => go.has(index));
        const left = clients.slice(0, show - sample.length);
        sample.push(...left.map(({ json }) => JSON.parse(json) as ShownPayload));
      }
      problems.addCounts(chunk.problems);
      remarks.addCounts(chunk.remarks);
      suppressed.addCounts(chunk.suppressed);
      countDuplicates(repeated, chunk, duplicates);
      evidence.add(chunk.evidence);
      for (const [at, { row, problems: why }] of chunk.kept.entries()) {
        const { input, sheet, first } = chunk;
        reasons.add({
          // A row's number among the rejected ones serves to tell it from others.
          ...{ ordinal: first + at, input, sheet, row, outcome: 'rejected', problems: why },
          ...{ createResult: null, enqueueResult: null, changeResult: null },
        });
      }
      watcher?.onChunk(chunk, counts, duplicates.length);
      await rejects?.write(chunk);
      const { rejected, skipped } = counts;
      request.onProgress?.({
        rows: counts.rows,
        outcomes: { ...noOutcomes(), rejected, skipped },
        ...{ share: chunk.progress, seconds: (performance.now() - started) / 1000 },
      });
    }
  } catch (error) {
    await rejects?.discard();
    throw error;
  }
  const written = await rejects?.close();
  const facts = list.facts();
  const ofRows = counts.rejected > 0 ? EXIT.rows : EXIT.ok;
  const result = {
    ...counts,
    mode: preparation.mapping.mode,
    ...facts,
    // An import that its checks stop would end with 64, whatever its rows are.
    exitCode: isStopped(facts.checks ?? []) ? EXIT.usage : ofRows,
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
  let checked = await rows.withWhatIsLeft<CheckResult>(result);
  const { changed } = rows.seen;
  if (changed.length > 0) {
    for (const input of changed) request.onWarning?.(changedText(input, 'check'));
    // A check of a file that was changed meanwhile says nothing of the rows that it has not read.
    const exitCode = checked.exitCode === EXIT.ok ? EXIT.rows : checked.exitCode;
    checked = { ...checked, exitCode, changedInputs: changed };
  }
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

class CheckedList {
  readonly #plan: ListPlan;
  readonly #quality = noQuality();
  readonly #calls = noCalls();
  readonly #isWhole: boolean;

  constructor({ preparation, part }: FileRows, { leadPrice }: CheckRequest) {
    this.#plan = new ListPlan(preparation, leadPrice);
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
    // Duplicates were sent as far as anybody knew, and repeat others.
    const { unique } = this.#quality.parts;
    this.#quality.lost += duplicates.length;
    unique.rows += duplicates.length;
    unique.lost += duplicates.length;
    // Each row counts once for a part: those that share a number count where they are no duplicates.
    if (chunk.shared) {
      const leftOut = new Set(duplicates.map(([at]) => at));
      unique.rows += chunk.shared.filter((at) => !leftOut.has(at)).length;
    }
    if (!list.calls) return;
    for (const index of passed) this.#calls[CALL_TIMES[list.calls.clients[index] ?? 0] ?? 'now']++;
    for (const time of CALL_TIMES) this.#calls[time] += list.calls.leftOut[time];
  }

  facts(): ListFacts {
    return this.#plan.facts(this.#quality, this.#calls, this.#isWhole);
  }
}

/** Writes the rejected rows as they come, since the chunks bring their cells. */
function checkRejects(files: RejectsFiles) {
  let failure: OutputError | undefined;
  /** The check goes on where nothing can be written: what it finds is worth as much without the files. */
  const orNote = async (write: () => Promise<void>): Promise<void> => {
    if (failure) return;
    try {
      await write();
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      failure = error;
      await files.discard();
    }
  };
  return {
    write: async ({ input, kept }: PreparedChunk): Promise<void> => {
      if (kept.length === 0) return;
      await orNote(async () => {
        const writer = await files.of(input);
        for (const { cells, problems } of kept)
          await writer?.write(cells, 'rejected', problemText(problems));
      });
    },
    /** Resolves with the paths of the files written, and with why another one could not be. */
    close: async () => {
      await orNote(() => files.close());
      return { files: files.written, failure };
    },
    discard: () => files.discard(),
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

/** How long a check waits for the contact center: it sends nothing, and can do without. */
const PATIENCE_MS = 5000;

/**
 * Compares the hours of the campaign of a check with those of the mapping, where the contact center can be asked. What
 * keeps it from that is said, and is no reason to stop.
 */
async function checkWindow(
  request: CheckRequest,
  mapping: MappingFacts,
  installation: Installation | undefined,
): Promise<void> {
  const { comparesCampaign = false, campaign, env = process.env, onWarning, signal } = request;
  const named = campaign?.id ?? campaign?.name ?? mapping.campaign?.id ?? mapping.campaign?.name;
  const hasHours = 'callable' in mapping.sections && mapping.sections.callable !== undefined;
  if (!comparesCampaign || !installation || !hasHours || named === undefined) return;
  const notCompared = (why: string): void =>
    onWarning?.(`The hours of campaign ${named} were not compared with callable: ${why}`);
  if (!(await canBeReached(installation, env))) {
    notCompared('the contact center cannot be reached.');
    return;
  }
  // Nearly no check asks: what it takes to ask is loaded where one does.
  const { connect } = await import('./connect.js');
  const { campaignOfFiles } = await import('./campaigns.js');
  const asking = {
    ...{ installation: request.installation ?? '', giveUpAfterMs: PATIENCE_MS, env },
    ...defined({ signal, campaign }),
  };
  try {
    const connection = connect(asking, installation);
    try {
      await campaignOfFiles(asking, mapping, installation, connection, onWarning);
    } finally {
      await connection.center.close();
    }
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    notCompared(error.message);
  }
}

/** Longest time for the connection, in milliseconds: it only decides which command is proposed. */
const REACHING_MS = 500;

/**
 * Whether an import could begin now: the variables of the headers are set, and something takes connections at the
 * address, or at the proxy before it. Nothing is sent.
 */
export async function canBeReached(
  { baseUrl, headers, transport }: Pick<Installation, 'baseUrl' | 'headers' | 'transport'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { proxy = baseUrl } = transport;
  const texts = [...Object.values(headers), proxy].map((text) => substitute(text, env));
  if (texts.some(({ missing }) => missing.length > 0)) return false;
  const url = texts.at(-1)?.text ?? baseUrl;
  if (!URL.canParse(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  const socket = openSocket({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : Number(port),
    timeout: REACHING_MS,
  });
  return new Promise<boolean>((resolve) => {
    socket
      .on('connect', () => resolve(true))
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(false));
  }).finally(() => socket.destroy());
}
