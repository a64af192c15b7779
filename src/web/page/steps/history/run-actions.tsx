import type { JSX } from 'preact';
import type { PastRun } from '../../../shared/history.js';
import { historyText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import type { Place } from '../../state/address.js';
import { t, type Message } from '../../state/language.js';
import type { RunWork } from '../result/run-work.js';
import { namesOf } from './run-words.js';

interface RunActionsProps {
  readonly run: PastRun;
  readonly work: RunWork;
  /** Asks how much is to be taken back. */
  readonly onUndo: () => void;
}

/** What can be done with a run. The server says what is possible: nothing that is not is offered. */
export function RunActions({ run, work, onUndo }: RunActionsProps): JSX.Element {
  const { canResume, canReconcile, canUndo } = run;
  return (
    <>
      {canResume && (
        <button
          type="button"
          aria-label={t(historyText.resumeOf, ...namesOf(run))}
          aria-disabled={work.isStarting.value}
          onClick={work.resume}
        >
          {t(historyText.resume)}
        </button>
      )}
      <details class="more">
        <summary aria-label={t(historyText.moreOf, ...namesOf(run))}>{t(historyText.more)}</summary>
        <ul>
          {placesOf(run).map(([label, to]) => (
            <li>
              <Link to={to}>{t(label)}</Link>
            </li>
          ))}
          {canReconcile && <Start label={historyText.reconcile} onClick={work.reconcile} />}
          {canUndo && <Start label={historyText.undo} onClick={onUndo} />}
        </ul>
      </details>
    </>
  );
}

/** Where a run leads to. */
function placesOf({ run, list, worksOn, files, rejectsOf }: PastRun): [Message, Place][] {
  return [
    [historyText.result, { kind: 'run', run }],
    ...(list === null
      ? []
      : [[historyText.list, { kind: 'list', list, step: 'file' }] satisfies [Message, Place]]),
    ...(worksOn !== null || rejectsOf || files.length === 0
      ? []
      : [[historyText.trend, { kind: 'history', run }] satisfies [Message, Place]]),
  ];
}

interface StartProps {
  readonly label: Message;
  readonly onClick: () => void;
}

const Start = ({ label, onClick }: StartProps): JSX.Element => (
  <li>
    <button type="button" class="plain" onClick={onClick}>
      {t(label)}
    </button>
  </li>
);
