import type { OutcomeCounts } from '../core/outcome.js';
import type { Batch } from './batch.js';
import { type FailureLimit, exceeds } from './guard.js';
import { StopRun } from './stop.js';

/** The first clients of a run, which are sent before all others. */
export interface Canary {
  /** The batch, cut where the canary ends. */
  parts(batch: Batch): Iterable<Batch>;
  /** True once: when the last of the canary has been handed out. */
  isSent(): boolean;
}

/** `clients`: how many go first; 0: none. */
export function createCanary(clients: number): Canary {
  let left = clients;
  let due = false;
  return {
    *parts(batch) {
      const head = batch.members.slice(0, left);
      const rest = batch.members.slice(head.length);
      if (head.length > 0) {
        left -= head.length;
        due = left === 0;
        yield { ...batch, members: head };
      }
      if (rest.length > 0) yield { ...batch, members: rest };
    },
    isSent: () => {
      const sent = due;
      due = false;
      return sent;
    },
  };
}

const NONE: FailureLimit = { count: 0 };

/**
 * What the contact center made of the canary decides; rows that the mapping rejects say nothing of it.
 * @throws StopRun when more of it failed than is allowed, by default any.
 */
export function refuseSickCanary(outcomes: OutcomeCounts, limit: FailureLimit = NONE): void {
  const sent = { ...outcomes, rejected: 0, skipped: 0 };
  if (!exceeds(sent, limit, 1)) return;
  throw new StopRun(
    'Too many of the first rows failed, so the others were not sent. Look at the report; the same command sends the others.',
  );
}
