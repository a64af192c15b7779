import type { JSX } from 'preact';
import type { Result, ResultRows } from '../../../shared/result.js';
import { outcomeWords } from '../../messages/outcomes.js';
import { resultText } from '../../messages/result.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { pushQuery } from '../../state/address.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { useLoaded } from '../../state/loaded.js';
import { PAGE_ROWS, showing, shownFilter, shownPage, type RowFilter } from './filter.js';
import { Pager } from './pager.js';
import { reasonWords } from './reasons.js';
import { RowsTable } from './rows-table.js';

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
          {t(resultText.close)}
        </button>
      </div>
      {found.state === 'loading' && <Waiting />}
      {found.state === 'failed' && <ProblemNote problem={found.problem} />}
      {found.state === 'ready' && found.value.rows.length === 0 && (
        <p class="notice">{t(resultText.noneOfThese)}</p>
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
      ? t(resultText.all)
      : kind === 'outcome'
        ? outcomeWords(of).name
        : reasonOf(result, kind, Number(of));
  return rows === null ? what : t(resultText.rowsOf, what, rows.total);
}

function reasonOf({ reasons, remarks }: Result, kind: RowFilter['kind'], of: number): string {
  const found = (kind === 'reason' ? reasons : remarks).find(({ id }) => id === of);
  return found ? reasonWords(found).replace(/[.:]$/, '') : t(resultText.reason);
}
