import type { ComponentChildren, JSX } from 'preact';
import type { PageProblem } from '../../shared/errors.js';

interface ProblemNoteProps {
  readonly problem: PageProblem;
  /** What can be done about it right here. */
  readonly children?: ComponentChildren;
}

/** What went wrong, in a sentence, with the next step. */
export function ProblemNote({ problem, children }: ProblemNoteProps): JSX.Element {
  const { sentence, next } = problem;
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{sentence}</strong> {next}
      </p>
      {children}
    </div>
  );
}
