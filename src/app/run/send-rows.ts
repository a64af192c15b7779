import type { ContactCenter } from '../../client/contact-center.js';
import { createClientChanges, createCenterPort } from '../../client/center-port.js';
import type { PreparedChunk } from '../../core/prepared.js';
import { EvidenceTally } from '../../core/table.js';
import { MODE_TRAITS } from '../../core/mode.js';
import type { Installation, Transport } from '../../installation/installation.js';
import type { KnownRows } from '../../core/duplicates.js';
import { notesOf, suspicionsOf } from '../../mapping/suspicions.js';
import type { RunLedger, SharedPermits } from '../../core/ledger.js';
import { seenKeysOf } from '../../dedup/seen.js';
import type { CanaryShare } from '../../pipeline/canary.js';
import { type ReadSoFar, totalOf } from '../../pipeline/failures.js';
import type { ImportEnd, ImportSettings, ImportState } from '../../pipeline/import-ports.js';
import { runImport } from '../../pipeline/import.js';
import {
  BATCH_SIZES,
  MIN_SERVER_DEADLINE_MS,
  SETTLE_AFTER_MS,
  SHARE_OF_TIMEOUT,
} from '../defaults.js';
import { type Limited, maxConcurrency } from '../connect/max-concurrency.js';
import { paceLimits } from '../connect/pace-limits.js';
import { patienceOf } from '../connect/patience.js';
import { DEFAULT_REQUEST_BYTES } from '../../prepare/plan.js';
import { CurrentLists } from '../../prepare/suppress/current-lists.js';
import type { ComparedRows } from '../duplicates/compared-rows.js';
import type { RunOptions } from '../requests.js';
import type { RunLog } from './run-log.js';
import { sharedPermits } from '../connect/shared-permits.js';
import { systemClock } from '../../core/time.js';
import type { RunPlan } from './run-plan.js';
import type { Progress } from '../../core/report.js';

function concurrencyOf(limited: Limited): ImportSettings['concurrency'] {
  const max = maxConcurrency(limited);
  return (limited.request.concurrency ?? 'auto') === 'auto' ? { max } : max;
}

function batchSizeOf({ request, installation }: Limited): ImportSettings['batchSize'] {
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

/** Runs the pipeline over the rows of a run. */
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
    return await runImport(
      {
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
      },
      {
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
      },
    );
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
