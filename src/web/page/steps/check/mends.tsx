import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { CheckState, Mends as Found, ProblemGroup } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { call } from '../../state/call.js';
import { number, t } from '../../state/language.js';
import { Replace } from './replace.js';
import type { Mending } from './use-mending.js';

interface MendsProps {
  readonly state: CheckState;
  readonly group: ProblemGroup;
  readonly mending: Mending;
}

/** Values that are shown at first. */
const FEW = 5;

/** Rules for all rows with the same value, which become a part of the mapping. */
export function Mends({ state, group, mending }: MendsProps): JSX.Element | null {
  const found = useMends(state, group.key);
  const isAll = useSignal(false);
  if (!found) return null;
  const { values, drop, hasMoreValues } = found;
  const mendable = values.filter(({ replace, blank }) => replace || blank);
  const shown = isAll.value ? mendable : mendable.slice(0, FEW);
  if (mendable.length === 0 && !drop) return <p class="soft">{t(checkText.noMends)}</p>;
  return (
    <div class="mends">
      <h3>{t(checkText.mendAll)}</h3>
      <ul>
        {shown.map(({ value, rows, replace, blank }) => (
          <li key={value}>
            <q>{value}</q>
            <span class="number">{number(rows)}</span>
            {replace && <Replace value={value} offer={replace} onRule={mending.makeRule} />}
            {blank && (
              <button
                type="button"
                aria-label={t(checkText.blankLabel, value)}
                onClick={() => void mending.makeRule(blank.rule)}
              >
                {t(checkText.blankIn)}
              </button>
            )}
          </li>
        ))}
      </ul>
      {shown.length < mendable.length && (
        <button type="button" class="plain" onClick={() => (isAll.value = true)}>
          {t(checkText.showMore, mendable.length - shown.length)}
        </button>
      )}
      {isAll.value && hasMoreValues && <p class="soft">{t(checkText.moreValues)}</p>}
      {drop && (
        <p>
          <button type="button" onClick={() => void mending.makeRule(drop.rule)}>
            {t(checkText.dropIn, group.column ?? '', drop.rows)}
          </button>
        </p>
      )}
    </div>
  );
}

/** The rules that are offered, at first for what has been read, and then for all of it. */
function useMends(
  { list: { id: list }, revision, phase, hasFirstRows }: CheckState,
  group: string,
): Found | null {
  const found = useSignal<Found | null>(null);
  useEffect(() => {
    if (!hasFirstRows) return;
    const controller = new AbortController();
    const ask = { params: { list }, query: { group }, signal: controller.signal };
    call('GET /api/lists/:list/check/mends', ask).then(
      (answer) => {
        found.value = answer;
      },
      // Without rules, cells can be corrected all the same.
      () => undefined,
    );
    return () => controller.abort();
  }, [revision, phase, hasFirstRows, group]);
  return found.value;
}
