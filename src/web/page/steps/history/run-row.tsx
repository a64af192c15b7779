import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PastRun } from '../../../shared/history.js';
import { kindText } from '../../messages/frame.js';
import { historyText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { LocalTime } from '../../parts/local-time.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import { useRunWork } from '../result/run-work.js';
import { Undo } from '../result/undo.js';
import { RunActions } from './run-actions.js';
import { RunCounts } from './run-counts.js';
import { RunStateBadge } from './run-state.js';
import { modeWord, nameOf, namesOf } from './run-words.js';

interface RunRowProps {
  readonly run: PastRun;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

/** One run. Its name leads to its result; what is done with it is asked for, and goes wrong, right below it. */
export function RunRow({ run, isChosen, onChoose }: RunRowProps): JSX.Element {
  const work = useRunWork(run.run, () => go({ kind: 'run', run: run.run }));
  const isUndoing = useSignal(false);
  const problem = work.problem.value;
  return (
    <>
      <tr role="row">
        <td role="cell" class="choice">
          <input
            type="checkbox"
            checked={isChosen}
            aria-label={t(historyText.chooseOne, ...namesOf(run))}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        </td>
        <th role="rowheader" scope="row" class="name">
          <Link to={{ kind: 'run', run: run.run }}>{nameOf(run)}</Link>
          <RunFacts run={run} />
        </th>
        <td role="cell" class="begun">
          <LocalTime iso={run.startedAt} />
        </td>
        <td role="cell">
          <RunStateBadge run={run} />
        </td>
        <RunCounts run={run} />
        <td role="cell" class="doing">
          <RunActions run={run} work={work} onUndo={() => (isUndoing.value = true)} />
        </td>
      </tr>
      {(isUndoing.value || problem) && (
        <tr role="row" class="below">
          <td role="cell" colSpan={7}>
            {problem && <ProblemNote problem={problem} />}
            {isUndoing.value && (
              <Undo run={run.run} onUndo={work.undo} onCancel={() => (isUndoing.value = false)} />
            )}
          </td>
        </tr>
      )}
    </>
  );
}

/** What kind of a run it is. */
function RunFacts({ run }: { readonly run: PastRun }): JSX.Element {
  const { mode, campaign, otherCenter, sandbox, worksOn, undos } = run;
  const facts = [
    modeWord(mode),
    ...(campaign === null ? [] : [campaign]),
    ...(otherCenter === null ? [] : [t(historyText.at, otherCenter)]),
    ...(sandbox ? [t(kindText.sandbox)] : []),
  ];
  return (
    <span class="under soft">
      {facts.join(' · ')}
      {worksOn !== null && (
        <>
          {' · '}
          {t(mode === 'undo' ? historyText.takesBack : historyText.checks)}{' '}
          <RunLink run={worksOn} />
        </>
      )}
      {undos.map((undo) => (
        <>
          {' · '}
          {t(historyText.takenBack)} <RunLink run={undo} />
        </>
      ))}
    </span>
  );
}

const RunLink = ({ run }: { readonly run: string }): JSX.Element => (
  <Link to={{ kind: 'run', run }}>{run}</Link>
);
