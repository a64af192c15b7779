import type { JSX } from 'preact';
import type { ImportPlan } from '../../../shared/run.js';
import { stepText } from '../../messages/frame.js';
import { importText } from '../../messages/import.js';
import { Link } from '../../parts/link.js';
import { t } from '../../state/language.js';

/** What is known of the rows: how many cannot be sent, and what was corrected. */
export function RowFacts({ plan }: { readonly plan: ImportPlan }): JSX.Element | null {
  const { clients, estimated, rejected, corrections, list } = plan;
  const isCounting = clients === null || estimated;
  if (!isCounting && rejected === 0 && corrections === 0) return null;
  return (
    <p class="facts">
      {isCounting && <span role="status">{t(importText.counting)} </span>}
      {rejected > 0 && (
        <span>
          {t(importText.rejected, rejected)} (
          <Link to={{ kind: 'list', list: list.id, step: 'check' }}>{t(stepText.check)}</Link>
          ).{' '}
        </span>
      )}
      {corrections > 0 && <span>{t(importText.corrections, corrections)}.</span>}
    </p>
  );
}
