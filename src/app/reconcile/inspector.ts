import { type ClientChanges, isAbsent } from '../../core/center.js';
import { whole } from '../../core/text.js';
import type { Installation } from '../../installation/installation.js';
import type { RunOptions } from '../requests.js';
import type { Inspect } from '../../pipeline/change-rule.js';
import { type Expected, type FieldRules, compare } from '../../reconcile/compare.js';

/** Looks a client up, and its call applications where they are of interest, and compares. */
export function inspector(
  { readCard, readApplications }: ClientChanges,
  rules: FieldRules,
  expectedOf: (payload: unknown) => Expected,
): Inspect {
  return async ({ identifiers, payload }) => {
    const expected = expectedOf(JSON.parse(payload));
    const card = await readCard(identifiers);
    const isThere = !isAbsent(card);
    const applications =
      isThere && expected.campaignId !== null ? await readApplications(identifiers) : [];
    return compare(
      expected,
      {
        card: isThere ? card : null,
        applications: isAbsent(applications) ? [] : applications,
      },
      rules,
    );
  };
}

/** Fewer look-ups are made before anybody has read about them. */
const WORTH_A_WORD = 1000;
/** Between these the answers of most contact centers lie, as requests a second. */
const USUAL_PACES = [100, 1000] as const;

/**
 * Says, before the first row is looked up, how many requests that takes and about how long: the interface has no way to
 * ask for several clients at once (interface.md 4.8, 4.12).
 */
export function announceLookUps(
  { rows, isEstimate, perRow }: { rows: number; isEstimate: boolean; perRow: 1 | 2 },
  { requestsPerSecond, onWarning }: Pick<RunOptions, 'requestsPerSecond' | 'onWarning'>,
  { limits }: Installation,
): void {
  if (rows < WORTH_A_WORD) return;
  const requests = Math.round(perRow * rows);
  const limit = Math.min(requestsPerSecond ?? Infinity, limits.requestsPerSecond ?? Infinity);
  const paces = limit < Infinity ? [limit] : USUAL_PACES;
  const times = paces.map(
    (pace) => `${lasting(requests / pace)} at ${whole(pace)} requests a second`,
  );
  onWarning?.(
    `${isEstimate ? 'About ' : ''}${whole(Math.round(rows))} rows are looked up one by one, with up to ${whole(requests)} requests: ${times.join(', ')}.`,
  );
}

const lasting = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
