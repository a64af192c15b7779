import type { JSX } from 'preact';
import type { Comparison, PastRun } from '../../../shared/history.js';
import { StepFrame } from '../../frame/step-frame.js';
import { compareText, historyText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { LocalTime } from '../../parts/local-time.js';
import { Waiting } from '../../parts/waiting.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import { CompareCounts } from './compare-counts.js';
import { CompareWays } from './compare-ways.js';
import { RunCountsLine } from './run-counts.js';
import { NotThere } from './not-there.js';
import { nameOf } from './run-words.js';
import { useComparison } from './use-comparison.js';

interface CompareViewProps {
  readonly run: string;
  readonly other: string;
}

/** What differs between two runs, row by row; shown while it is found out. */
export function CompareView({ run, other }: CompareViewProps): JSX.Element {
  const { found, problem } = useComparison(run, other);
  return (
    <StepFrame
      title={t(compareText.title)}
      command={found?.command}
      back={() => go({ kind: 'history', run: null })}
    >
      {problem && <NotThere problem={problem} />}
      {!found && !problem && <Waiting />}
      {found && <Found {...found} />}
    </StepFrame>
  );
}

function Found(found: Comparison): JSX.Element {
  const { earlier, later, share, done, counts, ways } = found;
  const isAlike = done && ways.length === 0;
  const unmatched = counts.withoutUuid[0] + counts.withoutUuid[1];
  return (
    <>
      <div class="pair">
        <Side label={t(compareText.earlier)} run={earlier} />
        <Side label={t(compareText.later)} run={later} />
      </div>
      {!done && (
        <progress
          {...(share === null ? {} : { value: share })}
          max={1}
          aria-label={t(compareText.started)}
        />
      )}
      <p class="soft" role="status">
        {done
          ? t(compareText.done)
          : share === null
            ? t(compareText.started)
            : t(compareText.comparing, Math.floor(share * 10) / 10)}
      </p>
      {isAlike && (
        <p class="notice calm">
          {t(
            counts.same === 0
              ? compareText.nothing
              : unmatched === 0
                ? compareText.alike
                : compareText.alikeOthers,
          )}
        </p>
      )}
      <CompareCounts counts={counts} />
      {ways.length > 0 && <CompareWays ways={ways} />}
    </>
  );
}

const Side = ({ label, run }: { readonly label: string; readonly run: PastRun }): JSX.Element => (
  <section class="side" aria-label={label}>
    <p class="soft">
      {label} · <LocalTime iso={run.startedAt} />
    </p>
    <p>
      <Link to={{ kind: 'run', run: run.run }}>{nameOf(run)}</Link>
    </p>
    <RunCountsLine run={run} />
    {run.files.length > 0 && run.worksOn === null && !run.rejectsOf && (
      <p>
        <Link to={{ kind: 'history', run: run.run }}>{t(historyText.trend)}</Link>
      </p>
    )}
  </section>
);
