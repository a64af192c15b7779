import type { JSX } from 'preact';
import type { PageProblem } from '../../../shared/errors.js';
import { importText } from '../../messages/import.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { t } from '../../state/language.js';

interface StartProblemProps {
  readonly problem: PageProblem;
  /** Begins anew, whatever an earlier run has sent. */
  readonly onAgain: () => void;
  readonly onRun: (run: string) => void;
}

/** Why it did not start, with what can be done about it here. */
export function StartProblem({ problem, onAgain, onRun }: StartProblemProps): JSX.Element {
  const { code, values } = problem;
  const run = typeof values?.run === 'string' ? values.run : null;
  if (code !== 'changed_since') return <ProblemNote problem={problem} />;
  return (
    <ProblemNote problem={problem}>
      <p class="buttons">
        {run !== null && (
          <button type="button" onClick={() => onRun(run)}>
            {t(importText.showRun)}
          </button>
        )}
        <button type="button" onClick={onAgain}>
          {t(importText.startAnew)}
        </button>
      </p>
    </ProblemNote>
  );
}
