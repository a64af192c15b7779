import type { QualityWeights } from '../../core/quality-parts.js';
import type { Preparation } from '../../prepare/plan.js';
import { checksOf, ListChecks } from './list-checks.js';
import { ListObservations } from './list-observations.js';
import { listWeights } from './looked-at.js';

/** What is found out about the list of an import as a whole. */
export interface ListPlan {
  readonly checks: ListChecks;
  readonly observations: ListObservations;
  /** What the parts of its score count for; `null`: it has none. */
  readonly weights: QualityWeights | null;
  /** What a row costs. */
  readonly price: number | undefined;
  /** The moment at which clients may be called or not, where the mapping has hours. */
  readonly callsAsOf: number | null;
}

export function listPlan(
  preparation: Preparation,
  price: number | undefined,
  asOf: number | null,
): ListPlan {
  const { sections } = preparation.mapping;
  return {
    checks: new ListChecks(checksOf(preparation)),
    observations: new ListObservations(preparation),
    weights: listWeights(preparation),
    price,
    callsAsOf: 'callable' in sections && sections.callable ? asOf : null,
  };
}
