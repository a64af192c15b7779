import type { ComponentChildren, JSX } from 'preact';
import type { PageProblem } from '../../shared/errors.js';
import { problemText } from '../messages/errors.js';
import { language, t } from '../state/language.js';

interface ProblemNoteProps {
  readonly problem: PageProblem;
  /** What can be done about it right here. */
  readonly children?: ComponentChildren;
}

/** What went wrong, in a sentence, with the next step. */
export function ProblemNote({ problem, children }: ProblemNoteProps): JSX.Element {
  const { sentence, next } = wordsOf(problem);
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{sentence}</strong> {next}
      </p>
      {children}
    </div>
  );
}

interface Words {
  readonly sentence: string;
  readonly next: string | undefined;
}

/** The server's own words are English and more exact: in that language they are taken. */
function wordsOf({ code, sentence, next }: PageProblem): Words {
  const known = problemText[code];
  const own = next ?? (known?.next && t(known.next));
  if (!known || language === 'en') return { sentence, next: own };
  return { sentence: t(known.sentence), next: known.next && t(known.next) };
}
