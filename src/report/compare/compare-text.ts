import type { RunRecord } from '../../core/ledger.js';
import { printableLine, wrapped, whole } from '../../core/text.js';
import type { ComparisonCounts, RowDifference } from './compare.js';
import { aligned } from '../text/figures.js';
import { placeText } from '../text/place-text.js';

/** Two runs to compare. */
export interface RunPair {
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
