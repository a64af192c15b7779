import { join, resolve } from 'node:path';
import { defined } from '../core/text.js';
import type { KnownRows } from '../core/duplicates.js';
import {
  type CardlineError,
  EXIT,
  InputError,
  interruption,
  RunTakenError,
} from '../core/errors.js';
import type { EarlierRun, RunLedger, RunRecord } from '../core/ledger.js';
import type { Summary } from '../core/report.js';
import { systemClock } from '../core/time.js';
import { createSeenKeys } from '../lists/seen.js';
import { syncFields } from '../installation/installation.js';
import { takeRunFolder } from '../ledger/ledger.js';
import type { Ledger, OpenedRun } from '../ledger/port.js';
import { failedChecks } from '../report/text/check-text.js';
import { createAnswerLog } from './connect.js';
import { createDeltaRun, type DeltaRun, removeMissing } from './delta.js';
import { renewedOptions } from '../options/kept-options.js';
import { knownClients, REPEATS } from './repeats.js';
import { createLateContent, openWithContent } from './content.js';
import {
  type ImportResult,
  type RunOptions,
  exitCodeFor,
  exitCodeOf,
  NOTHING_MORE,
  resultOfDone,
} from './requests.js';
import { recordEnd, reportsOrCounts, stopText } from './end.js';
import { scoped } from './scoped.js';
import { openRunLog, type RunLog, type ExecuteRows, sendRun } from './send.js';
import type { RunPlan, RunParts } from './plan.js';
import { z } from 'zod';
import { noOutcomes } from '../core/outcome.js';
import { sourceOf } from '../report/trend.js';
import { mappingOf } from '../history/history.js';
import { readSettingsForReport } from './settings.js';
import { type ComparedRows, comparedRows } from './count-rows.js';
import { earlierRows } from './earlier-rows.js';

type OpenRun = Extract<OpenedRun, { readonly kind: 'open' }>;

/**
 * The story of a run: choose it in the ledger, compare its rows with those of earlier runs, count them, send them, report,
 * look back, follow, and put its end on record. One that has been done is not repeated.
 *
 * What is wrong before the run is open is thrown: nothing is on record then, and nothing was sent. From there on, an error
 * that cardline raises on purpose is the end of the run and stands in its result; any other is a defect, and is thrown.
 * @throws LedgerInUseError also where another run writes into the folder of this one; StopRun when the signal is aborted
 * before the run is open; RunTakenError where another process has the run meanwhile
 */
export function executeRun(
  request: RunOptions,
  planned: RunPlan,
  parts: RunParts,
): Promise<ImportResult> {
  return scoped(async (closing) => {
    const { ledger, connection, before } = parts;
    const { gates } = connection;

    // CHOOSE: a new run, one that goes on, or one that was done before.
    const opened = await chooseRun(request, planned, parts);
    if (opened.kind === 'done') return resultOfEarlier(opened.record, ledger, planned, request);
    closing(() => opened.close());
    const run = opened.ledger;
    const out = outOf(request, opened);
    const folder = takeRunFolder(out, run.run);
    closing(() => {
      folder.release();
    });
    // No request leaves but under a lock or a lease that is held at that moment.
    gates.add(opened.mayBegin);
    closing(() => gates.delete(opened.mayBegin));
    const plan = await asOfRun(planned, ledger, run);
    const own = { ...parts, identity: opened.identity };
    const { log, warn, late, close } = watchRun(request, plan, own, opened);
    closing(close);
    request.watcher?.onRun(run, out);
    request.observer?.onRun?.({ run: run.run, mode: plan.mode, continued: run.continued });

    // COMPARE, COUNT, SEND.
    const [asked, started] = [before(), systemClock.now()];
    const delta = deltaOf(request, plan, ledger, opened, warn);
    closing(() => delta?.close());
    const rows = earlierRowsOfRun(request, plan, { ...own, warn, delta }, opened);
    const execute = await executionOf(opened, ledger);
    const sent = await sendRun(request, plan, { run, connection, log, warn, ...rows }, execute);
    await refuseWithoutRun(opened, sent.stopped);
    await plan.list?.observations.keep(opened, ledger, sent.stopped === undefined);
    if (request.detach && opened.shared && !sent.stopped) {
      await late.finish(true);
      return resultOfDetached(run.run, plan, out, ledger.file);
    }

    // REPORT: also of a run that was stopped. One that cannot be reported is continued, and sends nothing twice.
    request.observer?.onPhase?.('report');
    const changed = await late.finish(sent.stopped === undefined);
    const halted = stopOf(sent.stopped, changed);
    const reports = await reportsOrCounts({
      ...{ run, plan, out, changed, inputs: own.identity.inputs },
      identifierNames: syncFields(plan.installation.card),
      requests: sent.requests + asked,
      retries: sent.retries,
      seconds: (systemClock.now() - started) / 1000,
      stopped: halted !== undefined,
      ledger: ledger.file,
      unread: sent.unread,
      onWarning: warn,
    });
    const { summary, report, rejects, failure, reasons } = reports;
    const stop = halted ?? failure;

    // LOOK BACK: what a person should look at in a run that came to its end.
    if (!stop) await warnAtEnd(plan, ledger, { run: run.run, summary, warn });

    // FOLLOW: whom the list lacks. Of a file that was changed meanwhile, nobody can say whom.
    const gone = stop || changed.length > 0 ? null : delta?.missing();
    const listRun = { run: run.run, out, request, plan, parts: own };
    const missing = gone ? await removeMissing(executeRun, listRun, gone) : undefined;

    // END: after the reports, so that a run whose report could not be written goes on.
    const isStopped = (stop ?? missing?.stoppedBy) !== undefined;
    const unrecorded = await putEndOnRecord(run, summary, isStopped, log);
    const reason = stop ?? missing?.stoppedBy ?? unrecorded;
    const code = reason ? exitCodeOf(reason) : exitCodeFor(summary.outcomes, changed.length > 0);
    return {
      ...{ summary, report, rejects, out, ledger: ledger.file },
      exitCode: code === EXIT.ok ? (missing?.exitCode ?? code) : code,
      ...stopText([halted, failure, missing?.stoppedBy, unrecorded]),
      ...defined({ reasons, stoppedBy: reason, missing }),
    };
  });
}

/** The run that the ledger has for this identity, or a new one. */
async function chooseRun(
  request: RunOptions,
  plan: RunPlan,
  { ledger, content, settings, identity }: RunParts,
): ReturnType<typeof openWithContent> {
  const { again, run, settleAll, begun, waitForRuns: waitsForRuns } = request;
  if (request.signal?.aborted) throw interruption(request.signal);
  const shared = request.shared
    ? { shared: await planText(request, plan), stays: plan.delta?.missing === 'dequeue' }
    : {};
  return openWithContent(
    ledger,
    {
      ...{ identity, settings, again, run, settleAll, renewed: renewedBy(request) },
      ...{ begun, waitsForRuns },
      out: (id) => resolve(request.out ?? join('runs', id)),
      // What the contact center has may have changed since.
      readsOnly: plan.mode === 'reconcile',
      knows: plan.delta?.knows ?? REPEATS[plan.mode],
      ...shared,
    },
    content,
    request,
  );
}

/** The result of a run that was done before; of a shared one, its report may still have to be written. */
const resultOfEarlier = (
  record: RunRecord,
  ledger: Ledger,
  plan: RunPlan,
  request: RunOptions,
): Promise<ImportResult> | ImportResult =>
  request.shared ? reportOfDone(record, ledger, plan, request) : resultOfDone(record, ledger.file);

const outOf = (request: RunOptions, opened: OpenRun): string =>
  request.out === undefined ? opened.out : resolve(request.out);

/** What is kept of the options when a run goes on. */
const renewedBy = (request: RunOptions): Record<string, unknown> | undefined =>
  request.maxFailures === NOTHING_MORE ? undefined : renewedOptions(request);

/** What workers need to know of a run that is shared; loaded where there is one. */
const planText = async (request: RunOptions, plan: RunPlan): Promise<string> =>
  (await import('./work.js')).sharedPlanText(request, plan);

/** What sends the rows: this process, or whoever takes pieces of them. */
async function executionOf(
  { shared }: OpenRun,
  ledger: Ledger,
): Promise<ExecuteRows<RunPlan> | undefined> {
  if (!shared) return undefined;
  const { submitRows } = await import('./submit.js');
  return submitRows(ledger.file, shared);
}

/** What the rows are compared with, looked up when it is asked for. */
function earlierRowsOfRun(
  request: RunOptions,
  plan: RunPlan,
  parts: RunParts & { warn: (message: string) => void; delta: DeltaRun | undefined },
  { ledger: { run }, beside, relies }: OpenRun,
) {
  const { ledger, warn, delta } = parts;
  return {
    known: () => delta?.known() ?? knownRows(request, plan, ledger, relies),
    compared: () => comparedInRun(request, plan, parts, { run, beside, warn }),
  };
}

/** A file that is being written is broken in all ways: that it was changed is what is said of it. */
const stopOf = (
  stopped: CardlineError | undefined,
  changed: readonly unknown[],
): CardlineError | undefined =>
  changed.length > 0 && stopped instanceof InputError ? undefined : stopped;

/**
 * Whoever has lost the run writes no report, which would replace that of the process that has it.
 * @throws RunTakenError
 */
async function refuseWithoutRun(
  opened: Pick<OpenRun, 'confirm'>,
  stopped: CardlineError | undefined,
): Promise<void> {
  if (stopped instanceof RunTakenError) throw stopped;
  await opened.confirm();
}

/** What a person should look at in a run that came to its end. */
async function warnAtEnd(
  plan: RunPlan,
  ledger: Ledger,
  { run, summary, warn }: { run: string; summary: Summary; warn: (message: string) => void },
): Promise<void> {
  await warnOfUnusualSize(ledger, run, summary.rows, warn);
  // With a check that stops, they were decided before anything was sent.
  if (!plan.list?.checks.hasStop)
    for (const text of failedChecks(summary.checks ?? [], plan.inputs)) warn(text);
}

/** The list of the run beside the ones before it; absent where all rows are sent. */
function deltaOf(
  { signal }: RunOptions,
  { delta, identifierNames }: RunPlan,
  ledger: Ledger,
  { ledger: run, relies }: OpenRun,
  warn: (message: string) => void,
): DeltaRun | undefined {
  return delta && createDeltaRun(delta, { ledger, run, relies, identifierNames, warn, signal });
}

/** What looks on while a run is at work: its log, its answers, and the digest that is made beside it. */
function watchRun(
  request: RunOptions,
  { mode }: RunPlan,
  { identity, content, connection }: RunParts,
  opened: OpenRun,
) {
  const out = outOf(request, opened);
  const names = { run: opened.ledger.run, ...defined({ pickup: request.pickup }) };
  const log = openRunLog(join(out, 'run.log'), names, request.onWarning);
  const warn = (message: string): void => {
    log.logger.warn(message);
    request.onWarning?.(message);
  };
  const late = createLateContent(opened, { identity, mode }, content, warn);
  const answers = createAnswerLog((sum) => {
    log.logger.info(sum, 'answers');
  });
  connection.onAnswer = (answer) => {
    late.begin();
    answers.add(answer);
  };
  const close = async (): Promise<void> => {
    late.stop();
    await late.recorded();
    answers.close();
    log.close();
  };
  return { log, warn, late, close };
}

/** How much two row counts may differ before somebody should look whether something is wrong with the file. */
const USUAL_DIFFERENCE = 0.5;

async function warnOfUnusualSize(
  ledger: Ledger,
  run: string,
  rows: number,
  warn: (message: string) => void,
): Promise<void> {
  const last = await lastRows(ledger, run);
  if (last !== null && Math.abs(rows - last) > last * USUAL_DIFFERENCE)
    warn(`${rows} rows, where the last file of the same source had ${last}: is the file whole?`);
}

/**
 * Not before the reports are written: a run whose report could not be written is continued, and sends nothing again.
 * Returns what kept the end from being recorded.
 */
async function putEndOnRecord(
  run: RunLedger,
  { run: _, inputs: __, ledger: ___, ...counts }: Summary,
  isStopped: boolean,
  log: RunLog,
): Promise<CardlineError | undefined> {
  const { rows, outcomes } = counts;
  const state = isStopped ? 'stopped' : outcomes.unknown > 0 ? 'open' : 'finished';
  const unrecorded = await recordEnd(run, { state, rows, outcomes });
  log.logger.info(counts, 'end');
  return unrecorded;
}

/** What earlier runs did with the rows of this one; `undefined` where there are none. */
async function knownRows(
  { signal }: RunOptions,
  { mode, campaign }: RunPlan,
  ledger: Ledger,
  runs: readonly EarlierRun[],
): Promise<KnownRows | undefined> {
  const rule = REPEATS[mode];
  if (!rule || runs.length === 0) return undefined;
  const campaignId = campaign?.id ?? null;
  const factsOf = (run: string) => ledger.factsOf(run);
  return knownClients({ runs, rule, campaignId, factsOf, keys: createSeenKeys(), signal });
}

const kept = z.object({ asOf: z.number() });

/**
 * The plan as of the moment at which the run began: rules that depend on the time give the same rows when it is continued
 * on another day.
 */
async function asOfRun(
  plan: RunPlan,
  ledger: Pick<Ledger, 'settingsOf'>,
  { continued, run }: Pick<RunLedger, 'continued' | 'run'>,
): Promise<RunPlan> {
  if (!continued || !plan.asOf) return plan;
  const { data } = kept.safeParse(await ledger.settingsOf(run));
  return data ? plan.asOf(data.asOf) : plan;
}

/** A run that was handed over as a whole, and whose rows workers send: nobody has counted them yet. */
function resultOfDetached(
  run: string,
  { mode, inputs, campaign }: RunPlan,
  out: string,
  ledger: string,
): ImportResult {
  return {
    exitCode: EXIT.ok,
    summary: {
      ...{ run, mode, rows: 0, outcomes: noOutcomes(), requests: 0, retries: 0 },
      ...{ seconds: 0, rowsPerSecond: 0, state: 'stopped', inputs, ledger },
      campaignId: campaign?.id ?? null,
    },
    ...{ out, ledger, report: '', rejects: [], detached: true },
  };
}

/**
 * The result of an import that was finished earlier, with its report: that of a shared run is written by whoever waits for
 * its end, and its submitter may not have lived to see it.
 */
async function reportOfDone(
  record: RunRecord,
  ledger: Ledger,
  { list: _, ...plan }: RunPlan,
  request: RunOptions,
): Promise<ImportResult> {
  const out = resolve(request.out ?? record.out);
  const done = resultOfDone({ ...record, out }, ledger.file);
  if (done.report !== '') return done;
  const { run, inputs } = record;
  const { report, rejects, reasons } = await reportsOrCounts({
    run: {
      run,
      rows: () => ledger.rowsOf(run),
      waiting: () => ledger.waitingOf(run),
    },
    ...{ plan, out, inputs },
    identifierNames: syncFields(plan.installation.card),
    ...{ requests: 0, retries: 0, seconds: 0, stopped: false, ledger: ledger.file },
    unread: () => ({ rows: 0, exact: true }),
    onWarning: (message) => request.onWarning?.(message),
  });
  return { ...done, report, rejects, ...(reasons ? { reasons } : {}) };
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
    .filter((one) => one.run !== run && HAS_ENDED.has(one.state) && isSameSource(one, own))
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

const isSameSource = (one: RunRecord, other: RunRecord): boolean =>
  sourcesOf(one) === sourcesOf(other);

const sourcesOf = ({ inputs }: RunRecord): string => inputs.map(sourceOf).sort().join('\n');

/** The run whose rows are compared. */
interface ComparedRun {
  readonly run: string;
  /** Ids of other runs that are at work on the same contact center. */
  readonly beside: readonly string[];
  readonly warn: (message: string) => void;
}

/** What the rows of a run are compared with beside those before them. */
function comparedInRun(
  { signal }: RunOptions,
  { duplicates, mode, campaign, delta, findLater }: RunPlan,
  { ledger, identity }: RunParts,
  { run: own, beside, warn }: ComparedRun,
): Promise<ComparedRows> {
  return comparedRows(duplicates, {
    earlier: async () => {
      const isAnew = readSettingsForReport(await ledger.settingsOf(own))?.anew === true;
      return earlierRows({
        ...{ ledger, mode, campaign, own, signal, rule: duplicates },
        isDelta: delta !== undefined,
        center: identity.installation,
        anew: isAnew ? identity.inputs : [],
        now: systemClock.now(),
        ...{ beside, onBeside: (runs) => warn(besideText(runs)) },
      });
    },
    later: async (earlier) => findLater?.(earlier, signal),
  });
}

/** Of whom others are about to send, nobody knows yet. */
function besideText(runs: readonly string[]): string {
  const [run = ''] = runs;
  return runs.length === 1
    ? `Another run is at work on this contact center: run ${run}. What is in doubt may be sent by both; an import with --wait-for-runs waits for its end.`
    : `Other runs are at work on this contact center: runs ${runs.join(', ')}. What is in doubt may be sent by several; an import with --wait-for-runs waits for their end.`;
}
