import type { JSX } from 'preact';
import type { Result } from '../../../shared/result.js';
import { modeText } from '../../messages/history.js';
import { resultText } from '../../messages/result.js';
import { Link } from '../../parts/link.js';
import { LocalTime } from '../../parts/local-time.js';
import { t } from '../../state/language.js';

/** What the run is, in one line, and the runs that have to do with it. */
export function Facts({ result }: { readonly result: Result }): JSX.Element {
  const { mode, campaign, sandbox, startedAt, run, about, undos, checks } = result;
  return (
    <>
      <p class="facts soft">
        {wordOf(mode)} · {campaign !== null && `${t(resultText.campaign, campaign)} · `}
        {sandbox && `${t(resultText.sandbox)} · `}
        <LocalTime iso={startedAt} /> · {t(resultText.run, run)}
      </p>
      {about !== null && <Others label={t(resultText.about, mode)} runs={[about]} />}
      {undos.length > 0 && <Others label={t(resultText.undos)} runs={undos} />}
      {checks.length > 0 && <Others label={t(resultText.checks)} runs={checks} />}
    </>
  );
}

interface OthersProps {
  readonly label: string;
  readonly runs: readonly string[];
}

const Others = ({ label, runs }: OthersProps): JSX.Element => (
  <p>
    {label}{' '}
    {runs.map((run, at) => (
      <>
        {at > 0 && ', '}
        <Link to={{ kind: 'run', run }}>{run}</Link>
      </>
    ))}
  </p>
);

const wordOf = (mode: string): string =>
  Object.entries(modeText).flatMap(([name, word]) => (name === mode ? [t(word)] : []))[0] ?? mode;
