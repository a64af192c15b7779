import type { JSX } from 'preact';
import type { PastRun } from '../../../shared/history.js';
import { historyText } from '../../messages/history.js';
import { t, type Message } from '../../state/language.js';
import { choose } from './choices.js';
import { useSignal } from '@preact/signals';
import { kindText } from '../../messages/frame.js';
import { Link } from '../../parts/link.js';
import { LocalTime } from '../../parts/local-time.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { go, type Place } from '../../state/address.js';
import { useRunWork, type RunWork } from '../result/run-work.js';
import { Undo } from '../result/undo.js';
import { RunCounts } from './run-counts.js';
import { modeWord, nameOf, namesOf, stateWord } from './run-words.js';

interface RunTableProps {
  readonly runs: readonly PastRun[];
  /** Ids of those that are chosen, on whatever page. */
  readonly chosen: readonly string[];
}

/** The runs of a page. Its roles are written out, since on a narrow screen its rows are drawn as cards. */
export function RunTable({ runs, chosen }: RunTableProps): JSX.Element {
  const toggle = (run: string, isChosen: boolean): void =>
    choose(isChosen ? [...chosen, run] : chosen.filter((one) => one !== run));
  return (
    <table class="runs" role="table">
      <caption class="hidden">{t(historyText.caption)}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <Header label={t(historyText.choose)} isHidden />
          <Header label={t(historyText.run)} />
          <Header label={t(historyText.begun)} />
          <Header label={t(historyText.state)} />
          <Header label={t(historyText.rowsHeader)} class="number" />
          <Header label={t(historyText.outcomes)} />
          <Header label={t(historyText.more)} isHidden />
        </tr>
      </thead>
      <tbody role="rowgroup">
        {runs.map((run) => (
          <RunRow
            key={run.run}
            run={run}
            isChosen={chosen.includes(run.run)}
            onChoose={(isChosen) => toggle(run.run, isChosen)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface HeaderProps {
  readonly label: string;
  readonly class?: string;
  /** Its column explains itself to who sees it. */
  readonly isHidden?: boolean;
}

const Header = ({ label, isHidden = false, ...rest }: HeaderProps): JSX.Element => (
  <th scope="col" role="columnheader" {...rest}>
    {isHidden ? <span class="hidden">{label}</span> : label}
  </th>
);

interface RunRowProps {
  readonly run: PastRun;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

/** One run. Its name leads to its result; what is done with it is asked for, and goes wrong, right below it. */
function RunRow({ run, isChosen, onChoose }: RunRowProps): JSX.Element {
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

/** A sign beside the word, so that colour says nothing alone. */
const SIGNS = {
  running: '▶',
  finished: '✓',
  open: '?',
  stopped: '❚❚',
  broken_off: '!',
} as const satisfies Record<PastRun['state'], string>;

/** How a run stands, and whether somebody else works on it. */
const RunStateBadge = ({ run }: { readonly run: PastRun }): JSX.Element => (
  <>
    <span class={`state ${run.state}`}>
      <span aria-hidden="true">{SIGNS[run.state]}</span> {stateWord(run.state)}
    </span>
    {(run.isUndoing || (run.state === 'running' && !run.isHere)) && (
      <span class="under soft">
        {t(run.isUndoing ? historyText.undoing : historyText.elsewhere)}
      </span>
    )}
  </>
);

interface RunActionsProps {
  readonly run: PastRun;
  readonly work: RunWork;
  /** Asks how much is to be taken back. */
  readonly onUndo: () => void;
}

/** What can be done with a run. The server says what is possible: nothing that is not is offered. */
function RunActions({ run, work, onUndo }: RunActionsProps): JSX.Element {
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
