import type { JSX } from 'preact';
import type { CheckState } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { about } from '../../state/about.js';
import { t } from '../../state/language.js';
import { Mends } from './mends.js';
import { Rows } from './rows.js';
import type { Mending } from './use-mending.js';

interface GroupProps {
  readonly state: CheckState;
  /** Key of the group. */
  readonly group: string;
  readonly mending: Mending;
}

/** The rows with one problem, and what mends them. */
export function Group({ state, group, mending }: GroupProps): JSX.Element {
  const found = state.groups.find(({ key }) => key === group);
  const isRunning = state.phase === 'opening' || state.phase === 'reading';
  const none = isRunning ? checkText.groupNotYet : checkText.groupGone;
  return (
    <section aria-label={found ? `${found.column ?? ''} ${found.message}` : t(none)}>
      {!found && (
        <p class="notice" role="status">
          {t(none)}
        </p>
      )}
      {found && about.value?.readOnly === false && (
        <Mends state={state} group={found} mending={mending} />
      )}
      <Rows state={state} group={group} found={found} mending={mending} />
    </section>
  );
}
