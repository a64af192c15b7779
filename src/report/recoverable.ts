import { isKeptAsDeleted } from '../core/center.js';
import { GOOD_OUTCOMES } from '../core/outcome.js';
import type { Reason } from './reasons.js';

/** Whether these rows failed since the contact center keeps their clients as deleted: an import can restore them. */
export const isRecoverable = ({ outcome, from, message }: Reason): boolean =>
  outcome === 'failed' && from === 'contact center' && isKeptAsDeleted(message);

/**
 * Whether all rows that did not end well failed since their clients are there already: nothing in them is to be corrected.
 * `reasons`: all that there are.
 */
export function areAllThere(reasons: readonly Reason[]): boolean {
  const bad = reasons.filter(({ outcome }) => !GOOD_OUTCOMES.has(outcome));
  return bad.length > 0 && bad.every(isThere);
}

/** The interface has no code for it either (interface.md 4.1). */
const isThere = ({ outcome, from, message }: Reason): boolean =>
  outcome === 'failed' && from === 'contact center' && /\balready exists\b/i.test(message);
