import type { CheckOutcome, ListQuality } from '../../../core/quality.js';
import { QUALITY_PART_NAMES } from '../../../core/quality-parts.js';
import { checkText } from '../../../report/text/check-text.js';
import type { ShownListFacts } from '../../shared/list-facts.js';

/** What was found out about a list, as the page sees it. `inputs`: names of its files. */
export const shownListFacts = (
  quality: ListQuality | null | undefined,
  checks: readonly CheckOutcome[],
  inputs: readonly string[],
): ShownListFacts => ({
  quality: quality ? shownQuality(quality) : null,
  checks: checks.map((found) => ({
    holds: found.holds,
    isStop: found.else === 'stop',
    sentence: checkText(found, inputs),
  })),
});

const shownQuality = ({
  score,
  rows,
  lost,
  outside = 0,
  parts,
  whole,
}: ListQuality): NonNullable<ShownListFacts['quality']> => ({
  ...{ score, rows, lost, outside, whole: whole ?? null },
  parts: QUALITY_PART_NAMES.flatMap((part) => {
    const its = parts[part];
    return its ? [{ part, points: its.points, of: its.of, rows: its.rows }] : [];
  }),
});
