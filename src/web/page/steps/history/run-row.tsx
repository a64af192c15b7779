import type { JSX } from 'preact';
import type { PastRun } from '../../../shared/history.js';
import { historyText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { dateTime, t } from '../../state/language.js';
import { RunActions } from './run-actions.js';
import { RunCounts } from './run-counts.js';
import { RunStateBadge } from './run-state.js';
import { modeWord, nameOf, namesOf } from './run-words.js';

interface RunRowProps {
  readonly run: PastRun;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

/** One run. Its name leads to its result. */
export function RunRow({ run, isChosen, onChoose }: RunRowProps): JSX.Element {
  return (
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
        <Begun iso={run.startedAt} />
      </td>
      <td role="cell">
        <RunStateBadge run={run} />
      </td>
      <RunCounts run={run} />
      <td role="cell" class="doing">
        <RunActions run={run} />
      </td>
    </tr>
  );
}

/** What kind of a run it is. */
function RunFacts({ run }: { readonly run: PastRun }): JSX.Element {
  const { mode, campaign, otherCenter, worksOn, undos } = run;
  const facts = [
    modeWord(mode),
    ...(campaign === null ? [] : [campaign]),
    ...(otherCenter === null ? [] : [t(historyText.at, otherCenter)]),
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

/** A time here, with its zone on the hover. */
export const Begun = ({ iso }: { readonly iso: string }): JSX.Element => (
  <time dateTime={iso} title={new Date(iso).toString()}>
    {dateTime(iso)}
  </time>
);
