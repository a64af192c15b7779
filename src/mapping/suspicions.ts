import type { ColumnEvidence } from '../core/table/evidence.js';
import { whole } from '../core/text/whole.js';
import { NEEDS_NO_PATTERN, patternsOf } from './transforms/date/date-looks.js';
import { STYLES } from './transforms/number-text.js';

/** A reason to believe that the mapping, and not the file, is wrong about a column. */
export interface Suspicion {
  readonly column: string | null;
  /** What was seen, and what to write, in plain words. */
  readonly message: string;
  /** Options of the transform, one of which belongs into the mapping; several where only a person can tell. */
  readonly proposals: readonly string[];
}

/** What the columns of a file show of their mapping. */
export function suspicionsOf(evidence: readonly ColumnEvidence[]): Suspicion[] {
  return evidence.flatMap((seen) => {
    const found = OF_KIND[seen.kind](seen);
    if (found === null) return [];
    const [what, proposals] = found;
    const [only, ...others] = proposals;
    const add =
      only === undefined
        ? ''
        : `; add ${others.length === 0 ? '' : 'the right one: '}${proposals.join(' or ')}`;
    const place = seen.column === null ? '' : `${seen.column}: `;
    return [{ column: seen.column, message: `${place}${what}${add}`, proposals }];
  });
}

type Found = readonly [what: string, proposals: readonly string[]] | null;

const OF_KIND: Readonly<Record<ColumnEvidence['kind'], (seen: ColumnEvidence) => Found>> = {
  date: suspectDates,
  number: suspectNumbers,
};

/** The share of the values that were not understood that must look alike. */
const ALIKE = 0.9;
/** The share of all values that they must be: a few of them are mistakes of the file. */
const MIN_SHARE = 0.1;

function suspectDates({ values, looks }: ColumnEvidence): Found {
  const failed = Object.values(looks).reduce((sum, count) => sum + count, 0);
  const of = (count: number): string => `${whole(count)} of ${whole(values)} look like`;
  const needless = looks[NEEDS_NO_PATTERN] ?? 0;
  if (needless > 0 && needless >= values * ALIKE)
    return [`${of(needless)} dates that need no pattern; leave out "from"`, []];
  const patterns = patternsOf(looks);
  const best = patterns[0]?.count ?? 0;
  if (best === 0 || best < failed * ALIKE || best < values * MIN_SHARE) return null;
  const fitting = patterns.filter(({ count }) => count === best).map(({ pattern }) => pattern);
  return [`${of(best)} ${fitting.join(' or ')}`, fitting.map((pattern) => `from: ${pattern}`)];
}

function suspectNumbers({ values, looks }: ColumnEvidence): Found {
  const { either = 0, point = 0, comma = 0, unread = 0 } = looks;
  if (either === 0 && unread > 0)
    return [`${whole(unread)} of ${whole(values)} have a decimal comma`, [STYLES.comma]];
  if (either === 0) return null;
  const ambiguous = `${whole(either)} of ${whole(values)} numbers can be read in two ways`;
  if (comma > 0 && point === 0)
    return [`${ambiguous}, and ${whole(comma)} have a decimal comma`, [STYLES.comma]];
  if (point > 0 && comma === 0)
    return [`${ambiguous}, and ${whole(point)} have a decimal point`, [STYLES.point]];
  const both =
    comma > 0 ? `, ${whole(comma)} have a decimal comma and ${whole(point)} a point` : '';
  return [`${ambiguous}${both}`, [STYLES.comma, STYLES.point]];
}
