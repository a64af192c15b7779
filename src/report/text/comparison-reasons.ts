import type { Inspection } from '../../core/center.js';
import type { Problem } from '../../core/problem.js';

const OF_VERDICT: Partial<Record<Inspection['verdict'], string>> = {
  missing: 'There is no card with these identifiers.',
  not_in_campaign: 'The card has no call application in the campaign.',
};
const DIFFERENT = 'The card has another value.';

/** What a comparison found, as reasons: a field that differs is one reason, whatever its values. */
export function comparisonReasons({
  verdict,
  differences,
  remark,
}: Inspection): Pick<Problem, 'column' | 'code' | 'message'>[] {
  const general = [OF_VERDICT[verdict], remark].filter((message) => message !== undefined);
  return [
    ...differences.map(({ field }) => ({ column: field, code: 'different', message: DIFFERENT })),
    ...general.map((message) => ({ column: null, code: verdict, message })),
  ];
}
