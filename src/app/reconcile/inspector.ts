import { type ClientChanges, isAbsent } from '../../core/change.js';
import type { Inspect } from '../../pipeline/inspect/inspect.js';
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
