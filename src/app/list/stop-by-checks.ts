import { UsageError } from '../../core/errors.js';
import type { CheckOutcome } from '../../core/quality.js';
import { failedChecks, isStopped } from '../../report/text/check-text.js';

/** Why nothing of a list is sent; `null`: it may be. All checks that do not hold are named, also those that only warn. */
export function stopByChecks(
  outcomes: readonly CheckOutcome[],
  inputs: readonly string[],
): UsageError | null {
  if (!isStopped(outcomes)) return null;
  const failed = failedChecks(outcomes, inputs);
  const which =
    failed.length === 1 ? 'a check of the mapping' : `${failed.length} checks of the mapping`;
  return new UsageError(
    `The list does not pass ${which}, so nothing was sent:\n${failed.map((text) => `- ${text}`).join('\n')}`,
  );
}
