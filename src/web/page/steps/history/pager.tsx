import type { JSX } from 'preact';
import { historyText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { t } from '../../state/language.js';
import { searchOf } from './choices.js';
import { PAGE_RUNS } from './past-runs.js';

interface PagerProps {
  readonly page: number;
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
}

/** Which of the runs are shown, and the way to the others. Links, so that back and forward work. */
export function Pager({ page, offset, shown, total }: PagerProps): JSX.Element {
  const to = { kind: 'history', run: null } as const;
  const isLast = offset + PAGE_RUNS >= total;
  return (
    <nav class="pager" aria-label={t(historyText.pages)}>
      {page > 1 && (
        <Link class="button" to={to} search={searchOf(page - 1)}>
          {t(historyText.newer)}
        </Link>
      )}
      <span role="status">
        {shown > 0 && t(historyText.shown, offset + 1, offset + shown, total)}
      </span>
      {!isLast && (
        <Link class="button" to={to} search={searchOf(page + 1)}>
          {t(historyText.older)}
        </Link>
      )}
    </nav>
  );
}
