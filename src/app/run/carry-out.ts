import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined } from '../../core/defined.js';
import type { KnownRows } from '../../core/duplicates/known.js';
import { createSeenKeys } from '../../dedup/seen.js';
import { type CardlineError, EXIT, type ExitCode } from '../../core/errors.js';
import { syncFields } from '../../installation/installation.js';
import type { EarlierRun, RunIdentity, RunRecord } from '../../core/ledger.js';
import { REJECTS_NAME } from '../../core/rejects-name.js';
import { GOOD_OUTCOMES, OUTCOMES, noOutcomes } from '../../core/outcome.js';
import type { Ledger, OpenedRun } from '../../ledger/ledger.js';
import { isUnusual } from '../../pipeline/guard.js';
import { createAnswerLog } from '../connect/answer-log.js';
import type { Connection } from '../connect/connect.js';
import type { Content } from '../repeats/content.js';
import { recordEnd, reportsOrCounts, stopText } from './end-of-run.js';
import { executeRun } from './execute-run.js';
import { knownClients } from '../repeats/known-clients.js';
import { lastRows } from '../repeats/last-rows.js';
import { createLateContent, openWithContent } from '../repeats/late-content.js';
import { REPEATS } from '../repeats/repeats.js';
import type { ImportResult, RunOptions } from '../requests.js';
import { openRunLog } from './run-log.js';
import { systemClock } from '../../core/time/system-clock.js';
import type { Work } from './work.js';

export interface RunParts {
  readonly ledger: Ledger;
  readonly identity: RunIdentity;
  /** What the inputs hold, where the identity may not know it yet. */
  readonly content?: Content;
  /** Whatever is needed to begin the run again without its command. */
  readonly settings: object;
  readonly connection: Connection;
  /** Requests that were made before the run began. */
  readonly before: () => number;
}

/** Opens the run in the ledger, delivers its rows and writes its reports. One that has been done is not repeated. */
export async function carryOut(
  request: RunOptions,
  work: Work,
  parts: RunParts,
): Promise<ImportResult> {
  const { ledger, content, settings, identity } = parts;
  const { again, run, settleAll } = request;
  const opened = await openWithContent(
    ledger,
    {
      ...{ identity, settings, again, run, settleAll },
      out: (id) => resolve(request.out ?? join('runs', id)),
      // What the contact center has may have changed since.
      readsOnly: work.mode === 'reconcile',
      knows: REPEATS[work.mode],
    },
    content,
  );
  if (opened.kind === 'done') return resultOfDone(opened.record, ledger.file);
  try {
    return await carryOutOpened(request, work, { ...parts, identity: opened.identity }, opened);
  } finally {
    opened.close();
  }
}

async function carryOutOpened(
  request: RunOptions,
  work: Work,
  { ledger, identity, content, connection, before }: RunParts,
  opened: Extract<OpenedRun, { kind: 'open' }>,
): Promise<ImportResult> {
  const run = opened.ledger;
  const out = request.out === undefined ? opened.out : resolve(request.out);
  const log = openRunLog(join(out, 'run.log'), run.run, request.onWarning);
  const warn = (message: string): void => {
    log.logger.warn(message);
    request.onWarning?.(message);
  };
  const asked = before();
  const late = createLateContent(opened, { identity, mode: work.mode }, content, warn);
  const answers = createAnswerLog((sum) => {
    log.logger.info(sum, 'answers');
  });
  connection.onAnswer = (answer) => {
    late.begin();
    answers.add(answer);
  };
  try {
    const started = systemClock.now();
    const known = () => knownRows(request, work, ledger, opened.relies);
    const end = await executeRun(request, work, { run, connection, log, warn, known });
    const reports = await reportsOrCounts({
      run,
      work,
      out,
      identifierNames: syncFields(work.installation.card),
      requests: end.requests + asked,
      retries: end.retries,
      seconds: (systemClock.now() - started) / 1000,
      stopped: end.stopped !== undefined,
      ledger: ledger.file,
      unread: end.unread,
      onWarning: warn,
    });
    const { rows, outcomes } = reports.summary;
    const stop = end.stopped ?? reports.failure;
    const last = stop ? null : lastRows(ledger, run.run);
    if (last !== null && isUnusual(rows, last))
      warn(`${rows} rows, where the last file of the same source had ${last}: is the file whole?`);
    // Not before: a run whose report could not be written is continued, and sends nothing again.
    const state = stop ? 'stopped' : outcomes.unknown > 0 ? 'open' : 'finished';
    if (!stop) late.begin();
    if (!stop) await late.finish();
    const unrecorded = recordEnd(run, { state, rows, outcomes });
    const { run: _, inputs: __, ledger: ___, ...counts } = reports.summary;
    log.logger.info(counts, 'end');
    const reason = stop ?? unrecorded;
    const exitCode = reason ? exitCodeOf(reason) : exitCodeFor(outcomes, late.hasChanged());
    const { summary, report, rejects, failure } = reports;
    const stopped = stopText([end.stopped, failure, unrecorded]);
    return { summary, report, rejects, exitCode, out, ledger: ledger.file, ...stopped };
  } finally {
    late.stop();
    await late.recorded();
    answers.close();
    log.close();
  }
}

/** What earlier runs did with the rows of this one; `undefined` where there are none. */
async function knownRows(
  { signal }: RunOptions,
  { mode, campaign }: Work,
  ledger: Ledger,
  runs: readonly EarlierRun[],
): Promise<KnownRows | undefined> {
  const rule = REPEATS[mode];
  if (!rule || runs.length === 0) return undefined;
  const campaignId = campaign?.id ?? null;
  const factsOf = (run: string) => ledger.factsOf(run);
  return knownClients({ runs, rule, campaignId, factsOf, keys: createSeenKeys(), signal });
}

/** The same import was finished earlier: nothing is sent, and all is told as that run ended. */
function resultOfDone(record: RunRecord, ledger: string): ImportResult {
  const outcomes = record.outcomes ?? noOutcomes();
  return {
    exitCode: exitCodeFor(outcomes),
    summary: {
      run: record.run,
      mode: record.mode,
      rows: record.rows ?? 0,
      outcomes,
      requests: 0,
      retries: 0,
      seconds: 0,
      rowsPerSecond: 0,
      state: 'finished',
      inputs: record.inputs,
      campaignId: record.campaignId,
      ledger,
    },
    out: record.out,
    ledger,
    report: existing(join(record.out, 'report.csv')),
    rejects: rejectsIn(record.out),
    already: true,
    ...defined({ endedAt: record.endedAt ?? undefined }),
  };
}

/** Empty text where somebody has removed it. */
const existing = (file: string): string => (existsSync(file) ? file : '');

/** The rejects that a run left in its folder, as far as they are still there. */
function rejectsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => REJECTS_NAME.test(name))
    .map((name) => join(folder, name));
}

/** `lacksRows`: whether some may never have been read. */
function exitCodeFor(outcomes: ImportResult['summary']['outcomes'], lacksRows = false): ExitCode {
  const allWell = OUTCOMES.every(
    (outcome) => GOOD_OUTCOMES.has(outcome) || outcomes[outcome] === 0,
  );
  return allWell && !lacksRows ? EXIT.ok : EXIT.rows;
}

/** A broken input ends a run for good; everything else can be continued. */
function exitCodeOf(stopped: CardlineError): ExitCode {
  return stopped.exitCode === EXIT.usage ? EXIT.usage : EXIT.stopped;
}
