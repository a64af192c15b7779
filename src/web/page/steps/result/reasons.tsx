import type { JSX, ComponentChildren } from 'preact';
import type { Result, ResultReason, ResultRows } from '../../state/answers.js';
import { language, t } from '../../state/language.js';
import {
  Heads,
  LocalTime,
  numbers,
  OutcomeName,
  outcomeWords,
  Pager,
  ProblemNote,
  reasonWords,
  Table,
  titles,
  Waiting,
} from '../../parts/parts.js';
import {
  hrefWith,
  pageChange,
  pageInQuery,
  pushQuery,
  query,
  type QueryChanges,
} from '../../state/address.js';
import { call, useLoaded } from '../../state/call.js';

/** What to do next, before anything else. */
export function First({ result }: { readonly result: Result }): JSX.Element {
  const { sentence, more } = language === 'en' ? inEnglish(result) : inLanguage(result);
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

interface Words {
  readonly sentence: string;
  readonly more: string;
}

const RECOVER =
  'The contact center keeps these clients as deleted: import the list once more, with deleted clients restored. What ended well is not sent twice.';
const MEND = 'Mend and send them. What ended well is not sent twice.';

/** As the server says it; a file need not be corrected where the rows can be mended right here. */
function inEnglish({ next }: Result): Words {
  const { kind, sentence } = next;
  if (kind === 'recover') return { sentence, more: t(RECOVER) };
  return kind === 'mend' ? { sentence, more: t(MEND) } : next;
}

/** The same as the server says in English. */
function inLanguage(result: Result): Words {
  const { next, waiting } = result;
  const sentence = headline(result);
  switch (next.kind) {
    case 'wait':
      return { sentence: t('The run is under way; rows not sent yet are left out.'), more: '' };
    case 'resume': {
      const yet = waiting.rows > 0 ? `${t('Not sent yet: {1:row|rows}.', waiting.rows)} ` : '';
      return { sentence: yet + t('Go on with this run.'), more: sentence };
    }
    case 'recover':
      return { sentence, more: t(RECOVER) };
    case 'mend':
      return { sentence, more: t(MEND) };
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
  const why = reasonWords(top).replace(/[.:]$/, '');
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
export function Reasons({ result }: { readonly result: Result }): JSX.Element {
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

type Line = Omit<ResultReason, 'outcome'> & Partial<Pick<ResultReason, 'outcome'>>;

interface LinesProps {
  readonly kind: RowFilter['kind'];
  readonly labelledBy: string;
  readonly lines: readonly Line[];
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
        <RowLink filter={{ kind, of: String(line.id) }}>{reasonWords(line)}</RowLink>,
        line.outcome !== undefined && <OutcomeName outcome={line.outcome} />,
      ],
    }))}
  />
);

interface RowLinkProps {
  readonly filter: RowFilter;
  readonly children: ComponentChildren;
}

/** A count that leads to its rows, or hides them again. A real link, so that it can be opened in another tab too. */
export function RowLink({ filter, children }: RowLinkProps): JSX.Element {
  const current = isShown(filter);
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

/** Rows of a page. */
const PAGE_ROWS = 50;

const KINDS = ['outcome', 'reason', 'remark'] as const;

/** What the address says; `null`: no rows are shown. */
function shownFilter(): RowFilter | null {
  for (const kind of KINDS) {
    const of = query.value.get(kind);
    if (of !== null) return { kind, of };
  }
  return query.value.get('rows') === 'all' ? { kind: 'all', of: '' } : null;
}

const isShown = ({ kind, of }: RowFilter): boolean => {
  const shown = shownFilter();
  return shown?.kind === kind && shown.of === of;
};

/** What of the address shows these rows, from their first page; `null` hides them. */
const showing = (filter: RowFilter | null): QueryChanges => ({
  ...{ rows: null, outcome: null, reason: null, remark: null, page: null },
  ...(filter && { [filter.kind === 'all' ? 'rows' : filter.kind]: filter.of || 'all' }),
});

/** The rows behind a count, page by page. The place is there before, so that it can take the focus. */
export function Rows({ result }: { readonly result: Result }): JSX.Element {
  const filter = shownFilter();
  return (
    <section id="rows" tabIndex={-1}>
      {filter && <ShownRows result={result} filter={filter} />}
    </section>
  );
}

interface ShownRowsProps {
  readonly result: Result;
  readonly filter: RowFilter;
}

function ShownRows({ result, filter }: ShownRowsProps): JSX.Element {
  const page = pageInQuery();
  const found = useLoaded(
    (signal) =>
      call('GET /api/runs/:run/rows', {
        params: { run: result.run },
        query: { ...queryOf(filter), offset: (page - 1) * PAGE_ROWS, limit: PAGE_ROWS },
        signal,
      }),
    `${result.run} ${filter.kind} ${filter.of} ${page} ${result.rows}`,
  ).value;
  return (
    <>
      <div class="rows-head">
        <h2 aria-live="polite">
          {title(result, filter, found.state === 'ready' ? found.value : null)}
        </h2>
        <button type="button" class="plain" onClick={() => pushQuery(showing(null))}>
          {t('Hide the rows')}
        </button>
      </div>
      {found.state === 'loading' && <Waiting />}
      {found.state === 'failed' && <ProblemNote problem={found.problem} />}
      {found.state === 'ready' && found.value.rows.length === 0 && (
        <p class="notice">{t('There are no such rows.')}</p>
      )}
      {found.state === 'ready' && found.value.rows.length > 0 && (
        <>
          <RowsTable found={found.value} />
          <Pager page={page} last={Math.ceil(found.value.total / PAGE_ROWS)} onChoose={turnTo}>
            {t(
              '{1}–{2} of {3}',
              (page - 1) * PAGE_ROWS + 1,
              Math.min(found.value.total, page * PAGE_ROWS),
              found.value.total,
            )}
          </Pager>
        </>
      )}
    </>
  );
}

const turnTo = (page: number): void => pushQuery(pageChange(page));

const queryOf = ({ kind, of }: RowFilter) => {
  if (kind === 'all') return {};
  return kind === 'outcome' ? { outcome: of } : { [kind]: Number(of) };
};

function title(result: Result, { kind, of }: RowFilter, rows: ResultRows | null): string {
  const what =
    kind === 'all'
      ? t('All rows')
      : kind === 'outcome'
        ? outcomeWords(of).name
        : reasonOf(result, kind, Number(of));
  return rows === null ? what : t('{1}: {2:row|rows}', what, rows.total);
}

function reasonOf({ reasons, remarks }: Result, kind: RowFilter['kind'], of: number): string {
  const found = (kind === 'reason' ? reasons : remarks).find(({ id }) => id === of);
  return found ? reasonWords(found).replace(/[.:]$/, '') : t('Reason');
}

/** Rows of a run with the columns of its report. Cells are text, whatever they hold. */
function RowsTable({ found: { columns, rows } }: { readonly found: ResultRows }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t('All rows')}>
      <table class="rows">
        <Heads
          of={columns.map((column, at) => ({
            name: nameOf(column),
            isNumber: isNumber(rows, at),
          }))}
        />
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column, at) => (
                <Cell column={column} value={row.cells[at] ?? null} outcome={row.outcome} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Numbers stand below a header that is aligned like them. */
const isNumber = (rows: ResultRows['rows'], at: number): boolean =>
  rows.every(({ cells }) => typeof cells[at] === 'number' || (cells[at] ?? '') === '');

type Column = ResultRows['columns'][number];

/** Identifiers are called as the card calls them. */
const nameOf = ({ name, part }: Column): string =>
  part === 'identifiers' || !isKnown(name) ? name : t(columnText[name]);

const isKnown = (name: string): name is keyof typeof columnText => Object.hasOwn(columnText, name);

interface CellProps {
  readonly column: Column;
  readonly value: string | number | null;
  readonly outcome: string;
}

function Cell({ column: { name, part }, value, outcome }: CellProps): JSX.Element {
  if (part === 'row')
    return (
      <th scope="row" class="number">
        {value}
      </th>
    );
  if (part === 'outcome')
    return (
      <td>
        <OutcomeName outcome={outcome} />
      </td>
    );
  if (name === 'nextCall' && typeof value === 'number')
    return (
      <td>
        <LocalTime iso={new Date(value).toISOString()} />
      </td>
    );
  if (name === 'callback' && value !== null) return <td>{t(value === 'true' ? 'yes' : 'no')}</td>;
  const look = typeof value === 'number' ? 'number' : part === 'problems' ? 'wide' : '';
  return <td class={look}>{value}</td>;
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
