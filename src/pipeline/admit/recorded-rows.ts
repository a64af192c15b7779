import type { RowRecord } from '../../core/prepared.js';
import { UsageError } from '../../core/errors.js';
import { isErased } from '../../core/erase.js';
import type { Fact } from '../../core/facts.js';
import { readFactOf, textOf } from '../../core/facts.js';
import type { Problem } from '../../core/problem.js';

/** Rows of which lists of numbers that must not be called say something else since they were put on record. */
export interface RelistedRows {
  /** Rows that were clients, with the lists that leave them out now, by their position in the chunk. */
  readonly listed: ReadonlyMap<number, readonly string[]>;
  /** Clients that lack a phone now, with the lists that it is on. */
  readonly partly: ReadonlyMap<number, readonly string[]>;
  /** Rows that were left out, with the reason, and would be clients now. */
  readonly freed: ReadonlyMap<number, Problem>;
}

/**
 * Compares the rows of a chunk with those that the run recorded. They may differ in persons that were erased since, and in
 * what lists of numbers say, which change from day to day.
 * @throws UsageError when other rows were recorded
 */
export function relistedRows(recorded: readonly Fact[], read: string | Uint8Array): RelistedRows {
  const listed = new Map<number, readonly string[]>();
  const partly = new Map<number, readonly string[]>();
  const freed = new Map<number, Problem>();
  const fact = recorded.find(({ kind }) => kind === 'read');
  if (fact?.kind !== 'read') throw otherRows();
  const [before, now] = [textOf(fact.data), textOf(read)];
  if (before === now) return { listed, partly, freed };
  const [known, found] = [readFactOf(before), readFactOf(now)];
  if (known.first !== found.first || known.rows.length !== found.rows.length) throw otherRows();
  for (const [at, record] of known.rows.entries()) {
    const other = found.rows[at];
    if (!other || !isSameRow(record, other)) throw otherRows();
    const [, , , , [why] = []] = record;
    if (isClient(record) && !isClient(other)) listed.set(at, listsOf(other));
    else if (isClient(record) && hasMoreListed(record, other)) partly.set(at, listsOf(other));
    else if (!isClient(record) && isClient(other) && !isErased(record) && why) freed.set(at, why);
  }
  return { listed, partly, freed };
}

const isClient = ([, , , status]: RowRecord): boolean => status === 0;

function isSameRow(before: RowRecord, now: RowRecord): boolean {
  if (isErased(before) || JSON.stringify(before) === JSON.stringify(now)) return true;
  const isListed = listsOf(before).length + listsOf(now).length > 0;
  return isListed && whoIs(before) === whoIs(now);
}

/** What lists say of a row, and of phones of it. */
const listedIn = ([, , , , problems, remarks]: RowRecord): Problem[] =>
  [...(problems ?? []), ...(remarks ?? [])].filter(({ lists }) => lists !== undefined);

const listsOf = (record: RowRecord): string[] => [
  ...new Set(listedIn(record).flatMap(({ lists = [] }) => lists)),
];

function hasMoreListed(before: RowRecord, now: RowRecord): boolean {
  const known = new Set(listedIn(before).map(phoneOf));
  return listedIn(now).some((problem) => !known.has(phoneOf(problem)));
}

const phoneOf = ({ column, value }: Problem): string => JSON.stringify([column, value]);

const whoIs = ([row, uuid, identifiers]: RowRecord): string =>
  JSON.stringify([row, uuid, identifiers]);

const otherRows = (): UsageError =>
  new UsageError(
    'The input or the mapping gives other rows than when this run began, so it is not continued. Restore them to continue it; or take back what it did (cardline undo); or begin anew with --again, which sends all rows, also those that it has sent.',
  );
