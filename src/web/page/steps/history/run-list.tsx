import type { JSX } from 'preact';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { frameText } from '../../messages/frame.js';
import { historyText, modeText, stateText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import { choices, choose, type Choices, searchOf, filter } from './choices.js';
import { RunTable } from './run-table.js';
import { useEffect, useRef } from 'preact/hooks';
import { Select } from '../../parts/select.js';
import { useSignal } from '@preact/signals';
import type { PageProblem } from '../../../shared/errors.js';
import type { Answer } from '../../../shared/routes.js';
import { call } from '../../state/call.js';
import { problemOf } from '../../state/problem.js';

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

interface PagerProps {
  readonly page: number;
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
}

/** Which of the runs are shown, and the way to the others. Links, so that back and forward work. */
function Pager({ page, offset, shown, total }: PagerProps): JSX.Element {
  const to = { kind: 'history', run: null } as const;
  const isLast = offset + PAGE_RUNS >= total;
  return (
    <nav class="pager" aria-label={t(historyText.pages)}>
      {page > 1 && (
        <Link class="button" to={to} search={searchOf(page - 1)}>
          {t(historyText.newer)}
        </Link>
      )}
      <span role="status">
        {shown > 0 && t(historyText.shown, offset + 1, offset + shown, total)}
      </span>
      {!isLast && (
        <Link class="button" to={to} search={searchOf(page + 1)}>
          {t(historyText.older)}
        </Link>
      )}
    </nav>
  );
}

/** How long it is waited for the next letter, in milliseconds. */
const TYPING_MS = 250;

/** Which runs are shown. */
function Filters({ text, state, mode }: Choices): JSX.Element {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => filter({ text: value }), TYPING_MS);
  };
  return (
    <div class="fields" role="search">
      <label class="field">
        <span>{t(historyText.search)}</span>
        <input
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      <Select
        label={t(historyText.state)}
        value={state}
        choices={choicesOf(stateText)}
        onChoose={(value) => filter({ state: value })}
      />
      <Select
        label={t(historyText.mode)}
        value={mode}
        choices={choicesOf(modeText)}
        onChoose={(value) => filter({ mode: value })}
      />
    </div>
  );
}

const choicesOf = (words: typeof stateText | typeof modeText) => [
  { value: '', label: t(historyText.any) },
  ...Object.entries(words).map(([value, label]) => ({ value, label: t(label) })),
];

/** Runs of a page. */
const PAGE_RUNS = 25;
/** How often the page is asked for again while a run of it is at work, in milliseconds. */
const AGAIN_MS = 3_000;

type PastRunsFound = Answer<'GET /api/runs'>;

interface PastRuns {
  /** The last page that was there: it stays until the next one is. */
  readonly found: PastRunsFound | null;
  readonly problem: PageProblem | null;
  readonly isLoading: boolean;
  /** Asks once more. */
  readonly again: () => unknown;
}

/** A page of the runs. It follows runs that are at work. */
function usePastRuns({ text, state, mode, page }: Choices): PastRuns {
  const loaded = useSignal<Omit<PastRuns, 'again'>>({
    found: null,
    problem: null,
    isLoading: true,
  });
  const asked = useSignal(0);
  const key = JSON.stringify([text, state, mode, page, asked.value]);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      try {
        const found = await call('GET /api/runs', {
          query: queryOf({ text, state, mode, page }),
          signal: stop.signal,
        });
        loaded.value = { found, problem: null, isLoading: false };
        if (found.runs.some((run) => run.state === 'running'))
          timer = setTimeout(() => void load(), AGAIN_MS);
      } catch (error) {
        if (stop.signal.aborted) return;
        loaded.value = { found: null, problem: problemOf(error), isLoading: false };
      }
    };
    loaded.value = { ...loaded.peek(), isLoading: true };
    void load();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return { ...loaded.value, again: () => (asked.value += 1) };
}

const STATES = ['running', 'finished', 'open', 'stopped', 'broken_off'] as const;

/** What the address says may be anything: the server refuses states that there are not. */
const queryOf = ({ text, state, mode, page }: Omit<Choices, 'chosen'>) => {
  const known = STATES.find((one) => one === state);
  return {
    ...(text === '' ? {} : { text: text.slice(0, 200) }),
    ...(known === undefined ? {} : { state: known }),
    ...(mode === '' ? {} : { mode: mode.slice(0, 20) }),
    offset: (page - 1) * PAGE_RUNS,
    limit: PAGE_RUNS,
  };
};
