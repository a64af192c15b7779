import { columnMessage } from '../../../../core/outcome.js';
import type { JSX, ComponentChildren } from 'preact';
import type { Result, ResultReason, ResultRows } from '../../state/answers.js';
import { language, t, percent } from '../../state/language.js';
import {
  Loaded,
  LocalTime,
  numbers,
  OutcomeName,
  outcomeWords,
  Pager,
  Table,
  titles,
  Button,
  Link,
  ProblemNote,
  ListFacts,
  mendedRows,
  RejectsNote,
} from '../../parts/parts.js';
import {
  hrefWith,
  pageChange,
  pageInQuery,
  pushQuery,
  query,
  type QueryChanges,
  go,
} from '../../state/address.js';
import { call, useAsked, useAttempt } from '../../state/call.js';
import { modeWord } from '../history/run-words.js';
import { NotReady, StepFrame, type PrimaryAction, type StepProps } from '../../frame/step-frame.js';
import { shownList, about } from '../../state/about.js';
import { type RunWork, useRunWork, Undo } from './run-work.js';
import { FollowedRun, useFollowed } from '../import/followed-run.js';
import { useSignal } from '@preact/signals';

/** The last step of a list: how its run went. */
export function ResultView({ list }: StepProps): JSX.Element {
  const { found, problem } = useAsked(async (signal) => {
    shownList.value = await call('GET /api/lists/:list', { params: { list }, signal });
    return shownList.value;
  }, list);
  if (!found) return <NotReady title={t('Result')} problem={problem} />;
  const toImport = { kind: 'list', list, step: 'import' } as const;
  if (found.run !== null) return <RunResult run={found.run} back={() => go(toImport)} />;
  return (
    <StepFrame title={t('Result')}>
      <p class="notice">{t('Nothing of this list has been sent yet.')}</p>
      <p>
        <Link to={toImport}>{t('To the import')}</Link>
      </p>
    </StepFrame>
  );
}

/** The result of any run, at an address of its own. */
export const RunResultView = ({ run }: { readonly run: string }): JSX.Element => (
  <RunResult run={run} back={() => go({ kind: 'history', run: null })} />
);

function RunResult({ run, back }: { readonly run: string; readonly back: () => void }) {
  const {
    found: result,
    problem,
    again,
  } = useAsked(
    (signal) => call('GET /api/runs/:run/result', { params: { run }, signal }),
    run,
    // Of one that goes on right here the stream tells.
    { goesOn: ({ state, isHere }) => state === 'running' && !isHere, keeps: true },
  );
  const work = useRunWork(run, again);
  if (!result)
    return (
      <StepFrame title={t('Result')} back={back}>
        {problem ? (
          <ProblemNote problem={problem}>
            <Button onClick={again} label={t('Try again')} />
          </ProblemNote>
        ) : (
          <p class="waiting soft" role="status">
            {t('Reading what is on record of this run…')}
          </p>
        )}
      </StepFrame>
    );
  const { mode, campaign, about: other, undos, checks, rejectsOf } = result;
  const changes = about.value?.readOnly === false;
  // The files of a run that works on another one are those of that one.
  const [first, ...others] = result.inputs;
  const files = [rejectsOf ? mendedRows(rejectsOf) : first, ...others].filter(Boolean).join(', ');
  const what = mode === 'undo' ? 'What was taken back' : 'Comparison with the contact center';
  const filter = shownFilter();
  return (
    <StepFrame
      title={[other === null ? '' : t(what), files].filter(Boolean).join(': ')}
      command={result.command}
      back={back}
      primary={changes ? primaryOf(result, work) : undefined}
    >
      <p class="facts soft">
        {modeWord(mode)} · {campaign !== null && `${t('campaign {1}', campaign)} · `}
        {result.sandbox && `${t('sandbox')} · `}
        <LocalTime iso={result.startedAt} /> · {t('run {1}', run)}
      </p>
      {other !== null && (
        <Others label={t(mode === 'undo' ? 'This takes back' : 'This checks')} runs={[other]} />
      )}
      {undos.length > 0 && <Others label={t('Taken back by')} runs={undos} />}
      {checks.length > 0 && <Others label={t('Compared by')} runs={checks} />}
      <RejectsNote name={result.inputs.join(', ')} from={rejectsOf} />
      <First result={result} />
      {work.problem.value && <ProblemNote problem={work.problem.value} />}
      {result.isHere ? (
        <UnderWay run={run} onEnd={again} />
      ) : (
        <>
          <Outcomes result={result} />
          <Reasons result={result} />
          <ListFacts facts={result.facts} />
          {/* The place of the rows is there before them, so that it can take the focus. */}
          <section id="rows" tabIndex={-1}>
            {filter && <ShownRows result={result} filter={filter} />}
          </section>
          <Files result={result} onMend={work.mend} />
        </>
      )}
      {changes && result.state !== 'running' && !result.isUndoing && (
        <Work result={result} work={work} />
      )}
    </StepFrame>
  );
}

function primaryOf({ next, rejects, list }: Result, work: RunWork): PrimaryAction | undefined {
  const blocked = work.isStarting.value ? t('Starting…') : null;
  const [file] = rejects;
  switch (next.kind) {
    case 'wait':
      return undefined;
    case 'resume':
      return { label: t('Go on with this run'), run: work.resume, blocked };
    case 'recover':
      if (list === null) return undefined;
      return { label: t('Restore deleted clients…'), run: () => work.recover(list), blocked };
    case 'mend':
      if (file === undefined) return undefined;
      return { label: t('Mend {1:row|rows}', next.bad), run: () => work.mend(file.id), blocked };
    case 'look':
      return { label: t('Choose another spreadsheet'), run: () => go({ kind: 'start' }), blocked };
  }
}

/** A run that this server works on, as the step Import shows it. Once it has ended, its result is on record. */
const UnderWay = ({ run, onEnd }: { readonly run: string; readonly onEnd: () => void }) => (
  <FollowedRun {...useFollowed(run, onEnd)} list={null} onAnew={onEnd} />
);

const Others = ({ label, runs }: { readonly label: string; readonly runs: readonly string[] }) => (
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

function Work({ result, work }: { readonly result: Result; readonly work: RunWork }) {
  const asks = useSignal(false);
  const { canResume, canReconcile, isTakenBack, notUndoable } = result;
  const isAny = canResume || canReconcile || (notUndoable !== null && !isTakenBack);
  return (
    <>
      {isAny && <h2>{t('What else')}</h2>}
      {canResume && (
        <p class="buttons">
          <Button onClick={work.resume} label={t('Go on with this run')} />
        </p>
      )}
      {canReconcile && (
        <p class="buttons">
          <Button onClick={work.reconcile} label={t('Compare with the contact center')} />
          <span class="soft">
            {t('Looks up whether everything is there that this run claims. Changes nothing.')}
          </span>
        </p>
      )}
      {notUndoable !== null && !isTakenBack && (
        <p class="soft">{t('It cannot be taken back: {1}.', notUndoable)}</p>
      )}
      {notUndoable === null && (
        <section class="danger" aria-label={t('Take back…')}>
          <p class="buttons">
            <Button
              aria-expanded={asks.value}
              onClick={() => (asks.value = !asks.value)}
              label={t('Take back…')}
            />
            <span class="soft">{t('Undoes what this run did, after it was shown to you.')}</span>
          </p>
          {asks.value && (
            <Undo run={result.run} onUndo={work.undo} onCancel={() => (asks.value = false)} />
          )}
        </section>
      )}
    </>
  );
}

interface FilesProps {
  readonly result: Result;
  readonly onMend: (file: string) => void;
}

function Files({ result, onMend }: FilesProps): JSX.Element {
  const { run, rejects, reports, isTakenBack } = result;
  const { problem, attempt } = useAttempt();
  const take = (file: string): void =>
    void attempt(async () => {
      const path = `/api/runs/${run}/files/${file}`;
      // A link cannot send the session's token, so that a ticket stands in its address.
      const { ticket } = await call('POST /api/tickets', { body: { path } });
      const link = document.createElement('a');
      link.href = `${path}?ticket=${ticket}`;
      link.download = '';
      link.click();
    });
  if (about.value?.mask === true)
    return (
      <p class="soft hidden-files">
        {t('Files hold personal data, which this page hides (--mask).')}
      </p>
    );
  return (
    <>
      {problem.value && <ProblemNote problem={problem.value} />}
      {rejects.length > 0 && (
        <section>
          <h2>{t('Rows to correct')}</h2>
          <p class="soft">
            {t(
              'The rows as they stand in the file, with the reason. What ended well is not sent twice.',
            )}
          </p>
          {rejects.map(({ id, name, bytes }) => (
            <p class="buttons" key={id}>
              <Button onClick={() => take(id)} label={t('Download {1} ({2:size})', name, bytes)} />
              {about.value?.readOnly === false && !isTakenBack && (
                <Button onClick={() => onMend(id)} label={t('Mend them here')} />
              )}
            </p>
          ))}
        </section>
      )}
      <section>
        <h2>{t('Reports')}</h2>
        <p class="soft">
          {t(
            'Every row with its outcome and the reason. The HTML report can be printed and passed on.',
          )}
        </p>
        <p class="buttons">
          {reports.map(({ id, name }) => (
            <Button
              key={id}
              title={name}
              onClick={() => take(id)}
              label={id.replace(/^report\./, '').toUpperCase()}
            />
          ))}
        </p>
      </section>
    </>
  );
}

function Outcomes({ result }: { readonly result: Result }): JSX.Element {
  const { outcomes, rows, waiting } = result;
  const carded = t('{1:row|rows} of them have a card already', waiting.withCard);
  return (
    <section>
      <h2 id="outcomes">{t('How the rows ended')}</h2>
      {rows + waiting.rows === 0 && <p class="soft">{t('The file has no rows.')}</p>}
      {rows + waiting.rows > 0 && (
        <Table
          class="result-counts"
          labelledBy="outcomes"
          heads={[
            titles(t('Outcome')),
            numbers(t('Rows')),
            numbers(t('Share')),
            { name: t('Meaning'), look: 'wide soft' },
          ]}
          rows={[
            ...outcomes.map(({ outcome, count }) => ({
              key: outcome,
              cells: [
                <RowLink filter={{ kind: 'outcome', of: outcome }}>
                  <OutcomeName outcome={outcome} />
                </RowLink>,
                ...[count, percent(count / rows, 1), outcomeWords(outcome).meaning],
              ],
            })),
            // Their rows have no outcome yet: going on with the run sends them.
            ...(waiting.rows > 0
              ? [
                  {
                    cells: [
                      ...[t('yet to be sent'), waiting.rows, ''],
                      t('sent when the run goes on') +
                        (waiting.withCard === 0 ? '' : `; ${carded}`),
                    ],
                  },
                ]
              : []),
            {
              look: 'sum',
              cells: [
                <RowLink filter={{ kind: 'all', of: '' }}>{t('All rows')}</RowLink>,
                rows + waiting.rows,
              ],
            },
          ]}
        />
      )}
    </section>
  );
}

/** What to do next, before anything else. */
function First({ result }: { readonly result: Result }): JSX.Element {
  const { sentence, more } = wordsOf(result);
  return (
    <div class={`first ${result.next.kind}`}>
      <p role="status">
        <strong>{result.isUndoing ? t('This run is being taken back.') : sentence}</strong>{' '}
        {!result.isUndoing && more}
      </p>
      {result.state === 'broken_off' && (
        <p>{t('Its process ended before it had come to the end. What it had recorded is kept.')}</p>
      )}
      {result.state === 'running' && !result.isHere && !result.isUndoing && (
        <p>
          {t(
            'Another process works on this run. What is shown is what it has recorded so far; it is renewed by itself.',
          )}
        </p>
      )}
    </div>
  );
}

const RECOVER =
  'The contact center keeps these clients as deleted: import the list once more, with deleted clients restored. What ended well is not sent twice.';
const MEND = 'Mend and send them. What ended well is not sent twice.';

/** As the server says it, or the same in another language. */
function wordsOf(result: Result): { readonly sentence: string; readonly more: string } {
  const { next, waiting } = result;
  const sentence = language === 'en' ? next.sentence : headline(result);
  if (next.kind === 'recover') return { sentence, more: t(RECOVER) };
  // A file need not be corrected where the rows can be mended right here.
  if (next.kind === 'mend') return { sentence, more: t(MEND) };
  if (language === 'en') return next;
  switch (next.kind) {
    case 'wait':
      return { sentence: t('The run is under way; rows not sent yet are left out.'), more: '' };
    case 'resume': {
      const yet = waiting.rows > 0 ? `${t('Not sent yet: {1:row|rows}.', waiting.rows)} ` : '';
      return { sentence: yet + t('Go on with this run.'), more: sentence };
    }
    case 'look':
      return { sentence, more: '' };
  }
}

function headline(result: Result): string {
  const { next, rows, outcomes, mode, isTakenBack } = result;
  const { bad, top } = next;
  if (isTakenBack) return t('This run was taken back.');
  const isComparison = mode === 'reconcile';
  const count = (one: string): number =>
    outcomes.find(({ outcome }) => outcome === one)?.count ?? 0;
  if (bad === 0)
    return isComparison
      ? allMatch(rows - count('skipped'), count('skipped'))
      : noneNeeded(result, count('undone'), count('skipped'));
  const start = isComparison
    ? t('{1:row does not match|rows do not match}', bad)
    : t('{1:row needs|rows need} you', bad);
  if (top === null) return `${start}.`;
  const why = columnMessage(top).replace(/[.:]$/, '');
  if (top.rows < bad) return t('{1}; {2} of them for one reason: {3}.', start, top.rows, why);
  return bad === 1
    ? t('{1}, for one reason: {2}.', start, why)
    : t('{1}, all for one reason: {2}.', start, why);
}

function noneNeeded({ rows, state, mode }: Result, undone: number, skipped: number): string {
  if (rows === 0)
    return state === 'finished' ? t('There are no rows.') : t('No row has ended yet.');
  if (rows === skipped)
    return mode === 'undo'
      ? t('Nothing was taken back: {1:row|rows} left out.', rows)
      : t('Nothing was sent: {1:row|rows} left out.', rows);
  const ended = rows - undone - skipped;
  const parts = [
    ...(ended > 0 ? [t('{1:row|rows} ended well', ended)] : []),
    ...(undone > 0 ? [t('{1:row|rows} taken back', undone)] : []),
    ...(skipped > 0 ? [t('{1:row|rows} left out', skipped)] : []),
  ];
  return t('No row needs you: {1}.', parts.join(', '));
}

function allMatch(compared: number, skipped: number): string {
  if (compared === 0)
    return skipped === 0
      ? t('No row was compared.')
      : t('No row was compared: {1:row|rows} left out.', skipped);
  return skipped === 0
    ? t('Every row matches: {1:row|rows} compared.', compared)
    : t(
        'Every row that was compared matches: {1:row|rows}; {2:row|rows} left out.',
        compared,
        skipped,
      );
}

/** Why rows ended as they did, and what was left out of others: each leads to its rows. */
function Reasons({ result }: { readonly result: Result }): JSX.Element {
  const { reasons, moreReasons, remarks } = result;
  return (
    <>
      {reasons.length > 0 && (
        <section>
          <h2 id="reasons">{t('Why')}</h2>
          <Lines kind="reason" labelledBy="reasons" lines={reasons} />
          {moreReasons > 0 && (
            <p class="soft">
              {t('and {1:more reason|more reasons}: the reports have them all', moreReasons)}
            </p>
          )}
        </section>
      )}
      {remarks.length > 0 && (
        <section>
          <h2 id="remarks">{t('Left out or corrected in rows that were sent')}</h2>
          <Lines kind="remark" labelledBy="remarks" lines={remarks} />
        </section>
      )}
    </>
  );
}

interface LinesProps {
  readonly kind: RowFilter['kind'];
  readonly labelledBy: string;
  readonly lines: readonly (Omit<ResultReason, 'outcome'> & Partial<ResultReason>)[];
}

const Lines = ({ kind, labelledBy, lines }: LinesProps): JSX.Element => (
  <Table
    class="result-counts"
    labelledBy={labelledBy}
    heads={[numbers(t('Rows')), titles(t('Reason'), 'wide'), kind === 'reason' && t('Outcome')]}
    rows={lines.map((line) => ({
      key: line.id,
      cells: [
        line.rows,
        <RowLink filter={{ kind, of: String(line.id) }}>{columnMessage(line)}</RowLink>,
        line.outcome !== undefined && <OutcomeName outcome={line.outcome} />,
      ],
    }))}
  />
);

/** A count that leads to its rows, or hides them again. A real link, so that it can be opened in another tab too. */
function RowLink({
  filter,
  children,
}: {
  readonly filter: RowFilter;
  readonly children: ComponentChildren;
}): JSX.Element {
  const shown = shownFilter();
  const current = shown?.kind === filter.kind && shown.of === filter.of;
  const changes = showing(current ? null : filter);
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    pushQuery(changes);
    if (!current) document.getElementById('rows')?.focus();
  };
  return (
    <a href={hrefWith(changes)} aria-current={current ? 'true' : undefined} onClick={follow}>
      {children}
    </a>
  );
}

/** Which rows are shown. It stands in the address, so that it is there again after a reload. */
interface RowFilter {
  readonly kind: 'all' | 'outcome' | 'reason' | 'remark';
  /** Name of the outcome, or number of the reason or remark. */
  readonly of: string;
}

const PAGE_ROWS = 50;

/** What the address says; `null`: no rows are shown. */
function shownFilter(): RowFilter | null {
  for (const kind of ['outcome', 'reason', 'remark'] as const) {
    const of = query.value.get(kind);
    if (of !== null) return { kind, of };
  }
  return query.value.get('rows') === 'all' ? { kind: 'all', of: '' } : null;
}

/** What of the address shows these rows, from their first page; `null` hides them. */
const showing = (filter: RowFilter | null): QueryChanges => ({
  ...{ rows: null, outcome: null, reason: null, remark: null, page: null },
  ...(filter && { [filter.kind === 'all' ? 'rows' : filter.kind]: filter.of || 'all' }),
});

/** The rows behind a count, page by page. */
function ShownRows({ result, filter }: { readonly result: Result; readonly filter: RowFilter }) {
  const { kind, of } = filter;
  const page = pageInQuery();
  const offset = (page - 1) * PAGE_ROWS;
  const which = kind === 'all' ? {} : { [kind]: kind === 'outcome' ? of : Number(of) };
  const asked = useAsked(
    (signal) =>
      call('GET /api/runs/:run/rows', {
        params: { run: result.run },
        query: { ...which, offset, limit: PAGE_ROWS },
        signal,
      }),
    `${result.run} ${kind} ${of} ${page} ${result.rows}`,
  );
  return (
    <>
      <div class="rows-head">
        <h2 aria-live="polite">{title(result, filter, asked.found)}</h2>
        <Button class="plain" onClick={() => pushQuery(showing(null))} label={t('Hide the rows')} />
      </div>
      <Loaded of={asked}>
        {(found) =>
          found.rows.length === 0 ? (
            <p class="notice">{t('There are no such rows.')}</p>
          ) : (
            <>
              <RowsTable found={found} />
              <Pager
                page={page}
                last={Math.ceil(found.total / PAGE_ROWS)}
                onChoose={(chosen) => pushQuery(pageChange(chosen))}
              >
                {t(
                  '{1}–{2} of {3}',
                  offset + 1,
                  Math.min(found.total, page * PAGE_ROWS),
                  found.total,
                )}
              </Pager>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function title(result: Result, { kind, of }: RowFilter, rows: ResultRows | null): string {
  const reasons = kind === 'reason' ? result.reasons : result.remarks;
  const reason = reasons.find(({ id }) => id === Number(of));
  const what =
    kind === 'all'
      ? t('All rows')
      : kind === 'outcome'
        ? outcomeWords(of).name
        : reason
          ? columnMessage(reason).replace(/[.:]$/, '')
          : t('Reason');
  return rows === null ? what : t('{1}: {2:row|rows}', what, rows.total);
}

/** Rows of a run with the columns of its report. */
const RowsTable = ({ found: { columns, rows } }: { readonly found: ResultRows }): JSX.Element => (
  <Table
    class="rows"
    label={t('All rows')}
    heads={columns.map(({ name, part }, at) => {
      const isTitle = part === 'row';
      // Numbers stand below a header that is aligned like them.
      const isNumber = rows.every(
        ({ cells }) => typeof cells[at] === 'number' || (cells[at] ?? '') === '',
      );
      const look = isTitle || isNumber ? 'number' : part === 'problems' ? 'wide' : '';
      // Identifiers are called as the card calls them.
      const isWord = part !== 'identifiers' && isKnown(name);
      return { name: isWord ? t(columnText[name]) : name, isTitle, isNumber, look };
    })}
    rows={rows.map(({ cells, outcome }) => ({
      cells: columns.map((column, at) => cellOf(column, cells[at] ?? null, outcome)),
    }))}
  />
);

type Column = ResultRows['columns'][number];

const isKnown = (name: string): name is keyof typeof columnText => Object.hasOwn(columnText, name);

/** Cells are text, whatever they hold: an id has no separators. */
function cellOf({ name, part }: Column, value: string | number | null, outcome: string) {
  if (part === 'outcome') return <OutcomeName outcome={outcome} />;
  if (name === 'nextCall' && typeof value === 'number')
    return <LocalTime iso={new Date(value).toISOString()} />;
  if (name === 'callback' && value !== null) return t(value === 'true' ? 'yes' : 'no');
  return value === null ? null : String(value);
}

/** Names of the columns of rows, by their names in the report. Others are called as they are. */
const columnText = {
  row: 'Row',
  sheet: 'Sheet',
  file: 'File',
  outcome: 'Outcome',
  verdict: 'Verdict',
  reason: 'Reason',
  problems: 'Problems',
  differences: 'Differences',
  clientId: 'Client id',
  applicationStatus: 'Call application',
  callsMade: 'Calls made',
  nextCall: 'Next call',
  callback: 'Callback',
} as const satisfies Readonly<Record<string, string>>;
