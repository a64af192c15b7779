import type { RunRecord } from '../core/ledger.js';
import { printableLine, wrapped, whole } from '../core/text.js';
import { aligned, placeText } from './text/words.js';
import { GOOD_OUTCOMES, type Outcome, OUTCOMES } from '../core/outcome.js';
import type { RowReport } from '../core/report.js';
import type { RowPlace } from './reasons.js';

/** Two runs to compare. */
interface RunPair {
  readonly earlier: RunRecord;
  readonly later: RunRecord;
}

/** Rows that are listed for each kind of difference. */
const MAX_EXAMPLES = 10;

/**
 * A comparison for a person: how many rows differ and how, with examples.
 * @param width of the terminal in characters; without it, nothing is wrapped
 */
export function comparisonText(
  { earlier, later }: RunPair,
  differences: Iterable<RowDifference>,
  counts: ComparisonCounts,
  width?: number,
): string {
  const ways = new Map<string, { rows: number; examples: string[] }>();
  for (const difference of differences) {
    const way = wayOf(difference);
    const found = ways.get(way) ?? { rows: 0, examples: [] };
    ways.set(way, found);
    found.rows++;
    if (found.examples.length >= MAX_EXAMPLES) continue;
    const { inputs } = difference.kind === 'gone' ? earlier : later;
    const place = placeText(difference.place, inputs);
    found.examples.push(printableLine(`row ${place}  ${difference.uuid}`));
  }
  const [before, after] = counts.withoutUuid;
  const head = aligned(
    [
      ['new', whole(counts.new), `in ${later.run} alone`],
      ...(counts.endedWell > 0
        ? ([
            ['ended well', whole(counts.endedWell), `in ${earlier.run}, so not in its rejects`],
          ] as const)
        : []),
      ['gone', whole(counts.gone), `in ${earlier.run} alone`],
      ['changed', whole(counts.changed), 'ended differently'],
      ['same', whole(counts.same), 'ended alike'],
      ['without uuid', whole(before + after), `${whole(before)} before, ${whole(after)} after`],
    ],
    width,
  );
  const parts = [...ways]
    .sort(([, a], [, b]) => b.rows - a.rows)
    .map(([way, { rows, examples }]) => {
      const more = rows > examples.length ? ['…'] : [];
      const lines = [...examples, ...more].map((line) => `${wrapped('  ', line, width)}\n`);
      return `\n${way}: ${whole(rows)}\n${lines.join('')}`;
    });
  return `${wrapped('', `from ${earlier.run} to ${later.run}`, width)}\n${head}${parts.join('')}`;
}

function wayOf({ kind, before, after }: RowDifference): string {
  if (kind === 'new') return `new, ${after ?? ''}`;
  return kind === 'gone' ? `gone, was ${before ?? ''}` : `${before ?? ''} -> ${after ?? ''}`;
}

/** A comparison as JSON, every row that differs in it, piece by piece. */
export function* comparisonJson(
  { earlier, later }: RunPair,
  differences: Iterable<RowDifference>,
  counts: ComparisonCounts,
): Generator<string, void, undefined> {
  const runs = { earlier: earlier.run, later: later.run };
  yield `${JSON.stringify(runs).slice(0, -1)},"rows":[`;
  let between = '\n';
  for (const { place, ...difference } of differences) {
    const { inputs } = difference.kind === 'gone' ? earlier : later;
    const { input, ...where } = place;
    yield between + JSON.stringify({ ...difference, file: inputs[input] ?? null, ...where });
    between = ',\n';
  }
  yield `],\n"counts":${JSON.stringify(counts)}}\n`;
}

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
  /** Rows that ended well before, and so are not in the rejects that the later run is of. */
  endedWell: number;
  /** Rows of the earlier and the later run without a uuid, which cannot be matched. */
  readonly withoutUuid: [before: number, after: number];
}

export const noCounts = (): ComparisonCounts => ({
  new: 0,
  gone: 0,
  changed: 0,
  same: 0,
  endedWell: 0,
  withoutUuid: [0, 0],
});

const MATCHED = -1;

/**
 * The differences between two runs, row by row, matched by uuid: first those of the later run in its order, then the rows
 * that are gone. Of several rows with one uuid the first one counts. Memory grows with the uuids of the earlier run.
 *
 * @param earlier returns the rows of the earlier run; called twice
 * @param counts incremented during the iteration
 * @param ofRejects whether the later run is of the rejects of the earlier one: its rows may have another uuid and are known
 * by their identifiers as well, and rows that ended well before are not expected in it
 */
export function* differences(
  earlier: () => Iterable<RowReport>,
  later: Iterable<RowReport>,
  counts: ComparisonCounts,
  ofRejects = false,
): Generator<RowDifference, void, undefined> {
  for (const step of comparisonSteps(earlier, later, counts, ofRejects))
    if (step !== null) yield step;
}

/** The same row by row: `null` where there is no difference to tell of, so that others can be given way to. */
export function* comparisonSteps(
  earlier: () => Iterable<RowReport>,
  later: Iterable<RowReport>,
  counts: ComparisonCounts,
  ofRejects = false,
): Generator<RowDifference | null, void, undefined> {
  const outcomes = new Map<string, number>();
  /** The uuids of rows that did not end well, by their identifiers. */
  const rejected = new Map<string, string>();
  for (const row of earlier()) {
    if (row.uuid === null) counts.withoutUuid[0]++;
    else if (!outcomes.has(row.uuid)) {
      outcomes.set(row.uuid, OUTCOMES.indexOf(row.outcome));
      const key = ofRejects && !GOOD_OUTCOMES.has(row.outcome) ? keyOf(row) : null;
      if (key !== null && !rejected.has(key)) rejected.set(key, row.uuid);
    }
    yield null;
  }
  for (const row of later) {
    const own = row.uuid === null || outcomes.has(row.uuid) ? row.uuid : null;
    const uuid = own ?? rejected.get(keyOf(row) ?? '') ?? row.uuid;
    if (uuid === null) counts.withoutUuid[1]++;
    yield uuid === null ? null : inLater(row, uuid, outcomes, counts);
  }
  for (const row of earlier()) {
    const { uuid, outcome: before } = row;
    if (uuid === null || outcomes.get(uuid) === MATCHED) {
      yield null;
      continue;
    }
    outcomes.set(uuid, MATCHED);
    if (ofRejects && GOOD_OUTCOMES.has(before)) {
      counts.endedWell++;
      yield null;
      continue;
    }
    counts.gone++;
    yield { kind: 'gone', uuid, before, after: null, place: placeOf(row) };
  }
}

/** What a row of the later run differs in; `null` where it does not, or another one of its uuid was first. */
function inLater(
  row: RowReport,
  uuid: string,
  outcomes: Map<string, number>,
  counts: ComparisonCounts,
): RowDifference | null {
  const known = outcomes.get(uuid);
  if (known === MATCHED) return null;
  outcomes.set(uuid, MATCHED);
  const { outcome: after } = row;
  const before = known === undefined ? null : (OUTCOMES[known] ?? null);
  const kind = before === null ? 'new' : before === after ? 'same' : 'changed';
  counts[kind]++;
  return kind === 'same' ? null : { kind, uuid, before, after, place: placeOf(row) };
}

/** The identifiers of a row as one text; `null` where one is missing. */
const keyOf = ({ identifiers }: RowReport): string | null =>
  identifiers.length === 0 || identifiers.includes(null)
    ? null
    : JSON.stringify(identifiers.map(String));

const placeOf = ({ input, sheet, row }: RowReport): RowPlace => ({ input, sheet, row });
