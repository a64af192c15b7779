import { ALREADY_IN_CAMPAIGN } from '../center-port.js';
import type { RunMode } from '../mode.js';
import type { Fact } from './facts.js';

/**
 * How many rows these facts end badly, which no row does twice. Mode `upsert` finds most clients there already, and then
 * it is no failure that the campaign has them.
 */
export function failedRows(facts: readonly Fact[], mode: RunMode): number {
  return facts.reduce((sum, fact) => sum + failedIn(fact, mode), 0);
}

function failedIn(fact: Fact, mode: RunMode): number {
  switch (fact.kind) {
    case 'created':
      return fact.results.filter(([, , refusal]) => refusal !== undefined).length;
    case 'changed':
      return fact.results.filter(([, refusal]) => typeof refusal === 'string').length;
    case 'enqueued':
      return fact.results.filter(
        ([, refusal]) =>
          refusal !== undefined && !(mode === 'upsert' && refusal === ALREADY_IN_CAMPAIGN),
      ).length;
    default:
      return 0;
  }
}
