import type { JSX } from 'preact';
import type { CheckState, ProblemGroup } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { number, t } from '../../state/language.js';
import { chooseGroup, chosenGroup } from './place.js';

/** What is wrong, by column and reason, the most frequent first. */
export function Groups({ state }: { readonly state: CheckState }): JSX.Element | null {
  const { groups, phase, rows } = state;
  if (groups.length === 0) {
    if (phase === 'failed' || phase === 'stopped') return null;
    const none = phase === 'finished' ? (rows === 0 ? 'noRows' : 'noProblems') : 'noProblemsYet';
    return <p class="notice good">{t(checkText[none])}</p>;
  }
  return (
    <section>
      <h2>{t(checkText.problems)}</h2>
      <ul class="groups">
        {groups.map((group) => (
          <li key={group.key}>
            <GroupButton group={group} isChosen={group.key === chosenGroup()} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface GroupButtonProps {
  readonly group: ProblemGroup;
  readonly isChosen: boolean;
}

const GroupButton = ({ group, isChosen }: GroupButtonProps): JSX.Element => (
  <button type="button" aria-pressed={isChosen} onClick={() => chooseGroup(group.key)}>
    <span class="what">
      <strong>{group.column ?? t(checkText.wholeRow)}</strong> {group.message}
    </span>
    <span class="number">{number(group.rows)}</span>
    {group.values.length > 0 && (
      <span class="soft values">
        {group.values.map(({ value, rows }) => (
          <span>
            <q>{value}</q> {number(rows)}
          </span>
        ))}
      </span>
    )}
  </button>
);
