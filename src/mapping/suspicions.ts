import type { ColumnEvidence } from '../core/table.js';
import { whole } from '../core/text.js';
import {
  DAY_LOOKS,
  EITHER_ORDER,
  NEEDS_NO_PATTERN,
  OTHER_ORDER,
  patternsOf,
  unreadLooks,
} from './transforms/date/dates.js';
import { STYLES } from './transforms/number.js';

/** A reason to believe that the mapping, and no single row, is wrong about a column. */
export interface Suspicion {
  readonly column: string | null;
  /** What was seen, and what to write, in plain words. */
  readonly message: string;
  /** Options of the transform, one of which belongs into the mapping; several where only a person can tell. */
  readonly proposals: readonly string[];
  /** Whether it is the list that is wrong. */
  readonly isOfList: boolean;
}

/** What a person is told of it, whose mapping may be wrong, or whose list. */
export const doubtText = ({ message, isOfList }: Suspicion): string =>
  isOfList ? `suspect the list: ${message}` : `suspect the mapping: ${message}`;

/** What the columns of a file show of their mapping. */
export function suspicionsOf(evidence: readonly ColumnEvidence[]): Suspicion[] {
  const suspicions = evidence.flatMap((seen) => {
    const found = OF_KIND[seen.kind](seen);
    if (found === null) return [];
    const [what, proposals] = found;
    const [only, ...others] = proposals;
    const add =
      only === undefined
        ? ''
        : `; add ${others.length === 0 ? '' : 'the right one: '}${proposals.join(' or ')}`;
    const place = seen.column === null ? '' : `${seen.column}: `;
    const message = `${place}${what}${add}`;
    return [{ column: seen.column, message, proposals, isOfList: false }];
  });
  return [...suspicions, ...suspectLetters(evidence)];
}

type Found = readonly [what: string, proposals: readonly string[]] | null;

const OF_KIND: Readonly<Record<ColumnEvidence['kind'], (seen: ColumnEvidence) => Found>> = {
  date: suspectDates,
  number: suspectNumbers,
  text: () => null,
  cells: () => null,
};

/** One for all columns: they have the same cause. */
function suspectLetters(evidence: readonly ColumnEvidence[]): Suspicion[] {
  const its = evidence.filter(({ looks }) => looks['garbled'] !== undefined);
  if (its.length === 0) return [];
  const count = its.reduce((sum, { looks }) => sum + (looks['garbled'] ?? 0), 0);
  const columns = its.map(({ column }) => column ?? '').join(', ');
  const message = `garbled letters, such as "Ã¼" for "ü", are taken as they stand in ${cellsText(count)} of ${columns}. Save the list as UTF-8 where it comes from`;
  return [{ column: null, message, proposals: [], isOfList: true }];
}

/** What was seen of columns that is no mistake, and that the person should know all the same. */
export function notesOf(
  evidence: readonly ColumnEvidence[],
): { readonly column: string | null; readonly message: string }[] {
  return evidence.flatMap((seen) =>
    noteTexts(seen).map((message) => ({ column: seen.column, message })),
  );
}

function noteTexts(seen: ColumnEvidence): string[] {
  const { mark = 0, invisible = 0, dates = 0 } = seen.looks;
  const name = seen.column ?? '';
  if (seen.kind === 'cells')
    return [
      ...(mark > 0
        ? [`${name}: the mark for text, an apostrophe or ="…", was taken off ${cellsText(mark)}.`]
        : []),
      ...(invisible > 0
        ? [`${name}: signs that nobody sees were taken off ${cellsText(invisible)}.`]
        : []),
    ];
  const isNoted = seen.kind === 'text' && dates >= MIN_DATES && dates >= seen.values * DATES_SHARE;
  return isNoted
    ? [
        `${name}: ${whole(dates)} of ${whole(seen.values)} values are dates that are sent as they stand, whether there is such a day or not; the transform date checks them.`,
      ]
    : [];
}

const cellsText = (count: number): string => (count === 1 ? '1 cell' : `${whole(count)} cells`);

/** Texts that are dates are noted where there are so many of them, and hardly any others. */
const MIN_DATES = 3;
const DATES_SHARE = 0.9;

/** The share of the values that were not understood that must look alike. */
const ALIKE = 0.9;
/** The share of all values that they must be: a few of them are mistakes of the file. */
const MIN_SHARE = 0.1;

/** So many dates of each kind show that it is no chance: in a third of all dates, the day may be a month. */
const MIN_SWAPPED = 3;

/**
 * Dates that a program has stored, all with a day up to 12, beside texts, all with a day above: it has read those that it
 * could with the month first, or the day, and left the others as they were written.
 */
function suspectSwapped({ values, looks }: ColumnEvidence): Found {
  const count = (look: keyof typeof DAY_LOOKS): number => looks[DAY_LOOKS[look]] ?? 0;
  const [stored, written] = [count('stored'), count('writtenOver12')];
  if (stored < MIN_SWAPPED || written < MIN_SWAPPED) return null;
  if (count('storedOver12') > 0 || count('written') > 0) return null;
  return [
    `${whole(stored)} of ${whole(values)} dates are stored as such, all with a day up to 12, and ${whole(written)} are texts, all with a day above: a program has probably swapped day and month of the stored ones. Compare them with where the list comes from`,
    [],
  ];
}

/** Dates of one order beside dates of the other: those that can be read in both ways may be either. */
function suspectBothOrders({ values, looks }: ColumnEvidence): Found {
  const other = looks[OTHER_ORDER] ?? 0;
  const own = looks[DAY_LOOKS.writtenOver12] ?? 0;
  if (other === 0 || own === 0) return null;
  const either = looks[DAY_LOOKS.written] ?? 0;
  return [
    `${whole(own)} of ${whole(values)} dates have day and month in the order of "from", and ${whole(other)} in the other one, so that nobody knows what the ${whole(either)} are that can be read in both ways. Ask where the list comes from`,
    [],
  ];
}

function suspectDates(seen: ColumnEvidence): Found {
  const { values } = seen;
  const looks = unreadLooks(seen.looks);
  const swapped = suspectSwapped(seen);
  if (swapped) return swapped;
  const twofold = seen.looks[EITHER_ORDER] ?? 0;
  if (twofold > 0)
    return [
      `${whole(twofold)} of ${whole(values)} dates can be read with the day first and with the month first; leave one order in "from"`,
      [],
    ];
  const bothOrders = suspectBothOrders(seen);
  if (bothOrders) return bothOrders;
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
