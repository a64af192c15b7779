import type { Epoch } from './concurrency.js';
import { type Cost, timeOf } from './costs.js';

/** What has been seen of requests since the last decision. */
export interface Seen {
  /** When the first request left. */
  began: number;
  answers: number;
  refused: number;
  time: number;
  /** What the same requests take with little load. */
  expected: number;
  full: number;
}

/** Share of requests behind which others waited, from which on all permitted ones are in flight. */
const FULL = 0.5;

export const nothingSeen = (): Seen => ({
  began: Infinity,
  answers: 0,
  refused: 0,
  time: 0,
  expected: 0,
  full: 0,
});

/** How a request ended that says something of the load. */
export interface SeenEnd {
  readonly began: number;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  readonly end: 'answered' | 'refused';
  /** What such requests cost with little load; `null` while that is not known. */
  readonly cost: Cost | null;
}

/** Adds the end of a request. */
export function addEnd(
  seen: Seen,
  { clients, full }: { readonly clients: number; readonly full: boolean },
  { began, ms, end, cost }: SeenEnd,
): void {
  seen.began = Math.min(seen.began, began);
  if (full) seen.full++;
  if (end === 'refused') seen.refused++;
  if (end === 'refused' || !cost) return;
  seen.answers++;
  seen.time += ms;
  seen.expected += timeOf(cost, clients);
}

/** What was seen, as what some requests showed that were sent at one concurrency. */
export function epochOf(
  { answers, refused, time, expected, full }: Seen,
  concurrency: number,
): Epoch {
  return {
    concurrency,
    answers,
    refused,
    slowdown: expected > 0 ? time / expected : null,
    full: full >= FULL * (answers + refused),
  };
}
