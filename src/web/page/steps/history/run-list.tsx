import type { JSX } from 'preact';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { frameText } from '../../messages/frame.js';
import { historyText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import { choices, choose, type Choices } from './choices.js';
import { Filters } from './filters.js';
import { Pager } from './pager.js';
import { usePastRuns, type PastRuns } from './past-runs.js';
import { RunTable } from './run-table.js';

/** All runs of the ledger, the latest first, page by page. */
export function RunList(): JSX.Element {
  const chosen = choices();
  const past = usePastRuns(chosen);
  const { found, problem, isLoading, again } = past;
  const isEmpty = found?.all === 0;
  return (
    <StepFrame
      title={t(historyText.title)}
      facts={found && !isEmpty ? [t(historyText.runs, found.all)] : []}
      command={found?.command}
      primary={found && found.all > 1 ? compareOf(chosen.chosen) : undefined}
    >
      {problem && (
        <ProblemNote problem={problem}>
          <button type="button" onClick={again}>
            {t(frameText.tryAgain)}
          </button>
        </ProblemNote>
      )}
      {isEmpty && <Empty />}
      {!isEmpty && !problem && <Filters {...chosen} />}
      {!found && isLoading && <Waiting />}
      {found && !isEmpty && <Found {...past} found={found} choices={chosen} />}
    </StepFrame>
  );
}

interface FoundProps extends PastRuns {
  readonly found: NonNullable<PastRuns['found']>;
  readonly choices: Choices;
}

function Found({ found, isLoading, choices: { page, chosen } }: FoundProps): JSX.Element {
  const { runs, total, offset } = found;
  if (runs.length === 0) return <NoneFits />;
  return (
    <div aria-busy={isLoading}>
      <RunTable runs={runs} chosen={chosen} />
      <Pager page={page} offset={offset} shown={runs.length} total={total} />
      {chosen.length > 0 && (
        <p>
          <button type="button" class="plain" onClick={() => choose([])}>
            {t(historyText.clear)}
          </button>
        </p>
      )}
    </div>
  );
}

const Empty = (): JSX.Element => (
  <div class="notice calm">
    <p>
      <strong>{t(historyText.empty)}</strong> {t(historyText.emptyNext)}
    </p>
    <p>
      <Link to={{ kind: 'start' }}>{t(historyText.begin)}</Link>
    </p>
  </div>
);

const NoneFits = (): JSX.Element => (
  <p class="notice calm" role="status">
    {t(historyText.noneFits)}{' '}
    <Link to={{ kind: 'history', run: null }}>{t(historyText.showAll)}</Link>
  </p>
);

function compareOf(chosen: readonly string[]): PrimaryAction {
  const [run = '', other = ''] = chosen;
  const blocked =
    chosen.length === 2
      ? null
      : chosen.length < 2
        ? t(historyText.chooseTwo)
        : t(historyText.chosen, chosen.length);
  return {
    label: t(historyText.compareTwo),
    run: () => go({ kind: 'history', run }, { with: other }),
    blocked,
  };
}
