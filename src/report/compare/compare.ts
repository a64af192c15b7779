import { type Outcome, OUTCOMES } from '../../core/outcome.js';
import type { RowReport } from '../../core/report.js';
import type { RowPlace } from '../reasons.js';

/** A row that is in one run only, or ended differently. `place` is in the later run; of a row that is gone, in the earlier one. */
export interface RowDifference {
  readonly kind: 'new' | 'gone' | 'changed';
  readonly uuid: string;
  /** Outcome in the earlier run; `null` when it was not there. */
  readonly before: Outcome | null;
  readonly after: Outcome | null;
  readonly place: RowPlace;
}

/** How two runs compare, counted while the differences are iterated. */
export interface ComparisonCounts {
  new: number;
  gone: number;
  changed: number;
  same: number;
  /** Rows of the earlier and the later run without a uuid, which cannot be matched. */
  readonly withoutUuid: [before: number, after: number];
}

export const noCounts = (): ComparisonCounts => ({
  new: 0,
  gone: 0,
  changed: 0,
  same: 0,
  withoutUuid: [0, 0],
});

const MATCHED = -1;

/**
 * The differences between two runs, row by row, matched by uuid: first those of the later run in its order, then the rows
 * that are gone. Of several rows with one uuid the first one counts. Memory grows with the uuids of the earlier run.
 *
 * @param earlier returns the rows of the earlier run; called twice
 * @param counts incremented during the iteration
 */
export function* differences(
  earlier: () => Iterable<RowReport>,
  later: Iterable<RowReport>,
  counts: ComparisonCounts,
): Generator<RowDifference, void, undefined> {
  const outcomes = new Map<string, number>();
  for (const { uuid, outcome } of matchable(earlier(), () => counts.withoutUuid[0]++))
    if (!outcomes.has(uuid)) outcomes.set(uuid, OUTCOMES.indexOf(outcome));
  for (const row of matchable(later, () => counts.withoutUuid[1]++)) {
    const { uuid, outcome: after } = row;
    const known = outcomes.get(uuid);
    if (known === MATCHED) continue;
    const before = known === undefined ? null : (OUTCOMES[known] ?? null);
    outcomes.set(uuid, MATCHED);
    const kind = before === null ? 'new' : before === after ? 'same' : 'changed';
    counts[kind]++;
    if (kind !== 'same') yield { kind, uuid, before, after, place: placeOf(row) };
  }
  for (const row of matchable(earlier(), () => undefined)) {
    if (outcomes.get(row.uuid) === MATCHED) continue;
    outcomes.set(row.uuid, MATCHED);
    counts.gone++;
    yield { kind: 'gone', uuid: row.uuid, before: row.outcome, after: null, place: placeOf(row) };
  }
}

const placeOf = ({ input, sheet, row }: RowReport): RowPlace => ({ input, sheet, row });

function* matchable(
  rows: Iterable<RowReport>,
  onUnmatchable: () => void,
): Generator<RowReport & { readonly uuid: string }, void, undefined> {
  for (const row of rows) {
    const { uuid } = row;
    if (uuid === null) onUnmatchable();
    else yield { ...row, uuid };
  }
}
