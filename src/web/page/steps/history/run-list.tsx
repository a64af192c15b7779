import type { JSX } from 'preact';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import {
  choicesIn,
  Heads,
  Link,
  Loaded,
  LocalTime,
  numbers,
  ProblemNote,
  Select,
  Table,
  titles,
  unseen,
  Waiting,
  Button,
} from '../../parts/parts.js';
import { go, type Place } from '../../state/address.js';
import { t } from '../../state/language.js';
import {
  choices,
  choose,
  type Choices,
  searchOf,
  filter,
  RunCounts,
  modeWord,
  nameOf,
  namesOf,
  stateWord,
  stateText,
  modeText,
} from './run-words.js';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { Answer, PastRun } from '../../state/answers.js';
import { call, useAsked } from '../../state/call.js';
import { about } from '../../state/about.js';
import { useRunWork, type RunWork, Undo } from '../result/run-work.js';

/** All runs of the ledger, the latest first, page by page. */
export function RunList(): JSX.Element {
  const chosen = choices();
  const { found, problem, isLoading, again } = usePastRuns(chosen);
  const isEmpty = found?.all === 0;
  return (
    <StepFrame
      title={t('History')}
      facts={found && !isEmpty ? [t('{1:run|runs}', found.all)] : []}
      command={found?.command}
      primary={found && found.all > 1 ? compareOf(chosen.chosen) : undefined}
    >
      {about.value?.watches === true && <Morning />}
      {problem && (
        <ProblemNote problem={problem}>
          <Button onClick={again} label={t('Try again')} />
        </ProblemNote>
      )}
      {isEmpty && <Empty />}
      {!isEmpty && !problem && <Filters {...chosen} />}
      {!found && isLoading && <Waiting />}
      {found && !isEmpty && <Found {...{ found, isLoading }} {...chosen} />}
    </StepFrame>
  );
}

type Source = Answer<'GET /api/watch'>['sources'][number];

function Morning(): JSX.Element {
  const asked = useAsked((signal) => call('GET /api/watch', { signal }), '');
  return (
    <section>
      <h2>{t('Watched sources')}</h2>
      <Loaded of={asked} help={<Button onClick={asked.again} label={t('Try again')} />}>
        {(found) => <Sources {...found} />}
      </Loaded>
    </section>
  );
}

function Sources({ sources }: Answer<'GET /api/watch'>): JSX.Element {
  const bad = sources.filter(({ exitCode }) => exitCode !== 0).length;
  return (
    <>
      <p role="status">
        {bad === 0
          ? t('All is well with {1:source|sources}.', sources.length)
          : t('{1} of {2:source|sources} need you.', bad, sources.length)}
      </p>
      <Table
        label={t('Watched sources')}
        heads={[
          titles(t('Source')),
          ...[t('Last file'), t('When'), t('Outcome')],
          ...[t('What waits'), t('What is late')].map((name) => ({ name, look: 'words' })),
        ]}
        rows={sources.map((source) => ({ key: source.name, cells: cellsOf(source) }))}
      />
      <h2>{t('Runs')}</h2>
    </>
  );
}

function cellsOf({ name, last, waiting, late, exitCode }: Source): JSX.Element[] {
  return [
    <>
      <span class={exitCode === 0 ? 'soft' : 'warn'}>
        <span aria-hidden="true">{exitCode === 0 ? '✓' : '▲'}</span>{' '}
        <span class="hidden">{t(exitCode === 0 ? 'well' : 'needs you')}</span>
      </span>
      {name}
    </>,
    last === null ? (
      <span class="soft">{t('no file yet')}</span>
    ) : last.run === null ? (
      <>{last.file}</>
    ) : (
      <Link to={{ kind: 'run', run: last.run }}>{last.file}</Link>
    ),
    <>{last && <LocalTime iso={last.at} />}</>,
    <>{last && outcomeOf(last)}</>,
    <>
      {waiting.map(({ file, why }) => (
        <p>{file === '' ? why : t('{1}: {2}', file, why)}</p>
      ))}
    </>,
    <>{late !== null && <span class="warn">{late}</span>}</>,
  ];
}

function outcomeOf({ kind, rows, sent, badRows }: NonNullable<Source['last']>): string {
  const words = isKind(kind) ? t(kindText[kind]) : kind;
  const counts = [
    t('{1:row|rows} read', rows),
    sent === null ? t('unknown how many sent') : t('{1} sent', sent),
    ...(badRows > 0 ? [t('{1:row needs|rows need} you', badRows)] : []),
  ];
  return t('{1}: {2}', words, counts.join(', '));
}

const kindText = {
  finished: 'imported',
  bad: 'needs you',
  stopped: 'has stopped',
  unusual: 'is unusual',
  repeated: 'has come again',
} as const;

const isKind = (kind: string): kind is keyof typeof kindText => kind in kindText;

interface FoundProps extends Pick<Choices, 'page' | 'chosen'> {
  readonly found: Answer<'GET /api/runs'>;
  readonly isLoading: boolean;
}

function Found({ found, isLoading, page, chosen }: FoundProps): JSX.Element {
  const { runs, total, offset } = found;
  if (runs.length === 0) return <NoneFits />;
  return (
    <div aria-busy={isLoading}>
      <RunTable runs={runs} chosen={chosen} />
      <Pager page={page} offset={offset} shown={runs.length} total={total} />
      {chosen.length > 0 && (
        <p>
          <Button class="plain" onClick={() => choose([])} label={t('Clear the choice')} />
        </p>
      )}
    </div>
  );
}

const Empty = (): JSX.Element => (
  <div class="notice calm">
    <p>
      <strong>{t('No run is on record yet.')}</strong>{' '}
      {t('What is imported, here or on the command line with the same ledger, is listed here.')}
    </p>
    <p>
      <Link to={{ kind: 'start' }}>{t('Choose a spreadsheet')}</Link>
    </p>
  </div>
);

const NoneFits = (): JSX.Element => (
  <p class="notice calm" role="status">
    {t('No run fits.')} <Link to={{ kind: 'history', run: null }}>{t('Show all')}</Link>
  </p>
);

function compareOf(chosen: readonly string[]): PrimaryAction {
  const [run = '', other = ''] = chosen;
  const blocked =
    chosen.length === 2
      ? null
      : chosen.length < 2
        ? t('To compare, choose two runs by their boxes.')
        : t('{1:run|runs} chosen; two can be compared.', chosen.length);
  return {
    label: t('Compare the two'),
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
    <nav class="pager" aria-label={t('Pages')}>
      {page > 1 && (
        <Link class="button" to={to} search={searchOf(page - 1)}>
          {t('Newer')}
        </Link>
      )}
      <span role="status">
        {shown > 0 && t('{1}–{2} of {3}', offset + 1, offset + shown, total)}
      </span>
      {!isLast && (
        <Link class="button" to={to} search={searchOf(page + 1)}>
          {t('Older')}
        </Link>
      )}
    </nav>
  );
}

/** How long it is waited for the next letter, in milliseconds. */
const TYPING_MS = 250;

function Filters({ text, state, mode }: Choices): JSX.Element {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => filter({ text: value }), TYPING_MS);
  };
  const all = { value: '', label: t('all') };
  return (
    <div class="fields" role="search">
      <label class="field">
        <span>{t('File or campaign')}</span>
        <input
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      <Select
        label={t('State')}
        value={state}
        choices={[all, ...choicesIn(stateText, stateWord)]}
        onChoose={(value) => filter({ state: value })}
      />
      <Select
        label={t('Kind')}
        value={mode}
        choices={[all, ...choicesIn(modeText, modeWord)]}
        onChoose={(value) => filter({ mode: value })}
      />
    </div>
  );
}

const PAGE_RUNS = 25;
/** A page of the runs. It follows runs that are at work. */
const usePastRuns = (chosen: Choices) =>
  useAsked(
    (signal) => call('GET /api/runs', { query: queryOf(chosen), signal }),
    JSON.stringify(queryOf(chosen)),
    { goesOn: ({ runs }) => runs.some(({ state }) => state === 'running'), keeps: true },
  );

/** What the address says may be anything: the server refuses states that there are not. */
const queryOf = ({ text, state, mode, page }: Choices) => {
  const known = choicesIn(stateText, stateWord).find(({ value }) => value === state)?.value;
  return {
    ...(text === '' ? {} : { text: text.slice(0, 200) }),
    ...(known === undefined ? {} : { state: known }),
    ...(mode === '' ? {} : { mode: mode.slice(0, 20) }),
    offset: (page - 1) * PAGE_RUNS,
    limit: PAGE_RUNS,
  };
};

interface RunTableProps {
  readonly runs: readonly PastRun[];
  /** Ids of those that are chosen, on whatever page. */
  readonly chosen: readonly string[];
}

/** The runs of a page. Its roles are written out, since on a narrow screen its rows are drawn as cards. */
function RunTable({ runs, chosen }: RunTableProps): JSX.Element {
  const toggle = (run: string, isChosen: boolean): void =>
    choose(isChosen ? [...chosen, run] : chosen.filter((one) => one !== run));
  return (
    <table class="runs" role="table">
      <caption class="hidden">{t('Runs, the latest first')}</caption>
      <Heads
        hasRoles
        of={[
          unseen(t('Compare')),
          t('Run'),
          t('Begun'),
          t('State'),
          numbers(t('Rows')),
          t('Outcomes'),
          unseen(t('More')),
        ]}
      />
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
            aria-label={t('Compare {1}, {2}', ...namesOf(run))}
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

function RunFacts({ run }: { readonly run: PastRun }): JSX.Element {
  const { mode, campaign, otherCenter, sandbox, worksOn, undos } = run;
  const facts = [
    modeWord(mode),
    ...(campaign === null ? [] : [campaign]),
    ...(otherCenter === null ? [] : [t('at {1}', otherCenter)]),
    ...(sandbox ? [t('sandbox')] : []),
  ];
  return (
    <span class="under soft">
      {facts.join(' · ')}
      {worksOn !== null && (
        <>
          {' · '}
          {t(mode === 'undo' ? 'takes back' : 'checks')} <RunLink run={worksOn} />
        </>
      )}
      {undos.map((undo) => (
        <>
          {' · '}
          {t('taken back')} <RunLink run={undo} />
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

const RunStateBadge = ({ run }: { readonly run: PastRun }): JSX.Element => (
  <>
    <span class={`state ${run.state}`}>
      <span aria-hidden="true">{SIGNS[run.state]}</span> {stateWord(run.state)}
    </span>
    {(run.isUndoing || (run.state === 'running' && !run.isHere)) && (
      <span class="under soft">{t(run.isUndoing ? 'being taken back' : 'in another process')}</span>
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
        <Button
          aria-label={t('Continue {1}, {2}', ...namesOf(run))}
          aria-disabled={work.isStarting.value}
          onClick={work.resume}
          label={t('Continue')}
        />
      )}
      <details class="more" onKeyDown={closeOnEscape} onFocusOut={closeBehind}>
        <summary aria-label={t('More about {1}, {2}', ...namesOf(run))}>{t('More')}</summary>
        <ul>
          {placesOf(run).map(([label, to]) => (
            <li>
              <Link to={to}>{label}</Link>
            </li>
          ))}
          {canReconcile && (
            <Start label={t('Check at the contact center')} onClick={work.reconcile} />
          )}
          {canUndo && <Start label={t('Take back…')} onClick={onUndo} class="danger" />}
        </ul>
      </details>
    </>
  );
}

type MenuEvent<E> = E & { readonly currentTarget: HTMLDetailsElement };

function closeOnEscape(event: MenuEvent<KeyboardEvent>): void {
  const menu = event.currentTarget;
  if (event.key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

/** A menu closes behind the person. */
function closeBehind({ currentTarget: menu, relatedTarget }: MenuEvent<FocusEvent>): void {
  if (!menu.contains(relatedTarget as Node | null)) menu.open = false;
}

function placesOf({ run, list, worksOn, files, rejectsOf }: PastRun): [string, Place][] {
  return [
    [t('Result'), { kind: 'run', run }],
    ...(list === null
      ? []
      : [[t('The list'), { kind: 'list', list, step: 'file' }] satisfies [string, Place]]),
    ...(worksOn !== null || rejectsOf || files.length === 0
      ? []
      : [[t('Trend of such files'), { kind: 'history', run }] satisfies [string, Place]]),
  ];
}

interface StartProps {
  readonly label: string;
  readonly class?: string;
  readonly onClick: () => void;
}

const Start = ({ label, onClick, ...rest }: StartProps): JSX.Element => (
  <li {...rest}>
    <Button
      class="plain"
      onClick={({ currentTarget }) => {
        currentTarget.closest('details')?.removeAttribute('open');
        onClick();
      }}
      label={label}
    />
  </li>
);
