import type { JSX, ComponentChildren } from 'preact';
import type { Result, ResultReason } from '../../../shared/result.js';
import { headlineRu, resultText } from '../../messages/result.js';
import { language, t, number } from '../../state/language.js';
import { OutcomeName } from '../../parts/parts.js';
import { hrefWith, pushQuery, query, type QueryChanges } from '../../state/address.js';

/** What to do next, before anything else. */
export function First({ result }: { readonly result: Result }): JSX.Element {
  const { sentence, more } = language === 'ru' ? inRussian(result) : inEnglish(result);
  return (
    <div class={`first ${result.next.kind}`}>
      <p role="status">
        <strong>{result.isUndoing ? t(resultText.undoing) : sentence}</strong>{' '}
        {!result.isUndoing && more}
      </p>
      {result.state === 'broken_off' && <p>{t(resultText.brokenOff)}</p>}
      {result.state === 'running' && !result.isHere && !result.isUndoing && (
        <p>{t(resultText.elsewhere)}</p>
      )}
    </div>
  );
}

interface Words {
  readonly sentence: string;
  readonly more: string;
}

/** As the server says it; a file need not be corrected where the rows can be mended right here. */
function inEnglish({ next }: Result): Words {
  const { kind, sentence } = next;
  if (kind === 'recover') return { sentence, more: t(resultText.recoverNext) };
  return kind === 'mend' ? { sentence, more: t(resultText.mendNext) } : next;
}

/** The same as the server says in English. */
function inRussian(result: Result): Words {
  const { next, waiting } = result;
  const text = headline(result);
  switch (next.kind) {
    case 'wait':
      return { sentence: headlineRu.underWay, more: '' };
    case 'resume': {
      const yet = waiting.rows > 0 ? `${headlineRu.waiting(waiting.rows)} ` : '';
      return { sentence: yet + headlineRu.resume, more: text };
    }
    case 'recover':
      return { sentence: text, more: t(resultText.recoverNext) };
    case 'mend':
      return { sentence: text, more: t(resultText.mendNext) };
    case 'look':
      return { sentence: text, more: '' };
  }
}

function headline(result: Result): string {
  const { next, rows, outcomes, mode, isTakenBack } = result;
  const { bad, top } = next;
  if (isTakenBack) return headlineRu.takenBack;
  const isComparison = mode === 'reconcile';
  const count = (one: string): number =>
    outcomes.find(({ outcome }) => outcome === one)?.count ?? 0;
  if (bad === 0)
    return isComparison
      ? headlineRu.allMatch(rows - count('skipped'), count('skipped'))
      : noneNeeded(result, count('undone'), count('skipped'));
  const start = headlineRu.bad(bad, isComparison);
  if (top === null) return `${start}.`;
  const why = reasonWords(top).replace(/[.:]$/, '');
  if (top.rows === bad) return `${start}, ${headlineRu.oneReason(bad, why)}.`;
  return `${start}; ${headlineRu.top(top.rows, why)}.`;
}

function noneNeeded({ rows, state, mode }: Result, undone: number, skipped: number): string {
  if (rows === 0) return headlineRu.noRows(state === 'finished');
  if (rows === skipped) return headlineRu.allSkipped(rows, mode === 'undo');
  return headlineRu.allGood(rows - undone - skipped, undone, skipped);
}

/** Why rows ended as they did, and what was left out of others: each leads to its rows. */
export function Reasons({ result }: { readonly result: Result }): JSX.Element {
  const { reasons, moreReasons, remarks } = result;
  return (
    <>
      {reasons.length > 0 && (
        <section>
          <h2 id="reasons">{t(resultText.reasons)}</h2>
          <Table kind="reason" labelledBy="reasons" lines={reasons} />
          {moreReasons > 0 && <p class="soft">{t(resultText.moreReasons, moreReasons)}</p>}
        </section>
      )}
      {remarks.length > 0 && (
        <section>
          <h2 id="remarks">{t(resultText.remarks)}</h2>
          <Table kind="remark" labelledBy="remarks" lines={remarks} />
        </section>
      )}
    </>
  );
}

type Line = Omit<ResultReason, 'outcome'> & Partial<Pick<ResultReason, 'outcome'>>;

interface TableProps {
  readonly kind: RowFilter['kind'];
  readonly labelledBy: string;
  readonly lines: readonly Line[];
}

const Table = ({ kind, labelledBy, lines }: TableProps): JSX.Element => (
  <div class="scroll" tabIndex={0} role="region" aria-labelledby={labelledBy}>
    <table class="result-counts">
      <thead>
        <tr>
          <th scope="col" class="number">
            {t(resultText.count)}
          </th>
          <th scope="col">{t(resultText.reason)}</th>
          {kind === 'reason' && <th scope="col">{t(resultText.outcome)}</th>}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td class="number">{number(line.rows)}</td>
            <th scope="row" class="wide">
              <RowLink filter={{ kind, of: String(line.id) }}>{reasonWords(line)}</RowLink>
            </th>
            {line.outcome !== undefined && (
              <td>
                <OutcomeName outcome={line.outcome} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A reason in one line. */
export const reasonWords = ({
  column,
  message,
}: Pick<ResultReason, 'column' | 'message'>): string =>
  column === null ? message : `${column}: ${message}`;

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
export interface RowFilter {
  readonly kind: 'all' | 'outcome' | 'reason' | 'remark';
  /** Name of the outcome, or number of the reason or remark. */
  readonly of: string;
}

/** Rows of a page. */
export const PAGE_ROWS = 50;

const KINDS = ['outcome', 'reason', 'remark'] as const;

/** What the address says; `null`: no rows are shown. */
export function shownFilter(): RowFilter | null {
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
export const showing = (filter: RowFilter | null): QueryChanges => ({
  ...{ rows: null, outcome: null, reason: null, remark: null, page: null },
  ...(filter && { [filter.kind === 'all' ? 'rows' : filter.kind]: filter.of || 'all' }),
});

/** Number of the page, from 1. */
export function shownPage(): number {
  const page = Number(query.value.get('page') ?? '1');
  return Number.isInteger(page) && page > 0 ? page : 1;
}
