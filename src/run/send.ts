import { columnMessage, MODE_TRAITS, rowsIn } from '../core/outcome.js';
import { shareText, whole } from '../core/text.js';
import { EvidenceTally } from '../core/table.js';
import { UsageError, TooManyStop } from '../core/errors.js';
import type { KnownRows } from '../core/duplicates.js';
import type { RunLedger } from '../core/ledger.js';
import {
  type FailureLimit,
  type ImportState,
  type ReadSoFar,
  exceeds,
  limitText,
  runImport,
  totalOf,
  totalText,
} from '../delivery/import.js';
import {
  type Connection,
  maxConcurrency,
  paceLimits,
  patienceOf,
  sharedPermits,
} from './connect.js';
import type { ComparedRows, CountedRows } from './rows.js';
import { probe } from './campaigns.js';
import type { RunOptions } from './requests.js';
import { failedChecks, isStopped } from '../report/text/check-text.js';
import type { RowsToSend } from './plan.js';
import type { CheckOutcome } from '../core/quality.js';
import { createClientChanges, createCenterPort } from '../client/contact-center.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { Installation, Transport } from '../installation/installation.js';
import { doubtText, notesOf, suspicionsOf } from '../mapping/column-uses.js';
import { seenKeysOf } from '../lists/seen.js';
import { DEFAULT_REQUEST_BYTES } from '../prepare/plan.js';
import { CurrentLists } from '../prepare/current-lists.js';
import { systemClock } from '../core/time.js';
import type { Progress } from '../core/report.js';
import { dirname } from 'node:path';
import { destination, pino } from 'pino';
import { makeFolder, openToAppend, NotRegularError } from '../files/regular-file.js';

/** Clients in one request, where that is found out: at least, to begin with, and at most without another limit. */
const BATCH_SIZES = { min: 50, first: 200, max: 500 };
/** Share of the time in which an answer has to come that it should take at most, for requests of a size to be made. */
const SHARE_OF_TIMEOUT = 1 / 6;
/** After how long the contact center surely no longer works on a lost request, at least, in milliseconds. */
const MIN_SERVER_DEADLINE_MS = 60_000;
/** How soon after its answer was lost it is looked up what became of a request, in milliseconds. */
const SETTLE_AFTER_MS = 2_000;

/** Rows that the contact center has refused in an earlier part of the run. */
export async function refusedIn(run: Pick<RunLedger, 'rows'>): Promise<number> {
  let refused = 0;
  for (const { outcome } of await run.rows())
    if (outcome === 'failed' || outcome === 'enqueue_failed') refused++;
  return refused;
}

/** All checks that do not hold are named, also those that only warn. @throws UsageError where one stops the run */
export function stopByChecks(outcomes: readonly CheckOutcome[], inputs: readonly string[]): void {
  if (!isStopped(outcomes)) return;
  const failed = failedChecks(outcomes, inputs);
  const which =
    failed.length === 1 ? 'a check of the mapping' : `${failed.length} checks of the mapping`;
  throw new UsageError(
    `The list does not pass ${which}, so nothing was sent:\n${failed.map((text) => `- ${text}`).join('\n')}`,
  );
}

const REASONS = 3;

/**
 * Why a run is not to send anything (more): rows that surely end badly are more than is allowed. `refused`: rows that the
 * contact center refused in an earlier part of it.
 */
export function tooManyBefore(
  counted: CountedRows,
  limit: FailureLimit,
  refused: number,
  isContinued: boolean,
): TooManyStop | undefined {
  const total = totalOf({ rows: 0, share: 0 }, counted);
  const bad = counted.rejected + refused;
  if (!exceeds(bad, limit, total.rows)) return undefined;
  const what = refused > 0 ? 'are rejected or were refused' : 'are rejected';
  const end = isContinued ? 'so nothing more was sent' : 'so nothing was sent';
  const next = isContinued ? 'continues the run' : 'begins the import';
  const texts = counted.problems
    .slice(0, REASONS)
    .map((one) => `${whole(one.count)} x ${columnMessage(one).replace(/\.$/, '')}`);
  const reasons = texts.length === 0 ? '' : `Most frequent: ${texts.join('; ')}. `;
  return new TooManyStop(
    `${whole(bad)} of ${totalText(total)} rows ${what} (${shareText(bad, total.rows)}), more than the ${limitText(limit)} that --max-failures allows, ${end}. ${reasons}"cardline check" lists the rejected ones; a higher --max-failures ${next}.`,
  );
}

function batchSizeOf({ batchSize = 'auto' }: RunOptions, { limits }: Installation) {
  const permitted = limits.clientsPerRequest;
  if (batchSize !== 'auto') return Math.min(batchSize, permitted ?? Infinity);
  const max = permitted ?? BATCH_SIZES.max;
  const { min, first } = BATCH_SIZES;
  return { min: Math.min(min, max), first: Math.min(first, max), max };
}

/** Who does not know how long the contact center works on a request gives it time: what is sent twice is there twice. */
export function serverDeadlineOf({ serverDeadlineMs, timeoutMs }: Transport): number {
  return serverDeadlineMs ?? Math.max(MIN_SERVER_DEADLINE_MS, timeoutMs);
}

/** What the rows of a run are sent with. */
export interface SendWith {
  readonly run: RunLedger;
  readonly connection: Connection;
  readonly log: RunLog;
  readonly warn: (message: string) => void;
  readonly known?: KnownRows | undefined;
  readonly compared?: ComparedRows | undefined;
  /** Rows of the input that were counted before; absent when none were. */
  readonly counted: ReadSoFar | undefined;
  /** Called with how far the input has been read, and how rows have ended: the same object each time. */
  readonly onRead: (state: Pick<ImportState, 'rows' | 'share' | 'outcomes'>) => void;
  /** When another process began to map the rows, in milliseconds since the epoch. @default now */
  readonly mappedAt?: number | undefined;
  /** Where the canary is one of several processes. @default this one has all of it */
  readonly canaryShare?: Parameters<typeof runImport>[0]['canaryShare'];
}

export type ImportEnd = Awaited<ReturnType<typeof runImport>>;

/** Sends the rows of a run. `probes`: requests by which it was found out that a contact center is there. */
export async function sendRows(
  request: RunOptions,
  rows: RowsToSend,
  { run, connection, log, warn, known, compared, counted, ...parts }: SendWith,
): Promise<ImportEnd & { readonly probes?: number }> {
  const { mode, installation, campaign, recovery, duplicates, identifierNames, inputs } = rows;
  const { center, shared } = connection;
  const [seen, lists] = [seenKeysOf(duplicates.by), currentLists(rows)];
  const [started, evidence] = [systemClock.now(), new EvidenceTally()];
  const max = maxConcurrency(request, installation);
  const concurrency = (request.concurrency ?? 'auto') === 'auto' ? { max } : max;
  const batchSize = batchSizeOf(request, installation);
  const { limits, transport } = installation;
  log.logger.info({ mode, concurrency, batchSize }, 'start');
  let probes = 0;
  try {
    const end = await runImport({
      chunks: watched(rows.chunks(), (chunk) => {
        evidence.add(chunk.evidence);
        request.watcher?.onChunk(chunk);
      }),
      center: createCenterPort(center, recovery),
      ledger: request.watcher?.watched(run) ?? run,
      pause: request.watcher?.pause,
      ...{ seen, known, lists, earlier: compared?.earlier, later: compared?.later },
      probe: async () => {
        const before = connection.answered;
        await probe(request, installation, connection).finally(() => {
          probes += connection.answered - before;
        });
        return connection.met.known === 'surely';
      },
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
        parts.onRead(state);
        request.watcher?.onState(state, counted);
        request.onProgress?.(progressOf(state, counted, (systemClock.now() - started) / 1000));
      },
      ...{ concurrency, batchSize, mode, counted, mappedAt: parts.mappedAt },
      bodyBytes: limits.requestBytes ?? DEFAULT_REQUEST_BYTES,
      longestMs: transport.timeoutMs * SHARE_OF_TIMEOUT,
      pace: paceLimits(request, installation),
      patience: patienceOf(request),
      settleAfterMs: SETTLE_AFTER_MS,
      serverDeadlineMs: serverDeadlineOf(transport),
      change: rows.changeRule(createClientChanges(center)),
      inspect: rows.inspect?.(createClientChanges(center)),
      extras: recovery.extras,
      campaign: MODE_TRAITS[mode].enqueues ? campaign : null,
      ...{ duplicates, identifierNames, inputs },
      maxFailures: request.maxFailures,
      ...{ canary: request.canary, canaryShare: parts.canaryShare },
    });
    return { ...end, probes };
  } finally {
    seen.close();
    lists?.close();
    warnOfColumns(evidence, warn);
  }
}

/** Says where the mapping seems to be wrong, and what else was seen of columns. */
export function warnOfColumns(evidence: EvidenceTally, warn: (message: string) => void): void {
  for (const suspicion of suspicionsOf(evidence.list())) warn(doubtText(suspicion));
  for (const { message } of notesOf(evidence.list())) warn(message);
}

/** Where rows wait for a campaign for long, lists are looked at once more. */
export function currentLists({
  mode,
  installation,
}: Pick<RowsToSend, 'mode' | 'installation'>): CurrentLists | undefined {
  const { calls, enqueues } = MODE_TRAITS[mode];
  if (!installation.suppress || !calls || !enqueues) return undefined;
  return new CurrentLists(installation.suppress, systemClock);
}

/** The chunks as they are, each of which somebody sees before. */
export async function* watched(
  chunks: AsyncIterable<PreparedChunk>,
  see: (chunk: PreparedChunk) => void,
): AsyncGenerator<PreparedChunk, void, undefined> {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}

/** Where a run stands, for the person: what was read and has not ended is still to be done. */
function progressOf(state: ImportState, counted: ReadSoFar | undefined, seconds: number): Progress {
  const rows = rowsIn(state.outcomes);
  const total = totalOf(state, counted).rows;
  return {
    rows,
    outcomes: { ...state.outcomes },
    share: total === 0 ? 0 : Math.min(1, rows / total),
    seconds,
  };
}

/** A run's log: JSON lines in a file for its owner alone. Nothing that names a client or a credential goes in. */
export type RunLog = ReturnType<typeof noLog>;

/**
 * Opens the log for appending. Lines are written at once: the last ones before a crash are the ones that matter. A log
 * that cannot be written is no reason to stop, since what must survive is in the ledger; nor is one whose name leads to
 * somebody else's file, or to a pipe, which is left alone.
 * @param names what every line says of where it belongs
 * @throws what the file system says of the folder, in which the reports would find no place either
 */
export function openRunLog(
  file: string,
  names: { readonly run: string; readonly pickup?: string },
  onWarning: (message: string) => void = () => undefined,
): RunLog {
  makeFolder(dirname(file));
  const withoutIt = (reason: string): void =>
    onWarning(`The log ${file} cannot be written (${reason}); the run goes on without it.`);
  let descriptor: number;
  try {
    descriptor = openToAppend(file);
  } catch (error) {
    if (!(error instanceof NotRegularError)) throw error;
    withoutIt(error.message);
    return noLog();
  }
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
export const noLog = () => ({
  logger: pino({ enabled: false }),
  close: (): void => undefined,
});
