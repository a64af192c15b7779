import type { JSX } from 'preact';
import type { PastRun } from '../../../shared/history.js';
import { historyText } from '../../messages/history.js';
import { t } from '../../state/language.js';
import { choose } from './choices.js';
import { RunRow } from './run-row.js';

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
