import type { JSX } from 'preact';
import type { CheckState } from '../../../shared/check.js';
import type { PageProblem } from '../../../shared/errors.js';
import { frameText } from '../../messages/frame.js';
import { checkText } from '../../messages/check.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { t } from '../../state/language.js';

interface FailedProps {
  readonly list: string;
  readonly state: CheckState;
  readonly onAgain: () => void;
}

/** Why the check could not go on, and what to do. */
export function Failed({ list, state, onAgain }: FailedProps): JSX.Element | null {
  const { phase, problem, mistakes, rows } = state;
  if (phase === 'stopped')
    return (
      <div class="problem" role="alert">
        <p>{t(checkText.stopped)}</p>
        <Again onAgain={onAgain} />
      </div>
    );
  if (problem === null) return null;
  return (
    <ProblemNote problem={problem}>
      {mistakes.length > 0 && (
        <ul class="mistakes">
          {mistakes.map(({ line, message, suggestion }) => (
            <li>
              {line !== null && <strong>{t(checkText.mistakeLine, line)} </strong>}
              {message} {suggestion}
            </li>
          ))}
        </ul>
      )}
      {rows > 0 && <p>{t(checkText.soFar)}</p>}
      {mistakes.length > 0 ? <ToColumns list={list} /> : <Again onAgain={onAgain} />}
    </ProblemNote>
  );
}

interface NoCheckProps {
  readonly list: string;
  readonly problem: PageProblem;
  readonly onAgain: () => void;
}

/** Why there is no check at all. */
export const NoCheck = ({ list, problem, onAgain }: NoCheckProps): JSX.Element => (
  <ProblemNote problem={problem}>
    {problem.code === 'no_such_list' ? <ToStart /> : <ToColumns list={list} />}
    {problem.code !== 'no_such_list' && <Again onAgain={onAgain} />}
  </ProblemNote>
);

const ToStart = (): JSX.Element => (
  <p>
    <Link to={{ kind: 'start' }}>{t(frameText.toStart)}</Link>
  </p>
);

const Again = ({ onAgain }: { readonly onAgain: () => void }): JSX.Element => (
  <p>
    <button type="button" onClick={onAgain}>
      {t(checkText.again)}
    </button>
  </p>
);

const ToColumns = ({ list }: { readonly list: string }): JSX.Element => (
  <p>
    <Link to={{ kind: 'list', list, step: 'columns' }}>{t(checkText.toColumns)}</Link>
  </p>
);
