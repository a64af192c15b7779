import type { JSX } from 'preact';
import type { Result, ResultRows } from '../../../shared/result.js';
import { ProblemNote, Waiting, LocalTime, OutcomeName, outcomeWords } from '../../parts/parts.js';
import { pushQuery } from '../../state/address.js';
import { call, useLoaded } from '../../state/call.js';
import { t } from '../../state/language.js';
import {
  PAGE_ROWS,
  showing,
  shownFilter,
  shownPage,
  type RowFilter,
  reasonWords,
} from './reasons.js';

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
  const page = shownPage();
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
          <Pager total={found.value.total} page={page} />
        </>
      )}
    </>
  );
}

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

interface PagerProps {
  readonly total: number;
  /** From 1. */
  readonly page: number;
}

/** Leads from page to page; nothing where one page has all. */
function Pager({ total, page }: PagerProps): JSX.Element | null {
  const pages = Math.ceil(total / PAGE_ROWS);
  if (pages < 2) return null;
  const from = (page - 1) * PAGE_ROWS + 1;
  const to = Math.min(total, page * PAGE_ROWS);
  const turn = (next: number): void => pushQuery({ page: next === 1 ? null : String(next) });
  return (
    <nav class="result-pager" aria-label={t('Pages')}>
      <button type="button" disabled={page <= 1} onClick={() => turn(page - 1)}>
        {t('Previous')}
      </button>
      <span class="number">{t('{1}–{2} of {3}', from, to, total)}</span>
      <button type="button" disabled={page >= pages} onClick={() => turn(page + 1)}>
        {t('Next')}
      </button>
    </nav>
  );
}

/** Rows of a run with the columns of its report. Cells are text, whatever they hold. */
function RowsTable({ found: { columns, rows } }: { readonly found: ResultRows }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t('All rows')}>
      <table class="rows">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th scope="col" class={isNumber(rows, at) ? 'number' : ''}>
                {nameOf(column)}
              </th>
            ))}
          </tr>
        </thead>
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
