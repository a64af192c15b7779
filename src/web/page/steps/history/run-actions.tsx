import type { JSX } from 'preact';
import type { PastRun } from '../../../shared/history.js';
import { historyText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { t } from '../../state/language.js';
import { namesOf } from './run-words.js';

/** What can be done with a run. */
export function RunActions({ run }: { readonly run: PastRun }): JSX.Element {
  const hasTrend = run.worksOn === null && run.files.length > 0;
  return (
    <details class="more">
      <summary aria-label={t(historyText.moreOf, ...namesOf(run))}>{t(historyText.more)}</summary>
      <ul>
        <li>
          <Link to={{ kind: 'run', run: run.run }}>{t(historyText.result)}</Link>
        </li>
        {run.list !== null && (
          <li>
            <Link to={{ kind: 'list', list: run.list, step: 'file' }}>{t(historyText.list)}</Link>
          </li>
        )}
        {hasTrend && (
          <li>
            <Link to={{ kind: 'history', run: run.run }}>{t(historyText.trend)}</Link>
          </li>
        )}
      </ul>
    </details>
  );
}
