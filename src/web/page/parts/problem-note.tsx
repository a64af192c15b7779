import type { ComponentChildren, JSX } from 'preact';
import type { PageProblem } from '../../shared/errors.js';
import { t, type Messages } from '../state/language.js';

interface ProblemNoteProps {
  readonly problem: PageProblem;
  /** What can be done about it right here. */
  readonly children?: ComponentChildren;
}

/** What went wrong, in a sentence, with the next step. */
export function ProblemNote({ problem, children }: ProblemNoteProps): JSX.Element {
  const { sentence, next, place } = problem;
  return (
    <div class="problem" role="alert">
      <p>
        {place && <>{whereOf(place)} </>}
        <strong>{sentence}</strong> {next}
      </p>
      {children}
    </div>
  );
}

/** Such as `Sheet "Leads", row 7:`. */
function whereOf({ sheet, line, row }: NonNullable<PageProblem['place']>): string {
  const parts = [
    sheet === undefined ? '' : t(placeText.sheet, sheet),
    line === undefined ? '' : t(placeText.line, line),
    row === undefined ? '' : t(placeText.row, row),
  ].filter((part) => part !== '');
  const text = parts.join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}:`;
}

/** Places in a file. */
const placeText = {
  sheet: { en: (name: string) => `sheet “${name}”`, ru: (name: string) => `лист «${name}»` },
  line: { en: (line: number) => `line ${line}`, ru: (line: number) => `строка ${line}` },
  row: { en: (row: number) => `row ${row}`, ru: (row: number) => `строка ${row}` },
} as const satisfies Messages;
