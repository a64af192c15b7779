import type { RunningCheck } from '../../../app/check/watch/start-check.js';
import type { Mends, RuleOffer } from '../../shared/check.js';
import { groupOf } from './group-key.js';
import type { KeptCheck } from './kept-check.js';
import { shownValue } from './shown-rows.js';
import { sealedRule } from './make-rule.js';

type Mend = Awaited<ReturnType<RunningCheck['mends']>>[number];

/** The rules that mend rows of a group, for each of the values that occur most. */
export async function shownMends(check: KeptCheck, key: string, mask: boolean): Promise<Mends> {
  const { revision, mapping, running } = check;
  const group = groupOf(running, key);
  // None has come yet, or all are mended.
  if (!group) return { revision, mapping, values: [], hasMoreValues: false, drop: null };
  const { id, values, hasMoreValues } = group;
  const found = await Promise.all(
    values.map(async (counted) => ({ counted, mends: await running.mends(id, counted.value) })),
  );
  const drop = found.flatMap(({ mends }) => mends).find(({ edit }) => edit.kind === 'invalid');
  const offer = (mend: Mend | undefined): RuleOffer | null =>
    mend ? offered(mend, mapping) : null;
  return {
    ...{ revision, mapping, hasMoreValues, drop: offer(drop) },
    values: found.map(({ counted: { value, rows }, mends }) => ({
      ...{ value: shownValue(value, mask) ?? '', rows },
      replace: replacement(
        mends.find(({ edit }) => edit.kind === 'mapValue'),
        mapping,
      ),
      blank: offer(mends.find(({ edit }) => edit.kind === 'blank')),
    })),
  };
}

const offered = ({ edit, rows, mends, isMin }: Mend, mapping: string): RuleOffer => ({
  ...{ rule: sealedRule({ mapping, edit }), rows, mends, isMin },
});

const replacement = (
  mend: Mend | undefined,
  mapping: string,
): Mends['values'][number]['replace'] =>
  mend ? { ...offered(mend, mapping), choices: mend.choices ? [...mend.choices] : null } : null;
