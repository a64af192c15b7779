import type { JSX } from 'preact';
import { StepFrame } from '../../frame/step-frame.js';
import { resultText } from '../../messages/result.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { go } from '../../state/address.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { useLoaded } from '../../state/loaded.js';
import { shownList } from '../../state/reached.js';
import type { StepProps } from '../step-props.js';
import { RunResult } from './run-result.js';

/** The last step of a list: how its run went. */
export function ResultView({ list }: StepProps): JSX.Element {
  const found = useLoaded(async (signal) => {
    const known = await call('GET /api/lists/:list', { params: { list }, signal });
    shownList.value = known;
    return known.run;
  }, list).value;
  if (found.state === 'ready' && found.value !== null)
    return <RunResult run={found.value} back={() => go({ kind: 'list', list, step: 'import' })} />;
  return (
    <StepFrame title={t(resultText.title)}>
      {found.state === 'loading' && <Waiting />}
      {found.state === 'failed' && <ProblemNote problem={found.problem} />}
      {found.state === 'ready' && (
        <>
          <p class="notice">{t(resultText.nothingSent)}</p>
          <p>
            <Link to={{ kind: 'list', list, step: 'import' }}>{t(resultText.toImport)}</Link>
          </p>
        </>
      )}
    </StepFrame>
  );
}

/** The result of any run, at an address of its own. */
export const RunResultView = ({ run }: { readonly run: string }): JSX.Element => (
  <RunResult run={run} back={() => go({ kind: 'history', run: null })} />
);
