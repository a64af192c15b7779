import type { CenterPort } from '../core/center.js';
import { type PreparedChunk, ENVELOPE_BYTES } from '../core/prepared.js';
import type {
  DuplicateRule,
  EarlierRows,
  KnownRows,
  LaterRows,
  SeenKeys,
} from '../core/duplicates.js';
import type { CardlineError } from '../core/errors.js';
import type { RunLedger } from '../core/ledger.js';
import type { RunMode } from '../core/mode.js';
import type { OutcomeCounts, Outcome } from '../core/outcome.js';
import type { ListsPort } from '../core/problem.js';
import type { Clock, Patience } from '../core/time.js';
import {
  type BodyExtras,
  type CampaignSettings,
  type Batch,
  type BatchLimits,
  clientBytes,
  type SettleTimes,
} from './batch.js';
import type { CanaryShare, FailureLimit, ReadSoFar } from './failures.js';
import type { ChangeRule, Inspect } from './change-rules.js';
import type { LimiterChange, LimiterRanges } from './limiter.js';
import type { PaceLimits, Permits, IdleWaits, Turns } from './queue.js';
import type { PausePort, Sender } from './sending.js';
import type { Fact } from '../core/facts.js';

/** The world of an import, as ports. */
export interface ImportPorts {
  readonly chunks: AsyncIterable<PreparedChunk>;
  readonly center: CenterPort;
  readonly ledger: RunLedger;
  readonly seen: SeenKeys;
  /** What earlier runs have sent, where rows are compared with it. @default nothing */
  readonly earlier?: EarlierRows | undefined;
  /** Which rows give way to later ones, where the last one is kept. @default the first one is */
  readonly later?: LaterRows | undefined;
  /** What earlier runs did with the rows. @default nothing is known */
  readonly known?: KnownRows | undefined;
  /** Lists of numbers that must not be called. @default none */
  readonly lists?: ListsPort | undefined;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Aborted to stop gently: what is in flight ends, nothing new leaves. */
  readonly signal: AbortSignal;
  /** Holds back what has not been sent. @default never paused */
  readonly pause?: PausePort | undefined;
  /** Shared with others who send to the same contact center. @default its own, of the settings' pace */
  readonly permits?: Permits | undefined;
  /**
   * Called once, before the first client leaves: makes sure that a contact center is there, and resolves with whether it
   * has answered in the interface's own form. @default not called
   */
  readonly probe?: (() => Promise<boolean>) | undefined;
  /** Called once, before anything is read; the state lives on. */
  readonly onOpen?: ((state: ImportState) => void) | undefined;
  readonly onProgress?: ((state: ImportState) => void) | undefined;
  readonly onTrouble?: ((message: string) => void) | undefined;
  /** Called with how many requests may be in flight and how large they are, whenever that changes. */
  readonly onLimits?: ((change: LimiterChange) => void) | undefined;
}

export interface ImportSettings {
  /** Requests in flight, and clients in a request: fixed, or found out between these limits. */
  readonly concurrency: LimiterRanges['concurrency'];
  readonly batchSize: LimiterRanges['batchSize'];
  /** Maximum bytes in the body of a request. */
  readonly bodyBytes: number;
  /** How long an answer should take at most, in milliseconds; larger batches are not made. @default 10000 */
  readonly longestMs?: number | undefined;
  readonly pace: PaceLimits;
  readonly patience?: Patience;
  /** How soon to ask what became of a request whose answer was lost, in milliseconds. @default 2000 */
  readonly settleAfterMs?: number;
  /**
   * After how long the contact center surely no longer works on such a request, in milliseconds; what may not be done
   * twice is not sent again before. @default 60000
   */
  readonly serverDeadlineMs?: number;
  /**
   * When another process began to map the rows, in milliseconds since the epoch: lists of numbers may have changed since.
   * @default now
   */
  readonly mappedAt?: number | undefined;
  /** @default create */
  readonly mode?: RunMode | undefined;
  /** How the mode changes clients that exist; absent when it changes none. */
  readonly change?: ChangeRule | null | undefined;
  /** Compares clients and changes nothing. */
  readonly inspect?: Inspect | null | undefined;
  /** What every creation carries beside its clients. */
  readonly extras?: BodyExtras | undefined;
  /** `null`: clients are not enqueued. */
  readonly campaign: CampaignSettings | null;
  readonly duplicates: DuplicateRule;
  readonly identifierNames: readonly string[];
  /** How many rows may end badly before the run stops. @default any */
  readonly maxFailures?: FailureLimit | undefined;
  /** Rows of the input that were counted before, all of them where their share is 1. @default none: estimated */
  readonly counted?: ReadSoFar | undefined;
  /** Clients that are sent first and have to pass before the others follow. @default 0 */
  readonly canary?: number | undefined;
  /** Where these are a part of a canary that other processes have sent the rest of. @default they are all of it */
  readonly canaryShare?: CanaryShare | undefined;
  /** Names of the input files, for messages. */
  readonly inputs: readonly string[];
}

/** Where an import stands. The object is one and the same each time. */
export interface ImportState {
  /** Data rows that have been read. */
  rows: number;
  readonly outcomes: OutcomeCounts;
  /** Those among them that ended in an earlier part of the run. */
  readonly earlier: OutcomeCounts;
  /** Share of the input that has been read, 0 to 1. */
  share: number;
  /** Requests that have left and are not answered yet. */
  readonly inFlight: number;
  /** Requests so far, retries included. */
  readonly requests: number;
  readonly retries: number;
  /** Requests that may be in flight, and clients in one, as the limiter permits them now. */
  readonly concurrency: number;
  readonly batchSize: number;
  /** Whether the circuit breaker keeps requests back. */
  readonly isHeld: boolean;
}

export interface ImportEnd {
  /** Why the import ended before its input; absent when everything was sent. */
  readonly stopped?: CardlineError;
  readonly requests: number;
  readonly retries: number;
}

/** What sending a batch needs. */
export interface BatchContext {
  readonly center: CenterPort;
  readonly ledger: RunLedger;
  readonly sender: Sender;
  readonly clock: Clock;
  /** Aborted when no new request may leave. */
  readonly signal: AbortSignal;
  readonly mode: RunMode;
  /** How the mode changes clients that exist; `null` when it changes none. */
  readonly change: ChangeRule | null;
  /** Compares clients and changes nothing; `null` in every other run. */
  readonly inspect: Inspect | null;
  readonly turns: Turns;
  /** Called with long waits of a sending. */
  readonly idleWaits: IdleWaits;
  /** What every creation carries beside its clients. */
  readonly extras?: BodyExtras | undefined;
  /** `null`: clients are not enqueued. */
  readonly campaign: CampaignSettings | null;
  /** The lists of numbers that must not be called, where there are any. */
  readonly lists?: ListsPort | undefined;
  readonly identifierNames: readonly string[];
  /** When to ask what became of a request whose answer was lost. */
  readonly settling: SettleTimes;
  /** When this process began to send, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** When rows began to be mapped, in milliseconds since the epoch. */
  readonly mappedAt: number;
  /** The limits in force; a body that is refused as too large lowers that of the bytes for the rest of the run. */
  readonly limits: { -readonly [K in keyof BatchLimits]: BatchLimits[K] };
  /** The largest body that was accepted so far. */
  readonly accepted: { bytes: number };
  /** Called with how rows ended, as they end. `earlier`: in an earlier part of the run. */
  readonly onOutcome: (outcome: Outcome, count: number, earlier?: boolean) => void;
}

/** Records facts of the batch's chunk. */
export function record(
  context: BatchContext,
  batch: Batch,
  ...facts: readonly Fact[]
): Promise<void> {
  return context.ledger.record(batch.chunk, facts);
}

/** Lowers the byte limit below a body that was too large. A client that is too large alone says nothing of others. */
export function lowerByteLimit({ limits, accepted }: BatchContext, batch: Batch): void {
  if (batch.members.length === 1) return;
  const half = Math.floor(bodyBytes(batch) / 2);
  limits.bytes = Math.max(accepted.bytes, Math.min(limits.bytes, half));
}

/** A body that was accepted shows that the limit need not be lower. */
export function noteAccepted({ limits, accepted }: BatchContext, batch: Batch): void {
  accepted.bytes = Math.max(accepted.bytes, bodyBytes(batch));
  limits.bytes = Math.max(limits.bytes, accepted.bytes);
}

function bodyBytes({ clients, members }: Batch): number {
  return members.reduce((sum, index) => sum + clientBytes(clients, index) + 1, ENVELOPE_BYTES);
}
