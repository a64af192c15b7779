import type { JSX } from 'preact';
import type { PageProblem } from '../../../shared/errors.js';
import { historyText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { t } from '../../state/language.js';

/** What went wrong with a run, and the way to all of them. */
export const NotThere = ({ problem }: { readonly problem: PageProblem }): JSX.Element => (
  <ProblemNote problem={problem}>
    <p>
      <Link to={{ kind: 'history', run: null }}>{t(historyText.toHistory)}</Link>
    </p>
  </ProblemNote>
);
