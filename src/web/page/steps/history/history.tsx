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
  OutcomeName,
} from '../../parts/parts.js';
import { go, query } from '../../state/address.js';
import { t, dayTime, language, percent, shortDay, withSign } from '../../state/language.js';
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
  RunCountsLine,
} from './run-words.js';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { Answer, PastRun, RunTrend, Comparison, PageProblem } from '../../state/answers.js';
import { call, useAsked, useEvents } from '../../state/call.js';
import { about } from '../../state/about.js';
import { useRunWork, type RunWork, Undo } from '../result/run-work.js';
import type { drawTrend } from './trend-chart.js';

/** All runs of the ledger, the latest first, page by page. */
function RunList(): JSX.Element {
  const chosen = choices();
  const { found, problem, isLoading, again } = useAsked(
    (signal) => call('GET /api/runs', { query: queryOf(chosen), signal }),
    JSON.stringify(queryOf(chosen)),
    { goesOn: ({ runs }) => runs.some(({ state }) => state === 'running'), keeps: true },
  );
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
      {isEmpty && (
        <div class="notice calm">
          <p>
            <strong>{t('No run is on record yet.')}</strong>{' '}
            {t(
              'What is imported, here or on the command line with the same ledger, is listed here.',
            )}
          </p>
          <p>
            <Link to={{ kind: 'start' }}>{t('Choose a spreadsheet')}</Link>
          </p>
        </div>
      )}
      {!isEmpty && !problem && <Filters {...chosen} />}
      {!found && isLoading && <Waiting />}
      {found && !isEmpty && <Found {...{ found, isLoading }} {...chosen} />}
    </StepFrame>
  );
}

type Source = Answer<'GET /api/watch'>['sources'][number];

function Morning(): JSX.Element {
  const asked = useAsked((signal) => call('GET /api/watch', { signal }), '');
  const shown = ({ sources }: Answer<'GET /api/watch'>): JSX.Element => {
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
  };
  return (
    <section>
      <h2>{t('Watched sources')}</h2>
      <Loaded of={asked} help={<Button onClick={asked.again} label={t('Try again')} />}>
        {shown}
      </Loaded>
    </section>
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

function Found({
  found: { runs, total, offset },
  isLoading,
  page,
  chosen,
}: Choices & {
  readonly found: Answer<'GET /api/runs'>;
  readonly isLoading: boolean;
}): JSX.Element {
  const to = { kind: 'history', run: null } as const;
  if (runs.length === 0)
    return (
      <p class="notice calm" role="status">
        {t('No run fits.')} <Link to={to}>{t('Show all')}</Link>
      </p>
    );
  return (
    <div aria-busy={isLoading}>
      <RunTable runs={runs} chosen={chosen} />
      {/* Links, so that back and forward work. */}
      <nav class="pager" aria-label={t('Pages')}>
        {page > 1 && (
          <Link class="button" to={to} search={searchOf(page - 1)}>
            {t('Newer')}
          </Link>
        )}
        <span role="status">{t('{1}–{2} of {3}', offset + 1, offset + runs.length, total)}</span>
        {offset + PAGE_RUNS < total && (
          <Link class="button" to={to} search={searchOf(page + 1)}>
            {t('Older')}
          </Link>
        )}
      </nav>
      {chosen.length > 0 && (
        <p>
          <Button class="plain" onClick={() => choose([])} label={t('Clear the choice')} />
        </p>
      )}
    </div>
  );
}

function compareOf([run = '', other = '', ...more]: readonly string[]): PrimaryAction {
  const tooMany =
    more.length > 0 ? t('{1:run|runs} chosen; two can be compared.', more.length + 2) : null;
  return {
    label: t('Compare the two'),
    run: () => go({ kind: 'history', run }, { with: other }),
    blocked: other === '' ? t('To compare, choose two runs by their boxes.') : tooMany,
  };
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

/** The runs of a page. Its roles are written out, since on a narrow screen its rows are drawn as cards. */
function RunTable({
  runs,
  chosen,
}: Pick<Answer<'GET /api/runs'>, 'runs'> & Pick<Choices, 'chosen'>): JSX.Element {
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
            onChoose={(isChosen) =>
              choose(isChosen ? [...chosen, run.run] : chosen.filter((one) => one !== run.run))
            }
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
  const { mode, campaign, otherCenter, worksOn, state } = run;
  const facts = [
    modeWord(mode),
    ...(campaign === null ? [] : [campaign]),
    ...(otherCenter === null ? [] : [t('at {1}', otherCenter)]),
    ...(run.sandbox ? [t('sandbox')] : []),
  ];
  const isElsewhere = state === 'running' && !run.isHere;
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
          <span class="under soft">
            {facts.join(' · ')}
            {worksOn !== null && (
              <>
                {' · '}
                {t(mode === 'undo' ? 'takes back' : 'checks')} <RunLink run={worksOn} />
              </>
            )}
            {run.undos.map((undo) => (
              <>
                {' · '}
                {t('taken back')} <RunLink run={undo} />
              </>
            ))}
          </span>
        </th>
        <td role="cell" class="begun">
          <LocalTime iso={run.startedAt} />
        </td>
        <td role="cell">
          <span class={`state ${state}`}>
            <span aria-hidden="true">{SIGNS[state]}</span> {stateWord(state)}
          </span>
          {(run.isUndoing || isElsewhere) && (
            <span class="under soft">
              {t(run.isUndoing ? 'being taken back' : 'in another process')}
            </span>
          )}
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

interface RunActionsProps {
  readonly run: PastRun;
  readonly work: RunWork;
  /** Asks how much is to be taken back. */
  readonly onUndo: () => void;
}

/** What can be done with a run. The server says what is possible: nothing that is not is offered. */
function RunActions({ run, work, onUndo }: RunActionsProps): JSX.Element {
  const { list, worksOn, files, rejectsOf } = run;
  return (
    <>
      {run.canResume && (
        <Button
          aria-label={t('Continue {1}, {2}', ...namesOf(run))}
          aria-disabled={work.isStarting.value}
          onClick={work.resume}
          label={t('Continue')}
        />
      )}
      <details
        class="more"
        onKeyDown={({ key, currentTarget: menu }) => {
          if (key !== 'Escape' || !menu.open) return;
          menu.open = false;
          menu.querySelector('summary')?.focus();
        }}
        onFocusOut={({ currentTarget: menu, relatedTarget }) => {
          // A menu closes behind the person.
          if (!menu.contains(relatedTarget as Node | null)) menu.open = false;
        }}
      >
        <summary aria-label={t('More about {1}, {2}', ...namesOf(run))}>{t('More')}</summary>
        <ul>
          <li>
            <Link to={{ kind: 'run', run: run.run }}>{t('Result')}</Link>
          </li>
          {list !== null && (
            <li>
              <Link to={{ kind: 'list', list, step: 'file' }}>{t('The list')}</Link>
            </li>
          )}
          {worksOn === null && !rejectsOf && files.length > 0 && (
            <li>
              <Link to={{ kind: 'history', run: run.run }}>{t('Trend of such files')}</Link>
            </li>
          )}
          {run.canReconcile && (
            <Start label={t('Check at the contact center')} onClick={work.reconcile} />
          )}
          {run.canUndo && <Start label={t('Take back…')} onClick={onUndo} class="danger" />}
        </ul>
      </details>
    </>
  );
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

/** The runs; `/history/<run>` shows how files like its own went, and with `?with=<run>` what differs between the two. */
export function HistoryStep({ run }: { readonly run: string | null }): JSX.Element {
  const other = query.value.get('with');
  if (run === null) return <RunList />;
  return other === null ? (
    <TrendView key={run} run={run} />
  ) : (
    <CompareView key={`${run} ${other}`} run={run} other={other} />
  );
}

function TrendView({ run }: { readonly run: string }): JSX.Element {
  const trend = useAsked(
    (signal) => call('GET /api/runs/:run/trend', { params: { run }, signal }),
    run,
  );
  const { found } = trend;
  const shown = ({ points, isCut }: RunTrend): JSX.Element =>
    points.length === 0 ? (
      <p class="notice calm">{t('No import of such a file has any rows.')}</p>
    ) : (
      <>
        {points.length === 1 ? (
          <p class="notice calm">
            {t('There is one run of such a file so far: a trend needs two.')}
          </p>
        ) : (
          <TrendFigure points={points} />
        )}
        <TrendTable points={points} />
        {isCut && <p class="soft">{t('Earlier runs are left out.')}</p>}
      </>
    );
  return (
    <StepFrame
      title={found ? t('Trend of {1}', found.source) : t('Trend')}
      facts={found ? [t('{1:run|runs}', found.points.length)] : []}
      command={found?.command ?? undefined}
      back={() => go({ kind: 'history', run: null })}
    >
      <Loaded of={trend} help={<AllRuns />}>
        {shown}
      </Loaded>
    </StepFrame>
  );
}

/** The shares as lines. What draws them is loaded when it is needed; the table below says the same without it. */
function TrendFigure({ points }: Pick<RunTrend, 'points'>): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const draw = useSignal<typeof drawTrend | 'loading' | 'failed'>('loading');
  useEffect(() => {
    import('./trend-chart.js').then(
      (chart) => (draw.value = chart.drawTrend),
      () => (draw.value = 'failed'),
    );
  }, []);
  const known = draw.value;
  const shown = language;
  useEffect(() => {
    if (typeof known === 'string' || !host.current) return undefined;
    return known(host.current, {
      at: points.map(({ startedAt }) => Date.parse(startedAt) / 1000),
      lines: [
        [t('Did not end well'), '--bad', points.map(({ badRate }) => badRate)],
        [t('Rejected'), '--accent', points.map(({ rejectRate }) => rejectRate)],
      ],
      timeLabel: t('Run'),
      time: (seconds, withTime) => (withTime ? dayTime : shortDay)(new Date(seconds * 1000)),
      percent: (share) => percent(share, 1),
    });
  }, [known, points, shown]);
  if (known === 'failed')
    return (
      <p class="notice calm">
        {t('The chart could not be loaded; the table has the same figures.')}
      </p>
    );
  return (
    <div
      class="chart"
      ref={host}
      role="img"
      aria-label={t(
        'Share of rows that did not end well, run by run. The table below has the same figures.',
      )}
    />
  );
}

/** The figures of the chart, the latest first. Each leads to the result that says why. */
function TrendTable({ points }: Pick<RunTrend, 'points'>): JSX.Element {
  const caption = t('Run by run, the latest first');
  const rows = points.map(({ run, file, startedAt, rows, rejectRate, badRate }, index) => {
    const before = points[index - 1];
    return {
      key: `${run} ${file}`,
      cells: [
        <LocalTime iso={startedAt} />,
        <Link to={{ kind: 'run', run }}>{file}</Link>,
        rows,
        percent(rejectRate, 1),
        percent(badRate, 1),
        before && t('{1} points', withSign((badRate - before.badRate) * 100)),
      ],
    };
  });
  return (
    <Table
      {...{ caption, label: caption, rows: rows.reverse() }}
      heads={[
        t('Begun'),
        t('File'),
        numbers(t('Rows')),
        numbers(t('Rejected')),
        numbers(t('Did not end well')),
        numbers(t('Change')),
      ]}
    />
  );
}

function CompareView({ run, other }: { readonly run: string; readonly other: string }) {
  const comparing = useSignal<Comparison | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  useEvents('GET /api/runs/:run/compared/:other', { run, other }, null, {
    next: (next) => {
      comparing.value = next;
      problem.value = null;
    },
    failed: (found) => (problem.value = found),
  });
  const found = comparing.value;
  return (
    <StepFrame
      title={t('What has changed')}
      command={found?.command}
      back={() => go({ kind: 'history', run: null })}
    >
      {problem.value && (
        <ProblemNote problem={problem.value}>
          <AllRuns />
        </ProblemNote>
      )}
      {!found && !problem.value && <Waiting />}
      {found && <CompareViewFound {...found} />}
    </StepFrame>
  );
}

function CompareViewFound(found: Comparison): JSX.Element {
  const { earlier, later, share, done, counts, ways } = found;
  const isAlike = done && ways.length === 0;
  const unmatched = counts.withoutUuid[0] + counts.withoutUuid[1];
  const lines = [
    ['ended differently', counts.changed],
    ['in the later run alone', counts.new],
    ...(counts.endedWell > 0
      ? [['ended well before, so not in the rejects', counts.endedWell] as const]
      : []),
    ['in the earlier run alone', counts.gone],
    ['ended alike', counts.same],
    ['without identifiers, so that they cannot be compared', unmatched],
  ] as const;
  return (
    <>
      <div class="pair">
        <Side label={t('Earlier')} run={earlier} />
        <Side label={t('Later')} run={later} />
      </div>
      {!done && (
        <progress
          {...(share === null ? {} : { value: share })}
          max={1}
          aria-label={t('Comparing…')}
        />
      )}
      <p class="soft" role="status">
        {done
          ? t('Compared.')
          : share === null
            ? t('Comparing…')
            : t('{1:percent} compared', Math.floor(share * 10) / 10)}
      </p>
      {isAlike && (
        <p class="notice calm">
          {t(
            counts.same === 0
              ? 'Neither run has a row that can be compared.'
              : unmatched === 0
                ? 'Both runs ended alike: no row differs.'
                : 'The rows that can be compared ended alike.',
          )}
        </p>
      )}
      <Table
        frame="scroll fit"
        label={t('Rows of both runs')}
        caption={t('Rows of both runs')}
        heads={[numbers(t('Rows')), { name: t('What became of them'), look: 'words' }]}
        rows={lines.map(([label, count]) => ({ cells: [count, t(label)] }))}
      />
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
        <Link to={{ kind: 'history', run: run.run }}>{t('Trend of such files')}</Link>
      </p>
    )}
  </section>
);

const CompareWays = ({ ways }: Pick<Comparison, 'ways'>): JSX.Element => (
  <section>
    <h2>{t('From one outcome to another')}</h2>
    <Table
      label={t('From one outcome to another')}
      heads={[
        t('Earlier run'),
        t('Later run'),
        numbers(t('Rows')),
        { name: t('For instance'), look: 'words' },
      ]}
      rows={ways.map(({ before, after, rows, examples }) => ({
        key: `${before} ${after}`,
        cells: [
          <Ended outcome={before} />,
          <Ended outcome={after} />,
          rows,
          examples
            .map(({ sheet, row }) => `${sheet === null ? '' : `${sheet} `}${t('row {1}', row)}`)
            .join(', ') + (rows > examples.length ? ', …' : ''),
        ],
      }))}
    />
  </section>
);

const Ended = ({ outcome }: { readonly outcome: string | null }): JSX.Element =>
  outcome === null ? <span class="soft">{t('not there')}</span> : <OutcomeName outcome={outcome} />;

const AllRuns = (): JSX.Element => (
  <p>
    <Link to={{ kind: 'history', run: null }}>{t('All runs')}</Link>
  </p>
);
