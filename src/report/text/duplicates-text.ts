import { isOfRun, kindOfCode, DUPLICATE_KINDS, type DuplicateKind } from '../../core/duplicates.js';
import type { ProblemCount } from '../../core/problem.js';
import { whole } from '../../core/text.js';

const WORDS = {
  sync: 'by identifiers',
  phone: 'by phone',
} as const satisfies Record<DuplicateKind, string>;

/**
 * How many rows were left out as duplicates, and why: `7 rows are duplicates: 3 by identifiers, 4 by phone; 2 of them of
 * earlier runs`. Empty where there are none.
 */
export function duplicatesText(duplicates: readonly ProblemCount[]): string {
  const all = sumOf(duplicates);
  if (all === 0) return '';
  const kinds = DUPLICATE_KINDS.map((kind) => {
    const rows = sumOf(duplicates.filter(({ code }) => kindOfCode(code) === kind));
    return rows === 0 ? '' : `${whole(rows)} ${WORDS[kind]}`;
  });
  const named = kinds.filter((text) => text !== '').join(', ');
  const ofRuns = sumOf(duplicates.filter(isOfRun));
  const runs = ofRuns === 0 ? '' : `; ${whole(ofRuns)} of them of earlier runs`;
  return `${all === 1 ? '1 row is a duplicate' : `${whole(all)} rows are duplicates`}: ${named}${runs}`;
}

const sumOf = (counts: readonly ProblemCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);
