import type { CreateResult, EnqueueError } from '../../src/core/center.js';
import type { NewClient } from './books.js';
import type { Fate } from './scenario.js';

/** An answer that is not what it should be, and the clients of which it tells all the same. */
export interface Spoilt<T> {
  readonly answer: T;
  readonly told: readonly number[];
}

export const FOREIGN_ERROR: EnqueueError = {
  clientIdentifiers: { offerId: 99_999 },
  errorMessage: 'Client is in blacklist',
};

/** What an answer that belongs to another request says of these clients is wrong. */
export function wrongError(offerId: number): EnqueueError {
  return { clientIdentifiers: { offerId }, errorMessage: 'Another answer.' };
}

function wrongResult({ uuid }: CreateResult): CreateResult {
  return { uuid, result: 'Another answer.' };
}

export function spoilCreate(
  clients: readonly NewClient[],
  results: readonly CreateResult[],
  how: Extract<Fate, { kind: 'odd_answer' }>['how'],
  place: number,
): Spoilt<readonly CreateResult[]> {
  const all = clients.map(({ offerId }) => offerId);
  const at = place % Math.max(1, results.length);
  const one = results[at];
  if (!one) return { answer: results, told: all };
  const others = clients.filter(({ uuid }) => uuid !== one.uuid).map(({ offerId }) => offerId);
  switch (how) {
    case 'missing':
      return { answer: results.filter((_, place) => place !== at), told: others };
    case 'foreign':
      return { answer: [...results.map(wrongResult), { uuid: 'nobody', result: 'No.' }], told: [] };
    case 'repeated':
      return { answer: [...results, one], told: others };
    case 'contradicting':
      return { answer: [...results, { uuid: one.uuid, result: 'No.' }], told: others };
    case 'without_id':
      return { answer: results.map(({ uuid, result }) => ({ uuid, result })), told: all };
  }
}
