import type { Clock } from '../core/time.js';
import type { CenterPort } from '../core/center.js';
import type { Fact } from '../core/facts.js';
import type { RunLedger } from '../core/ledger.js';
import { ENVELOPE_BYTES } from '../core/prepared.js';
import type { RunMode } from '../core/mode.js';
import type { Outcome } from '../core/outcome.js';
import type { ListsPort } from '../core/suppressed.js';
import {
  type Batch,
  type BodyExtras,
  type BatchLimits,
  type CampaignSettings,
  clientBytes,
} from './batch.js';
import type { ChangeRule, Inspect } from './change-rule.js';
import type { IdleWaits } from './queue.js';
import type { Turns } from './turns.js';
import type { Sender } from './sending.js';
import type { SettleTimes } from './settle-schedule.js';

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
