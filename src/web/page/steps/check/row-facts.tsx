import type { JSX } from 'preact';
import type { CheckState } from '../../../shared/check.js';
import { checkText, wouldText } from '../../messages/check.js';
import { number, t } from '../../state/language.js';

/** How many rows there are, and what would become of them. */
export function RowFacts({ state }: { readonly state: CheckState }): JSX.Element {
  const { phase, mode, rows, clients, rejected, skipped, duplicates } = state;
  const isDone = phase === 'finished';
  const facts = [
    { label: t(isDone ? checkText.rows : checkText.rowsSoFar), count: rows },
    {
      label: t(mode === null ? checkText.wouldBeSent : wouldText[mode]),
      count: clients,
      as: 'good',
    },
    { label: t(checkText.rejected), count: rejected, as: 'bad' },
    {
      label: t(checkText.leftOut),
      count: skipped,
      more: duplicates > 0 ? t(checkText.duplicates, duplicates) : undefined,
    },
  ];
  return (
    <dl class="counts">
      {facts.map(({ label, count, as = '', more }) => (
        <div class={count > 0 ? as : ''}>
          <dt>{label}</dt>
          <dd>{number(count)}</dd>
          {more !== undefined && <dd class="soft">{more}</dd>}
        </div>
      ))}
    </dl>
  );
}
