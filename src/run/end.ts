import {
  type ZoneCounts,
  type CallTime,
  CALL_CODES,
  type CallCounts,
  noCalls,
} from '../core/hours.js';
import { CardlineError, EXIT, type ExitCode } from '../core/errors.js';
import type { RunEnd, RunLedger, RunRecord } from '../core/ledger.js';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangedInput, REJECTS_NAME, type RowReport, type Summary } from '../core/report.js';
import { GOOD_OUTCOMES, noOutcomes, OUTCOMES } from '../core/outcome.js';
import { defined } from '../core/text.js';
import { holdErasure } from '../core/prepared.js';
import { ProblemCounts, SuppressedTally } from '../core/problem.js';
import { DuplicateTally, RepeatTally } from '../core/duplicates.js';
import { addQuality, noQuality } from '../core/quality.js';
import type { ListFacts, ListPlan } from './list.js';
import { type TopReasons, topReasons, ReasonTally } from '../report/reasons.js';
import { writeReport } from '../report/lines.js';
import { writeSummary } from '../report/summary.js';
import { reportedRows } from './recorded.js';
import type { Rejects, Work } from './plan.js';
import type { ImportResult } from './requests.js';
import { syncFields } from '../installation/installation.js';

/**
 * Writes the reports of a run. Where they cannot be written, as on a full disk, the counts are there all the same, and
 * the run counts as stopped: the same command writes them.
 */
export async function reportsOrCounts(work: Work, request: ReportsRequest): Promise<Reports> {
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

/** Puts on record how the run ended; resolves with what kept it from that. The run can be continued either way. */
export async function recordEnd(run: RunLedger, end: RunEnd): Promise<CardlineError | undefined> {
  try {
    await run.end(end);
    return undefined;
  } catch (error) {
    return asStop(error);
  }
}

/** @throws what is no reason for a run to stop, but an internal error */
function asStop(error: unknown): CardlineError {
  if (error instanceof CardlineError && error.exitCode === EXIT.stopped) return error;
  throw error;
}

/** Why a run stopped, for the person; absent when it did not. Each reason is reported once. */
export function stopText(reasons: readonly (CardlineError | undefined)[]): {
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
export function resultWithoutSending(
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
export function resultOfDone(record: RunRecord, ledger: string): ImportResult {
  return {
    ...resultWithoutSending(record, ledger, 'finished'),
    report: existing(join(record.out, 'report.csv')),
    rejects: rejectsIn(record.out),
    already: true,
    ...defined({ endedAt: record.endedAt ?? undefined }),
  };
}

const existing = (file: string): string => (existsSync(file) ? file : '');

/** The rejects that a run left in its folder, as far as they are still there. */
export function rejectsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => REJECTS_NAME.test(name))
    .map((name) => join(folder, name));
}

/** `lacksRows`: whether some may never have been read. */
export function exitCodeFor(
  outcomes: ImportResult['summary']['outcomes'],
  lacksRows = false,
): ExitCode {
  const allWell = OUTCOMES.every(
    (outcome) => GOOD_OUTCOMES.has(outcome) || outcomes[outcome] === 0,
  );
  return allWell && !lacksRows ? EXIT.ok : EXIT.rows;
}

/** A broken input ends a run for good; everything else can be continued. */
export function exitCodeOf(stopped: CardlineError): ExitCode {
  return stopped.exitCode === EXIT.usage ? EXIT.usage : EXIT.stopped;
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
  timeZones: ZoneCounts | undefined;
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
    if (this.list.callsAsOf !== null) addCall(this.#calls, row);
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

function isReject({ outcome, problems }: RowReport): boolean {
  if (outcome === 'skipped') return callTimeOf(problems) !== null;
  return !GOOD_OUTCOMES.has(outcome);
}

/** Whether the rejects have a row: nobody is to mend one whose person was erased. */
export const isInRejects = (row: RowReport): boolean => isReject(row) && !holdErasure(row.problems);

function addCall(calls: CallCounts, { outcome, problems, remarks = [] }: RowReport): void {
  const isClient = outcome !== 'rejected' && outcome !== 'skipped';
  const time = callTimeOf(isClient ? remarks : problems) ?? (isClient ? 'now' : null);
  if (time !== null) calls[time]++;
}

const TIMES = new Map<string, CallTime>([
  [CALL_CODES.today, 'today'],
  [CALL_CODES.later, 'later'],
  [CALL_CODES.never, 'never'],
]);

/** When the client of a row may be called, by the codes of its problems or remarks; `null` where none says so. */
function callTimeOf(found: readonly { readonly code: string }[]): CallTime | null {
  for (const { code } of found) {
    const time = TIMES.get(code);
    if (time) return time;
  }
  return null;
}
