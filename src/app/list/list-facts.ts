import type { CallCounts, CallSummary } from '../../core/hours.js';
import {
  type CheckOutcome,
  type ListQuality,
  scoreOf,
  type QualityCounts,
} from '../../core/quality.js';
import type { ListPlan } from './list-plan.js';

/** What was found out about a list as a whole; each is absent where nobody asked for it. */
export interface ListFacts {
  readonly callable?: CallSummary;
  readonly quality?: ListQuality;
  readonly checks?: readonly CheckOutcome[];
}

/** What was counted of its rows. `isWhole`: of all of them. */
export interface CountedList {
  readonly quality: QualityCounts;
  readonly calls: CallCounts;
  readonly isWhole: boolean;
}

export function listFacts(
  { weights, price, callsAsOf, checks, observations }: ListPlan,
  { quality, calls, isWhole }: CountedList,
): ListFacts {
  const score = weights && scoreOf(quality, weights, price, observations.list());
  const outcomes = isWhole ? checks.outcomes() : [];
  return {
    ...(callsAsOf === null
      ? {}
      : { callable: { asOf: new Date(callsAsOf).toISOString(), ...calls } }),
    ...(score ? { quality: score } : {}),
    ...(outcomes.length > 0 ? { checks: outcomes } : {}),
  };
}
