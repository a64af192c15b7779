import { CardlineError, UsageError, TooManyStop } from '../core/errors.js';
import type { KnownRows } from '../core/duplicates.js';
import type { RunLedger, SharedPermits } from '../core/ledger.js';
import {
  type CanaryShare,
  type ImportJob,
  type FailureLimit,
  type ImportEnd,
  type ImportState,
  type ReadSoFar,
  type RowTotal,
  exceeds,
  limitText,
  runImport,
  totalOf,
  totalText,
} from '../delivery/import.js';
import {
  type Connection,
  type Limited,
  maxConcurrency,
  paceLimits,
  patienceOf,
  sharedPermits,
} from './connect.js';
import type { CountedRows, ComparedRows } from './count-rows.js';
import { probe } from './campaigns.js';
import type { RunOptions } from './requests.js';
import { scoped } from './scoped.js';
import { failedChecks, isStopped } from '../report/text/check-text.js';
import type { RunPlan } from './plan.js';
import type { CheckOutcome } from '../core/quality.js';
import type { ProblemCount } from '../core/problem.js';
import { whole } from '../core/text.js';
import type { ContactCenter } from '../client/contact-center.js';
import { createClientChanges, createCenterPort } from '../client/center-port.js';
import type { PreparedChunk } from '../core/prepared.js';
import { EvidenceTally } from '../core/table.js';
import { MODE_TRAITS } from '../core/mode.js';
import type { Installation, Transport } from '../installation/installation.js';
import { notesOf, suspicionsOf } from '../mapping/suspicions.js';
import { seenKeysOf } from '../lists/seen.js';
import {
  BATCH_SIZES,
  MIN_SERVER_DEADLINE_MS,
  SETTLE_AFTER_MS,
  SHARE_OF_TIMEOUT,
} from '../options/places.js';
import { DEFAULT_REQUEST_BYTES } from '../prepare/plan.js';
import { CurrentLists } from '../prepare/current-lists.js';
import { systemClock } from '../core/time.js';
import type { Progress } from '../core/report.js';
import { dirname } from 'node:path';
import { type Logger, destination, pino } from 'pino';
import { makeFolder, openToAppend, NotRegularError } from '../files/regular-file.js';

interface SendParts {
  readonly run: RunLedger;
  readonly connection: Connection;
  readonly log: RunLog;
  readonly warn: (message: string) => void;
  /** Gathers what earlier runs did with the rows; `undefined` where there are none. */
  readonly known: () => Promise<KnownRows | undefined>;
  /** Finds out what rows are compared with, beside those before them. */
  readonly compared: () => Promise<ComparedRows>;
}

/** Rows of a run that were never read. */
interface UnreadRows {
  readonly rows: number;
  /** Whether their number is known, since the rows were counted. */
  readonly exact: boolean;
}

export interface SentRun extends ImportEnd {
  /** How many rows were never read, `recorded` being those on record. */
  readonly unread: (recorded: number) => UnreadRows;
}

/** What sends the rows of a run once there is nothing against it. */
export type ExecuteRows<P = RowsPlan> = (
  request: RunOptions,
  plan: P,
  parts: SendRowsParts & {
    /** Why nothing is to be sent (any more), where others have to learn of it. */
    readonly stopped?: CardlineError;
  },
) => Promise<ImportEnd>;

const SETTLES_ALL =
  'Every row of which nothing is on record is looked up, one by one, before anything is sent for it.';

/**
 * Compares the rows of a run with those of earlier ones, counts them where a check or a limit of failures asks for it, and
 * sends them once a contact center has answered. What ends it early is its result; only a defect is thrown.
 */
export function sendRun(
  request: RunOptions,
  plan: RunPlan,
  { run, connection, log, warn, ...parts }: SendParts,
  execute?: ExecuteRows<RunPlan>,
): Promise<SentRun> {
  let counted: CountedRows | undefined;
  let read: ReadSoFar = { rows: 0, share: 0 };
  const unread = (recorded: number): UnreadRows => {
    const { rows, exact } = totalOf(read, counted);
    return { rows: Math.max(0, rows - recorded), exact };
  };
  const before = (stopped: CardlineError): SentRun => ({
    ...{ stopped, requests: 0, retries: 0, unread },
  });
  return scoped(async (closing) => {
    try {
      // COMPARE: what earlier runs did with the rows, and which of them give way to others.
      const known = await parts.known();
      closing(() => known?.close());
      const compared = await parts.compared();
      closing(() => compared.close());

      // COUNT: what is wrong with the list as a whole is found out before anything is sent.
      const checks = plan.list?.checks.hasStop === true && !(await hasPassed(run));
      const failures = request.maxFailures !== undefined;
      if (failures || checks) {
        request.observer?.onPhase?.('count');
        const found = await plan.countRows({ failures, checks, compared }, request.signal);
        counted = found.counted;
        const refused = stopByChecks(found.checked, plan.inputs);
        if (refused) return before(refused);
        for (const text of failedChecks(found.checked, plan.inputs)) warn(text);
      }
      const stopped = counted && (await stopBefore(request, run, counted));
      // Others who work on the run have to learn of the stop: who shares it tells them.
      if (stopped && !(execute && run.continued)) return before(stopped);

      // SEND: here, or by whoever takes pieces of the run.
      if (run.continued) warn(`Continuing run ${run.run}.`);
      if (run.settlesAll) warn(SETTLES_ALL);
      request.observer?.onPhase?.('send');
      const probing = probeOf(request, plan, connection);
      const { center, shared } = connection;
      const end = await (execute ?? sendRows)(request, plan, {
        ...(stopped ? { stopped } : {}),
        ...{ run, center, shared, log, warn, known, compared, counted, probe: probing.probe },
        onRead: (state) => {
          read = state;
        },
      });
      return { ...end, requests: end.requests + probing.requests(), unread };
    } catch (error) {
      if (!(error instanceof CardlineError)) throw error;
      return before(error);
    }
  });
}

/** Looks whether a contact center is there, and counts the requests that this takes. */
function probeOf(request: RunOptions, plan: RunPlan, connection: Connection) {
  let requests = 0;
  const probeOnce = async (): Promise<boolean> => {
    const { onAnswer } = connection;
    connection.onAnswer = (answer) => {
      requests++;
      onAnswer(answer);
    };
    try {
      await probe(request, plan, connection);
    } finally {
      connection.onAnswer = onAnswer;
    }
    return connection.known === 'surely';
  };
  return { probe: probeOnce, requests: () => requests };
}

/**
 * Whether the checks of the list held when the run began: its first rows are on record only then. A run with
 * --settle-all is continued also where none are, so that to be continued is no proof.
 */
const hasPassed = async (run: RunLedger): Promise<boolean> =>
  run.continued && (await run.factsOf(0)).length > 0;

/** Why the run is not to send anything (more); `null`: it may. */
async function stopBefore(
  { maxFailures: limit }: RunOptions,
  run: RunLedger,
  counted: CountedRows,
): Promise<CardlineError | null> {
  if (!limit) return null;
  const refused = run.continued ? await refusedIn(run) : 0;
  return tooManyBefore({ counted, limit, refused, isContinued: run.continued });
}

/** Rows that the contact center has refused in an earlier part of the run. */
export async function refusedIn(run: Pick<RunLedger, 'rows'>): Promise<number> {
  let refused = 0;
  for (const { outcome } of await run.rows())
    if (outcome === 'failed' || outcome === 'enqueue_failed') refused++;
  return refused;
}

/** Why nothing of a list is sent; `null`: it may be. All checks that do not hold are named, also those that only warn. */
function stopByChecks(
  outcomes: readonly CheckOutcome[],
  inputs: readonly string[],
): UsageError | null {
  if (!isStopped(outcomes)) return null;
  const failed = failedChecks(outcomes, inputs);
  const which =
    failed.length === 1 ? 'a check of the mapping' : `${failed.length} checks of the mapping`;
  return new UsageError(
    `The list does not pass ${which}, so nothing was sent:\n${failed.map((text) => `- ${text}`).join('\n')}`,
  );
}

/** Reasons that are reported. */
const REASONS = 3;

/** What is known of a run before it sends anything. */
interface Known {
  readonly counted: CountedRows;
  readonly limit: FailureLimit;
  /** Rows that the contact center refused in an earlier part of the run. */
  readonly refused: number;
  readonly isContinued: boolean;
}

/** Why a run is not to send anything (more): rows that surely end badly are more than is allowed. */
function tooManyBefore({ counted, limit, refused, isContinued }: Known): TooManyStop | null {
  const total = totalOf({ rows: 0, share: 0 }, counted);
  const bad = counted.rejected + refused;
  if (!exceeds(bad, limit, total.rows)) return null;
  const what = refused > 0 ? 'are rejected or were refused' : 'are rejected';
  const end = isContinued ? 'so nothing more was sent' : 'so nothing was sent';
  const next = isContinued ? 'continues the run' : 'begins the import';
  return new TooManyStop(
    `${whole(bad)} of ${totalText(total)} rows ${what} (${shareText(bad, total)}), more than the ${limitText(limit)} that --max-failures allows, ${end}. ${reasonsText(counted.problems)}"cardline check" lists the rejected ones; a higher --max-failures ${next}.`,
  );
}

function shareText(part: number, { rows }: RowTotal): string {
  const percent = (part / rows) * 100;
  return `${percent < 10 ? Number(percent.toPrecision(2)) : Math.round(percent)} %`;
}

function reasonsText(problems: readonly ProblemCount[]): string {
  if (problems.length === 0) return '';
  const texts = problems
    .slice(0, REASONS)
    .map(
      ({ column, message, count }) =>
        `${whole(count)} x ${column === null ? '' : `${column}: `}${message.replace(/\.$/, '')}`,
    );
  return `Most frequent: ${texts.join('; ')}. `;
}

function concurrencyOf(limited: Limited): ImportJob['concurrency'] {
  const max = maxConcurrency(limited);
  return (limited.request.concurrency ?? 'auto') === 'auto' ? { max } : max;
}

function batchSizeOf({ request, installation }: Limited): ImportJob['batchSize'] {
  const { batchSize = 'auto' } = request;
  const permitted = installation.limits.clientsPerRequest;
  if (batchSize !== 'auto') return Math.min(batchSize, permitted ?? Infinity);
  const max = permitted ?? BATCH_SIZES.max;
  const { min, first } = BATCH_SIZES;
  return { min: Math.min(min, max), first: Math.min(first, max), max };
}

/** Who does not know how long the contact center works on a request gives it time: what is sent twice is there twice. */
export function serverDeadlineOf({ serverDeadlineMs, timeoutMs }: Transport): number {
  return serverDeadlineMs ?? Math.max(MIN_SERVER_DEADLINE_MS, timeoutMs);
}

export interface SendRowsParts {
  readonly run: RunLedger;
  readonly center: ContactCenter;
  /** Permits that other machines have a part in. @default this process alone counts */
  readonly shared?: SharedPermits | undefined;
  readonly log: RunLog;
  readonly warn: (message: string) => void;
  /** What earlier runs did with the rows. */
  readonly known?: KnownRows | undefined;
  /** What rows are compared with beside those before them. */
  readonly compared?: Pick<ComparedRows, 'earlier' | 'later'> | undefined;
  /** Rows of the input that were counted before; absent when none were. */
  readonly counted: ReadSoFar | undefined;
  /** Makes sure that a contact center is there, and resolves with whether it surely is one. */
  readonly probe: () => Promise<boolean>;
  /** Called with how far the input has been read, and how rows have ended: the same object each time. */
  readonly onRead: (state: Pick<ImportState, 'rows' | 'share' | 'outcomes'>) => void;
  /** When another process began to map the rows, in milliseconds since the epoch. @default now */
  readonly mappedAt?: number | undefined;
  /** Where the canary is one of several processes. @default this one has all of it */
  readonly canaryShare?: CanaryShare | undefined;
}

/** What of the plan of a run is needed to send its rows. */
export type RowsPlan = Omit<RunPlan, 'countRows' | 'list' | 'asOf' | 'delta' | 'openRejects'>;

/** Sends the rows of a run. */
export async function sendRows(
  request: RunOptions,
  plan: RowsPlan,
  parts: SendRowsParts,
): Promise<ImportEnd> {
  const { run, center, shared, log, warn, known, compared, counted, probe, onRead, mappedAt } =
    parts;
  const { mode, installation, campaign, recovery } = plan;
  const [seen, lists] = [seenKeysOf(plan.duplicates.by), currentLists(plan)];
  const [started, evidence] = [systemClock.now(), new EvidenceTally()];
  const limited = { request, installation };
  const [concurrency, batchSize] = [concurrencyOf(limited), batchSizeOf(limited)];
  log.logger.info({ mode, concurrency, batchSize }, 'start');
  try {
    return await runImport({
      chunks: watched(plan.chunks(), (chunk) => {
        evidence.add(chunk.evidence);
        request.watcher?.onChunk(chunk);
      }),
      center: createCenterPort(center, recovery),
      ledger: request.watcher?.watched(run) ?? run,
      pause: request.watcher?.pause,
      ...{ seen, known, lists, probe, earlier: compared?.earlier, later: compared?.later },
      permits: sharedPermits(request, installation, shared),
      clock: systemClock,
      random: Math.random,
      signal: request.signal ?? new AbortController().signal,
      onTrouble: warn,
      onLimits: (change) => {
        log.logger.info(change, 'limits');
      },
      onOpen: request.observer?.onSending?.bind(request.observer),
      onProgress: (state) => {
        onRead(state);
        request.watcher?.onState(state, counted);
        request.onProgress?.(progressOf(state, counted, (systemClock.now() - started) / 1000));
      },
      ...{ concurrency, batchSize, mode, counted, mappedAt },
      ...limitsOf(request, installation),
      change: plan.changeRule(createClientChanges(center)),
      inspect: plan.inspect?.(createClientChanges(center)),
      extras: recovery.extras,
      campaign: MODE_TRAITS[mode].enqueues ? campaign : null,
      duplicates: plan.duplicates,
      maxFailures: request.maxFailures,
      ...{ canary: request.canary, canaryShare: parts.canaryShare },
      identifierNames: plan.identifierNames,
      inputs: plan.inputs,
    });
  } finally {
    seen.close();
    lists?.close();
    warnOfColumns(evidence, warn);
  }
}

/** Says where the mapping seems to be wrong, and what else was seen of columns. */
export function warnOfColumns(evidence: EvidenceTally, warn: (message: string) => void): void {
  for (const { message } of suspicionsOf(evidence.list())) warn(`suspect the mapping: ${message}`);
  for (const { message } of notesOf(evidence.list())) warn(message);
}

/** Where rows wait for a campaign for long, lists are looked at once more. */
export function currentLists({
  mode,
  installation,
}: Pick<RunPlan, 'mode' | 'installation'>): CurrentLists | undefined {
  const { calls, enqueues } = MODE_TRAITS[mode];
  if (!installation.suppress || !calls || !enqueues) return undefined;
  return new CurrentLists(installation.suppress, systemClock);
}

async function* watched(
  chunks: AsyncIterable<PreparedChunk>,
  see: (chunk: PreparedChunk) => void,
): AsyncGenerator<PreparedChunk, void, undefined> {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}

/** How much a request carries, how fast requests follow each other, and how long is waited for them. */
function limitsOf(request: RunOptions, installation: Installation) {
  const { limits, transport } = installation;
  return {
    bodyBytes: limits.requestBytes ?? DEFAULT_REQUEST_BYTES,
    longestMs: transport.timeoutMs * SHARE_OF_TIMEOUT,
    pace: paceLimits(request, installation),
    patience: patienceOf(request),
    settleAfterMs: SETTLE_AFTER_MS,
    serverDeadlineMs: serverDeadlineOf(transport),
  };
}

/** Where a run stands, for the person: what was read and has not ended is still to be done. */
function progressOf(state: ImportState, counted: ReadSoFar | undefined, seconds: number): Progress {
  const rows = Object.values(state.outcomes).reduce((sum, count) => sum + count, 0);
  const total = totalOf(state, counted).rows;
  return {
    rows,
    outcomes: { ...state.outcomes },
    share: total === 0 ? 0 : Math.min(1, rows / total),
    seconds,
  };
}

/** A run's log: JSON lines in a file for its owner alone. Nothing that names a client or a credential goes in. */
export interface RunLog {
  readonly logger: Logger;
  close(): void;
}

/** What every line of a log says of where it belongs. */
interface RunNames {
  readonly run: string;
  readonly pickup?: string;
}

/**
 * Opens the log for appending. Lines are written at once: the last ones before a crash are the ones that matter. A log
 * that cannot be written is no reason to stop, since what must survive is in the ledger; nor is one whose name leads to
 * somebody else's file, or to a pipe, which is left alone.
 * @throws what the file system says of the folder, in which the reports would find no place either
 */
export function openRunLog(
  file: string,
  names: RunNames,
  onWarning: (message: string) => void = () => undefined,
): RunLog {
  makeFolder(dirname(file));
  const withoutIt = (reason: string): void =>
    onWarning(`The log ${file} cannot be written (${reason}); the run goes on without it.`);
  const descriptor = openUnlessOther(file, withoutIt);
  if (descriptor === undefined) return noLog();
  const sink = destination({ fd: descriptor, sync: true });
  sink.once('error', (error: Error & { code?: string }) => {
    sink.on('error', () => undefined);
    withoutIt(error.code ?? 'unknown reason');
  });
  return {
    logger: pino({ base: names, timestamp: () => `,"time":"${new Date().toISOString()}"` }, sink),
    close: () => {
      sink.end();
    },
  };
}

/** In place of a log, for work that has none of its own. */
export const noLog = (): RunLog => ({
  logger: pino({ enabled: false }),
  close: () => undefined,
});

function openUnlessOther(file: string, onOther: (reason: string) => void): number | undefined {
  try {
    return openToAppend(file);
  } catch (error) {
    if (!(error instanceof NotRegularError)) throw error;
    onOther(error.message);
    return undefined;
  }
}
