import { join, resolve } from 'node:path';
import { z } from 'zod';
import { createAnswerLog } from './connect.js';
import { createLateContent, type OpenedRun, openWithContent } from './content.js';
import { createDeltaRun, type DeltaRun, missingWork } from './delta.js';
import { earlierRows } from './earlier-rows.js';
import type { Work, Rejects } from './plan.js';
import { type Closing, scoped } from './scoped.js';
import { knownClients, REPEATS } from './repeats.js';
import { type ImportResult, NOTHING_MORE, type RunOptions } from './requests.js';
import { type ComparedRows, comparedRows, type CountedRows } from './rows.js';
import {
  type ImportEnd,
  openRunLog,
  refusedIn,
  type RunLog,
  sendRows,
  stopByChecks,
  tooManyBefore,
} from './send.js';
import { readSettingsForReport } from './settings.js';
import { type KnownRows, DuplicateTally, RepeatTally } from '../core/duplicates.js';
import {
  CardlineError,
  EXIT,
  InputError,
  interruption,
  RunTakenError,
  type ExitCode,
} from '../core/errors.js';
import type { RunLedger, RunRecord } from '../core/ledger.js';
import type { Summary, ChangedInput, RowReport } from '../core/report.js';
import { defined } from '../core/text.js';
import { systemClock, noCalls } from '../core/time.js';
import { type ReadSoFar, totalOf } from '../delivery/import.js';
import { mappingOf, sourceOf } from '../history/history.js';
import { takeRunFolder } from '../ledger/ledger.js';
import type { Ledger } from '../ledger/port.js';
import { createSeenKeys } from '../lists/seen.js';
import { renewedOptions } from '../options/kept-options.js';
import { failedChecks } from '../report/text/check-text.js';
import { existsSync } from 'node:fs';
import {
  GOOD_OUTCOMES,
  noOutcomes,
  OUTCOMES,
  ProblemCounts,
  SuppressedTally,
} from '../core/outcome.js';
import { addQuality, noQuality } from '../core/quality.js';
import type { ListFacts, ListPlan } from './list.js';
import { type TopReasons, topReasons, ReasonTally } from '../report/reasons.js';
import { writeReport } from '../report/lines.js';
import { writeSummary } from '../report/summary.js';
import { callTimeOf, isInRejects, isReject, rejectsIn, reportedRows } from './recorded.js';
import { syncFields } from '../installation/installation.js';
import { observed } from './watch.js';

/**
 * Executes a run, whatever it works on: `open` says that, under the eyes of all who look on. What it opens is closed when
 * the run has ended.
 */
export const executeRun = <R extends RunOptions>(
  asked: R,
  open: (request: R, closing: Closing) => Promise<Work>,
): Promise<ImportResult> =>
  observed(asked, (request) =>
    scoped(async (closing) => {
      const work = await open(request, closing);
      const result = await executeWork(request, work);
      return work.finish?.(result) ?? result;
    }),
  );

type OpenRun = Extract<OpenedRun, { readonly kind: 'open' }>;

const began = z.object({ asOf: z.number() });

/**
 * The story of a run: choose it in the ledger, compare its rows with those of earlier runs, count them, send them, report,
 * look back, follow, and put its end on record. One that has been done is not repeated.
 *
 * What is wrong before the run is open is thrown: nothing is on record then, and nothing was sent. From there on, an error
 * that cardline raises on purpose is the end of the run and stands in its result; any other is a defect, and is thrown.
 * @throws LedgerInUseError also where another run writes into the folder of this one; StopRun when the signal is aborted
 * before the run is open; RunTakenError where another process has the run meanwhile
 */
const executeWork = (request: RunOptions, work: Work): Promise<ImportResult> =>
  scoped(async (closing) => {
    const { ledger, identity, connection } = work;

    // CHOOSE: a new run, one that goes on, or one that was done before.
    const opened = await chooseRun(request, work);
    if (opened.kind === 'done') return resultOfEarlier(request, work, opened.record);
    closing(() => opened.close());
    const run = opened.ledger;
    const out = request.out === undefined ? opened.out : resolve(request.out);
    const folder = takeRunFolder(out, run.run);
    closing(() => folder.release());
    // No request leaves but under a lock or a lease that is held at that moment.
    connection.gates.add(opened.mayBegin);
    closing(() => connection.gates.delete(opened.mayBegin));
    if (run.continued && work.goOnAsOf) {
      // Rules that depend on the time give the same rows when a run is continued on another day.
      const { data } = began.safeParse(await ledger.settingsOf(run.run));
      if (data) work.goOnAsOf(data.asOf);
    }
    const { log, warn, late } = lookOn(request, work, opened, out, closing);
    request.watcher?.onRun(run, out);
    request.observer?.onRun?.({ run: run.run, mode: work.mode, continued: run.continued });

    // COMPARE, COUNT, SEND.
    const started = systemClock.now();
    const delta = work.delta && createDeltaRun(work.delta, work, opened, warn, request.signal);
    closing(() => delta?.close());
    const sent = await compareAndSend(request, work, opened, delta, log, warn);
    // Whoever has lost the run writes no report, which would replace that of the process that has it.
    if (sent.stopped instanceof RunTakenError) throw sent.stopped;
    await opened.confirm();
    await work.list?.observations.keep(opened, ledger, sent.stopped === undefined);
    if (request.detach && opened.shared && !sent.stopped) {
      await late.finish(true);
      // Its rows are sent by workers: nobody has counted them yet.
      const { mode, inputs } = work;
      const record = { run: run.run, mode, rows: 0, outcomes: null, inputs, out };
      const campaignId = work.campaign?.id ?? null;
      const result = resultWithoutSending({ ...record, campaignId }, ledger.file, 'stopped');
      return { ...result, detached: true };
    }

    // REPORT: also of a run that was stopped. One that cannot be reported is continued, and sends nothing twice.
    request.observer?.onPhase?.('report');
    const changed = await late.finish(sent.stopped === undefined);
    // A file that is being written is broken in all ways: that it was changed is what is said of it.
    const halted =
      changed.length > 0 && sent.stopped instanceof InputError ? undefined : sent.stopped;
    const { summary, report, rejects, reasons, failure } = await reportsOrCounts(work, {
      ...{ run, out, changed, inputs: identity.inputs },
      requests: sent.requests + (work.asked ?? 0),
      retries: sent.retries,
      seconds: (systemClock.now() - started) / 1000,
      stopped: halted !== undefined,
      unread: sent.unread,
      onWarning: warn,
    });
    const stop = halted ?? failure;

    // LOOK BACK: what a person should look at in a run that came to its end.
    if (!stop) await warnAtEnd(work, run.run, summary, warn);

    // FOLLOW: whom the list lacks. Of a file that was changed meanwhile, nobody can say whom.
    const gone = stop || changed.length > 0 ? null : delta?.missing();
    const missing = gone
      ? await executeWork(...missingWork(request, work, gone, { run: run.run, out }))
      : undefined;

    // END: after the reports, so that a run whose report could not be written goes on.
    const isStopped = (stop ?? missing?.stoppedBy) !== undefined;
    const unrecorded = await putEndOnRecord(run, summary, isStopped, log);
    const reason = stop ?? missing?.stoppedBy ?? unrecorded;
    // A broken input ends a run for good; everything else can be continued.
    const early = reason?.exitCode === EXIT.usage ? EXIT.usage : EXIT.stopped;
    const code = reason ? early : exitCodeFor(summary.outcomes, changed.length > 0);
    return {
      ...{ summary, report, rejects, out, ledger: ledger.file },
      exitCode: code === EXIT.ok ? (missing?.exitCode ?? code) : code,
      ...stopText([halted, failure, missing?.stoppedBy, unrecorded]),
      ...defined({ reasons, stoppedBy: reason, missing }),
    };
  });

async function chooseRun(request: RunOptions, work: Work): ReturnType<typeof openWithContent> {
  const { again, run, begun, maxFailures, signal, waitForRuns: waitsForRuns } = request;
  const { identity, settings, delta, settleAll = request.settleAll } = work;
  if (signal?.aborted) throw interruption(signal);
  return openWithContent(
    work.ledger,
    {
      ...{ identity, settings, again, run, settleAll, begun, waitsForRuns },
      renewed: maxFailures === NOTHING_MORE ? undefined : renewedOptions(request),
      out: (id) => resolve(request.out ?? join('runs', id)),
      // What the contact center has may have changed since.
      readsOnly: work.mode === 'reconcile',
      knows: delta?.knows ?? REPEATS[work.mode],
      ...(request.shared && {
        // Loaded where there are workers that need to know it.
        shared: (await import('./shared.js')).sharedPlanText(request, work),
        stays: delta?.missing === 'dequeue',
      }),
    },
    work.content,
    request,
  );
}

/** What looks on while a run is at work: its log, its answers, and the digest that is made beside it. */
function lookOn(
  request: RunOptions,
  { mode, content, connection }: Work,
  opened: OpenRun & { readonly identity: Work['identity'] },
  out: string,
  closing: Closing,
) {
  const names = { run: opened.ledger.run, ...defined({ pickup: request.pickup }) };
  const log = openRunLog(join(out, 'run.log'), names, request.onWarning);
  closing(() => log.close());
  const warn = (message: string): void => {
    log.logger.warn(message);
    request.onWarning?.(message);
  };
  const answers = createAnswerLog((sum) => log.logger.info(sum, 'answers'));
  closing(() => answers.close());
  const late = createLateContent(opened, mode, content, warn);
  closing(() => late.stop());
  connection.onAnswer = (answer) => {
    late.begin();
    answers.add(answer);
  };
  return { log, warn, late };
}

interface SentRun extends ImportEnd {
  /** How many rows were never read, `recorded` being those on record. `exact`: they were counted. */
  readonly unread: (recorded: number) => { readonly rows: number; readonly exact: boolean };
}

const SETTLES_ALL =
  'Every row of which nothing is on record is looked up, one by one, before anything is sent for it.';

/** What ends it early is its result; only a defect is thrown. */
async function compareAndSend(
  request: RunOptions,
  work: Work,
  opened: OpenRun,
  delta: DeltaRun | undefined,
  log: RunLog,
  warn: (message: string) => void,
): Promise<SentRun> {
  const { ledger: run, shared } = opened;
  let counted: CountedRows | undefined;
  let read: ReadSoFar = { rows: 0, share: 0 };
  const unread: SentRun['unread'] = (recorded) => {
    const { rows, exact } = totalOf(read, counted);
    return { rows: Math.max(0, rows - recorded), exact };
  };
  try {
    return await scoped(async (closing) => {
      // COMPARE: what earlier runs did with the rows, and which of them give way to others.
      const known = await (delta ? delta.known() : knownRows(request, work, opened));
      closing(() => known?.close());
      const compared = await comparedInRun(request, work, opened, warn, closing);

      // COUNT: what is wrong with the list as a whole is found out before anything is sent.
      // They held when the run began where its first rows are on record. A run with --settle-all is continued also where
      // none are, so that to be continued is no proof.
      const checks =
        work.list?.checks.hasStop === true && !(run.continued && (await run.factsOf(0)).length > 0);
      const { maxFailures: limit } = request;
      if (limit || checks) {
        request.observer?.onPhase?.('count');
        const wanted = { failures: limit !== undefined, checks, compared };
        const found = await work.countRows(wanted, request.signal);
        counted = found.counted;
        stopByChecks(found.checked, work.inputs);
        for (const text of failedChecks(found.checked, work.inputs)) warn(text);
      }
      const refused = limit && counted && run.continued ? await refusedIn(run) : 0;
      const stopped = limit && counted && tooManyBefore(counted, limit, refused, run.continued);
      // Others who work on the run have to learn of the stop: who shares it tells them.
      if (stopped && !(shared && run.continued)) throw stopped;

      // SEND: here, or by whoever takes pieces of the run.
      if (run.continued) warn(`Continuing run ${run.run}.`);
      if (run.settlesAll) warn(SETTLES_ALL);
      request.observer?.onPhase?.('send');
      const parts = {
        ...{ run, log, warn, known, compared, counted, connection: work.connection },
        onRead: (state: ReadSoFar) => {
          read = state;
        },
      };
      const { submitRows } = shared ? await import('./submit.js') : {};
      const end =
        shared && submitRows
          ? await submitRows(request, work, shared, stopped, parts)
          : await sendRows(request, work, parts);
      return { ...end, requests: end.requests + (end.probes ?? 0), unread };
    });
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    return { stopped: error, requests: 0, retries: 0, unread };
  }
}

async function knownRows(
  { signal }: RunOptions,
  { mode, campaign, ledger }: Work,
  { relies: runs }: OpenRun,
): Promise<KnownRows | undefined> {
  const rule = REPEATS[mode];
  if (!rule || runs.length === 0) return undefined;
  const campaignId = campaign?.id ?? null;
  return knownClients({
    ...{ runs, rule, campaignId, keys: createSeenKeys(), signal },
    factsOf: (run) => ledger.factsOf(run),
  });
}

function comparedInRun(
  { signal }: RunOptions,
  { duplicates, mode, campaign, delta, findLater, ledger, identity }: Work,
  { ledger: { run: own }, beside }: OpenRun,
  warn: (message: string) => void,
  closing: Closing,
): Promise<ComparedRows> {
  // Of whom others are about to send, nobody knows yet.
  const warnOfOthers = (runs: readonly string[]): void =>
    warn(
      runs.length === 1
        ? `Another run is at work on this contact center: run ${runs[0] ?? ''}. What is in doubt may be sent by both; an import with --wait-for-runs waits for its end.`
        : `Other runs are at work on this contact center: runs ${runs.join(', ')}. What is in doubt may be sent by several; an import with --wait-for-runs waits for their end.`,
    );
  const search = {
    earlier: async () => {
      const isAnew = readSettingsForReport(await ledger.settingsOf(own))?.anew === true;
      return earlierRows({
        ...{ ledger, mode, campaign, own, signal, rule: duplicates },
        isDelta: delta !== undefined,
        center: identity.installation,
        anew: isAnew ? identity.inputs : [],
        now: systemClock.now(),
        ...{ beside, onBeside: warnOfOthers },
      });
    },
    later: async (earlier: ComparedRows['earlier']) => findLater?.(earlier, signal),
  };
  return comparedRows(duplicates, search, closing);
}

/** How much two row counts may differ before somebody should look whether something is wrong with the file. */
const USUAL_DIFFERENCE = 0.5;

async function warnAtEnd(
  { ledger, list, inputs }: Work,
  run: string,
  { rows, checks = [] }: Summary,
  warn: (message: string) => void,
): Promise<void> {
  const last = await lastRows(ledger, run);
  if (last !== null && Math.abs(rows - last) > last * USUAL_DIFFERENCE)
    warn(`${rows} rows, where the last file of the same source had ${last}: is the file whole?`);
  // With a check that stops, they were decided before anything was sent.
  if (!list?.checks.hasStop) for (const text of failedChecks(checks, inputs)) warn(text);
}

/**
 * How many rows the files of the same source had when they were last worked through by the same mapping, as the trend
 * shows sources and mappings apart; `null`: never before.
 */
async function lastRows(ledger: Ledger, run: string): Promise<number | null> {
  const runs = await ledger.runs();
  const own = runs.find((one) => one.run === run);
  const settings = await ledger.settingsOf(run);
  const mapping = mappingOf(settings);
  if (!own || mapping === null || isTrial(settings)) return null;
  const earlier = runs
    // A file without rows, or one that could not be read, says nothing of how many there are.
    .filter((one) => (one.rows ?? 0) > 0)
    .filter((one) => one.run !== run && HAS_ENDED.has(one.state))
    .filter((one) => sourcesOf(one) === sourcesOf(own))
    .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  for (const one of earlier) {
    const its = await ledger.settingsOf(one.run);
    if (mappingOf(its) === mapping && !isTrial(its)) return one.rows;
  }
  return null;
}

/** How many rows a part of a file had says nothing of the file. */
const isTrial = (kept: unknown): boolean => trial.safeParse(kept).success;
const trial = z.union([z.object({ limit: z.number() }), z.object({ rows: z.object({}) })]);

const HAS_ENDED: ReadonlySet<RunRecord['state']> = new Set(['finished', 'open']);

const sourcesOf = ({ inputs }: RunRecord): string => inputs.map(sourceOf).sort().join('\n');

/**
 * Not before the reports are written: a run whose report could not be written is continued, and sends nothing again.
 * Returns what kept the end from being recorded; the run can be continued either way.
 */
async function putEndOnRecord(
  run: RunLedger,
  { run: _, inputs: __, ledger: ___, ...counts }: Summary,
  isStopped: boolean,
  log: RunLog,
): Promise<CardlineError | undefined> {
  const { rows, outcomes } = counts;
  const state = isStopped ? 'stopped' : outcomes.unknown > 0 ? 'open' : 'finished';
  let unrecorded: CardlineError | undefined;
  try {
    await run.end({ state, rows, outcomes });
  } catch (error) {
    unrecorded = asStop(error);
  }
  log.logger.info(counts, 'end');
  return unrecorded;
}

/**
 * The result of a run that was done before. The report of a shared one is written by whoever waits for its end, and its
 * submitter may not have lived to see it.
 */
async function resultOfEarlier(
  request: RunOptions,
  { list: _, ...work }: Work,
  record: RunRecord,
): Promise<ImportResult> {
  const { ledger } = work;
  if (!request.shared) return resultOfDone(record, ledger.file);
  const out = resolve(request.out ?? record.out);
  const done = resultOfDone({ ...record, out }, ledger.file);
  if (done.report !== '') return done;
  const { run, inputs } = record;
  const { report, rejects, reasons } = await reportsOrCounts(work, {
    run: { run, rows: () => ledger.rowsOf(run), waiting: () => ledger.waitingOf(run) },
    ...{ out, inputs, requests: 0, retries: 0, seconds: 0, stopped: false },
    unread: () => ({ rows: 0, exact: true }),
    onWarning: (message) => request.onWarning?.(message),
  });
  return { ...done, report, rejects, ...defined({ reasons }) };
}

/**
 * Writes the reports of a run. Where they cannot be written, as on a full disk, the counts are there all the same, and
 * the run counts as stopped: the same command writes them.
 */
async function reportsOrCounts(work: Work, request: ReportsRequest): Promise<Reports> {
  try {
    return await writeReports(work, request);
  } catch (error) {
    const failure = asStop(error);
    // The counts are at hand all the same.
    const tally = new SummaryTally(work.list);
    for (const row of reportedRows(work, await request.run.rows())) tally.add(row);
    const summary = await tally.summary(work, { ...request, stopped: true });
    return { summary, report: '', rejects: [], failure };
  }
}

/** @throws what is no reason for a run to stop, but an internal error */
function asStop(error: unknown): CardlineError {
  if (error instanceof CardlineError && error.exitCode === EXIT.stopped) return error;
  throw error;
}

/** Why a run stopped, for the person; absent when it did not. Each reason is reported once. */
function stopText(reasons: readonly (CardlineError | undefined)[]): {
  readonly stopped?: string;
} {
  const words = new Set(reasons.flatMap((reason) => (reason ? [reason.message] : [])));
  if (words.size === 0) return {};
  const text = [...words].join(' ');
  const isComplete = reasons.some(
    (reason) => reason?.exitCode === EXIT.usage || reason?.saysHowToContinue,
  );
  return { stopped: isComplete ? text : `${text} The same command continues the run.` };
}

/** The result of a run for which nothing was sent here. */
function resultWithoutSending(
  record: Pick<RunRecord, 'run' | 'mode' | 'rows' | 'outcomes' | 'inputs' | 'campaignId' | 'out'>,
  ledger: string,
  state: Summary['state'],
): ImportResult {
  const { run, mode, rows, outcomes: counted, inputs, campaignId, out } = record;
  const outcomes = counted ?? noOutcomes();
  return {
    exitCode: exitCodeFor(outcomes),
    summary: {
      ...{ run, mode, rows: rows ?? 0, outcomes, requests: 0, retries: 0, seconds: 0 },
      ...{ rowsPerSecond: 0, state, inputs, campaignId, ledger },
    },
    ...{ out, ledger, report: '', rejects: [] },
  };
}

/** The same import was finished earlier: all is reported as that run ended. */
function resultOfDone(record: RunRecord, ledger: string): ImportResult {
  const report = join(record.out, 'report.csv');
  return {
    ...resultWithoutSending(record, ledger, 'finished'),
    report: existsSync(report) ? report : '',
    rejects: rejectsIn(record.out),
    already: true,
    ...defined({ endedAt: record.endedAt ?? undefined }),
  };
}

/** `lacksRows`: whether some may never have been read. */
function exitCodeFor(outcomes: ImportResult['summary']['outcomes'], lacksRows = false): ExitCode {
  const allWell = OUTCOMES.every(
    (outcome) => GOOD_OUTCOMES.has(outcome) || outcomes[outcome] === 0,
  );
  return allWell && !lacksRows ? EXIT.ok : EXIT.rows;
}

interface ReportsRequest {
  readonly run: Pick<RunLedger, 'run' | 'rows' | 'waiting'>;
  /** The inputs as the ledger names them, so that a later report of the run is the same. */
  readonly inputs: readonly string[];
  readonly out: string;
  readonly requests: number;
  readonly retries: number;
  readonly seconds: number;
  readonly stopped: boolean;
  readonly changed?: readonly ChangedInput[];
  /** How many rows were never read, `recorded` being those on record. `exact`: they were counted. */
  readonly unread: (recorded: number) => { readonly rows: number; readonly exact: boolean };
  readonly onWarning: (message: string) => void;
}

interface Reports {
  readonly summary: Summary;
  /** Path of `report.csv`; empty where it could not be written. */
  readonly report: string;
  readonly rejects: readonly string[];
  /** Why rows did not end well; absent where the report could not be written. */
  readonly reasons?: TopReasons;
  readonly failure?: CardlineError;
}

/** Writes `report.csv`, the rejects and `summary.json` from the facts of the run: its counts are those of the report. */
async function writeReports(work: Work, request: ReportsRequest): Promise<Reports> {
  const { run, out } = request;
  const report = join(out, 'report.csv');
  const rows = await run.rows();
  const tally = new SummaryTally(work.list);
  const reasons = new ReasonTally();
  // Rejects are opened when there is the first: most runs have few or none.
  const rejects: { opened: Rejects | undefined; waiting: RowReport[] } = {
    ...{ opened: undefined, waiting: [] },
  };
  const writeRejects = async (): Promise<void> => {
    const { waiting } = rejects;
    if (waiting.length === 0) return;
    rejects.waiting = [];
    rejects.opened ??= await work.openRejects?.(out, rows, request.onWarning);
    await rejects.opened?.write(waiting);
  };
  const counted = function* (): Generator<RowReport, void, undefined> {
    for (const row of reportedRows(work, rows)) {
      tally.add(row);
      if (isReject(row)) reasons.add(row);
      if (work.openRejects && isInRejects(row)) rejects.waiting.push(row);
      yield row;
    }
  };
  await writeReport({
    file: report,
    rows: counted(),
    run: run.run,
    mode: work.mode,
    inputs: request.inputs,
    identifierNames: syncFields(work.installation.card),
    afterPiece: writeRejects,
  }).catch(async (error: unknown) => {
    await rejects.opened?.discard();
    throw error;
  });
  const rejectsFiles = (await rejects.opened?.close()) ?? [];
  const summary = await tally.summary(work, request);
  await writeSummary(join(out, 'summary.json'), summary);
  return { summary, report, rejects: rejectsFiles, reasons: topReasons(reasons) };
}

class SummaryTally {
  rows = 0;
  readonly outcomes = noOutcomes();
  timeZones: Summary['timeZones'];
  readonly repeats = new RepeatTally();
  readonly remarks = new ProblemCounts();
  readonly duplicates = new DuplicateTally();
  readonly suppressed = new SuppressedTally();
  readonly #quality = noQuality();
  readonly #calls = noCalls();

  constructor(private readonly list: ListPlan | undefined) {}

  add(row: RowReport): void {
    this.rows++;
    this.duplicates.add(row);
    this.outcomes[row.outcome]++;
    this.repeats.add(row);
    for (const remark of row.remarks ?? []) this.remarks.add(remark, row.row);
    this.suppressed.addRow(row);
    if (row.zoneFrom)
      (this.timeZones ??= { column: 0, phone: 0, ambiguous: 0, default: 0 })[row.zoneFrom]++;
    if (!this.list) return;
    if (this.list.weights) addQuality(this.#quality, row);
    if (this.list.callsAsOf !== null) {
      const isClient = row.outcome !== 'rejected' && row.outcome !== 'skipped';
      const time = callTimeOf((isClient ? row.remarks : row.problems) ?? []);
      if (time !== null || isClient) this.#calls[time ?? 'now']++;
    }
    this.list.checks.addRow(row);
  }

  async summary(work: Work, request: ReportsRequest): Promise<Summary> {
    const { run, stopped, requests, retries, seconds, changed = [] } = request;
    const { rows, outcomes, timeZones } = this;
    return {
      ...{ run: run.run, mode: work.mode, rows, outcomes },
      ...(work.inspect ? { repeated: this.repeats.repeated } : {}),
      ...defined({
        remarks: unlessEmpty(this.remarks.list()),
        duplicates: unlessEmpty(this.duplicates.list()),
        timeZones,
        suppressed: unlessEmpty(this.suppressed.list()),
      }),
      ...this.#listFacts(!stopped),
      ...{ requests, retries, seconds },
      rowsPerSecond: seconds > 0 ? rows / seconds : 0,
      ...(stopped ? await remaining(request, rows) : {}),
      state: stopped ? 'stopped' : 'finished',
      ...defined({ changedInputs: unlessEmpty(changed) }),
      inputs: work.inputs,
      campaignId: work.campaign?.id ?? null,
      ledger: work.ledger.file,
    };
  }

  /** What is found out about the list as a whole. `isWhole`: whether all rows have ended. */
  #listFacts(isWhole: boolean): ListFacts {
    if (!this.list) return {};
    const { quality, ...facts } = this.list.facts(this.#quality, this.#calls, isWhole);
    // Rejected rows end before others are sent: until all have ended, the score would be theirs.
    return isWhole && quality ? { ...facts, quality } : facts;
  }
}

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length > 0 ? list : undefined;

/** What a stopped run has yet to do; `told`: rows of its report. */
async function remaining(
  { run, unread }: Pick<ReportsRequest, 'run' | 'unread'>,
  reported: number,
): Promise<Pick<Summary, 'waiting' | 'waitingWithCard' | 'unread' | 'unreadIsEstimated'>> {
  const waiting = await run.waiting();
  const { rows, exact } = unread(reported + waiting.rows);
  return {
    waiting: waiting.rows,
    ...(waiting.withCard > 0 ? { waitingWithCard: waiting.withCard } : {}),
    ...(rows > 0 ? { unread: rows } : {}),
    ...(rows > 0 && !exact ? { unreadIsEstimated: true } : {}),
  };
}
