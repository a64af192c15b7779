import type { ComponentChildren, JSX } from 'preact';
import type {
  CheckState,
  ProblemGroup,
  CheckedRows,
  CheckedRow,
  CheckedCell,
} from '../../../shared/check.js';
import { about } from '../../state/about.js';
import { t, number } from '../../state/language.js';
import { type Mending, choosePage, chosenPage, PAGE } from './mending.js';
import { Mends } from './mends.js';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Waiting, Heads } from '../../parts/parts.js';
import { useSignal } from '@preact/signals';
import { call } from '../../state/call.js';

interface GroupProps {
  readonly state: CheckState;
  /** Key of the group. */
  readonly group: string;
  readonly mending: Mending;
}

/** The rows with one problem, and what mends them. */
export function Group({ state, group, mending }: GroupProps): JSX.Element {
  const found = state.groups.find(({ key }) => key === group);
  const isRunning = state.phase === 'opening' || state.phase === 'reading';
  const none = isRunning
    ? t('No row with this problem has come yet.')
    : t('No row has this problem any more.');
  return (
    <section aria-label={found ? `${found.column ?? ''} ${found.message}` : none}>
      {found && <h2>{t('{1}: {2:row|rows}', found.column ?? t('Whole row'), found.rows)}</h2>}
      {!found && (
        <p class="notice" role="status">
          {none}
        </p>
      )}
      {found && about.value?.readOnly === false && (
        <Mends state={state} group={found} mending={mending} />
      )}
      <Rows state={state} group={group} found={found} mending={mending} />
    </section>
  );
}

interface RowsProps {
  readonly state: CheckState;
  readonly group: string;
  readonly found: ProblemGroup | undefined;
  readonly mending: Mending;
}

/** The rows of a group, page by page. */
function Rows({ state, group, found, mending }: RowsProps): JSX.Element | null {
  const page = chosenPage();
  const { rows: shown, isOld } = useRows(state, group, found, page);
  const isEnd = state.phase !== 'opening' && state.phase !== 'reading';
  const last = Math.max(1, Math.ceil((found?.rows ?? 0) / PAGE));
  useEffect(() => {
    // What was mended is gone, and so is the page.
    if (isEnd && found && page > last) choosePage(last);
  }, [isEnd, page, last]);
  if (!shown) return found ? <Waiting /> : null;
  const { rows, offset, moreColumns } = shown;
  if (rows.length === 0) return null;
  const total = Math.max(found?.rows ?? 0, offset + rows.length);
  return (
    <>
      <CheckedTable
        caption={t('Rows {1} to {2} of {3}', offset + 1, offset + rows.length, total)}
        shown={shown}
        isOld={isOld}
        known={found?.code ?? undefined}
        mending={mending}
      />
      {moreColumns > 0 && (
        <p class="soft">{t('{1:further column is|further columns are} not shown.', moreColumns)}</p>
      )}
      {state.notShown !== null && <p class="soft">{state.notShown}</p>}
      <Pager page={page} last={Math.max(last, page)} onChoose={choosePage} />
    </>
  );
}

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly last: number;
  readonly onChoose: (page: number) => void;
}

/** One page back or on. The buttons stay where they are, so that one can click on. */
function Pager({ page, last, onChoose }: PagerProps): JSX.Element | null {
  if (last === 1) return null;
  const step = (to: number): void => {
    if (to >= 1 && to <= last) onChoose(to);
  };
  return (
    <nav class="pager" aria-label={t('Pages')}>
      <button type="button" aria-disabled={page <= 1} onClick={() => step(page - 1)}>
        {t('Previous')}
      </button>
      <span class="number">
        {number(page)} / {number(last)}
      </span>
      <button type="button" aria-disabled={page >= last} onClick={() => step(page + 1)}>
        {t('Next')}
      </button>
    </nav>
  );
}

/** Rows, and whether they are those of the check before, which the new one has not come to yet. */
interface ShownRows {
  readonly rows: CheckedRows | null;
  readonly isOld: boolean;
}

/** The rows of a page. While a new check has not come so far, those of the one before stay. */
function useRows(
  { revision, phase, hasFirstRows, list }: CheckState,
  group: string,
  found: ProblemGroup | undefined,
  page: number,
): ShownRows {
  const shown = useSignal<CheckedRows | null>(null);
  const offset = (page - 1) * PAGE;
  const isRunning = phase === 'opening' || phase === 'reading';
  const there = Math.min(PAGE, Math.max(0, (found?.rows ?? 0) - offset));
  const isSamePage = shown.value?.offset === offset;
  const isBetter = !isSamePage || shown.value?.revision === revision;
  const isDue = !isRunning || there === PAGE || (there > 0 && isBetter);
  useEffect(() => {
    if (!isDue) return;
    const controller = new AbortController();
    const query = { group, offset, limit: PAGE };
    const ask = { params: { list: list.id }, query, signal: controller.signal };
    call('GET /api/lists/:list/check/rows', ask).then(
      (rows) => {
        const isBehind =
          isRunning && rows.rows.length < PAGE && rows.revision !== shown.value?.revision;
        if (!isBehind || shown.value?.offset !== offset) shown.value = rows;
      },
      () => undefined,
    );
    return () => controller.abort();
  }, [list.id, group, offset, revision, isRunning, hasFirstRows, isDue, there]);
  // Until those of another page come, the table stays where it is.
  const rows = shown.value;
  return { rows, isOld: rows !== null && rows.revision !== revision };
}

interface CheckedTableProps {
  readonly caption: string;
  readonly shown: CheckedRows;
  /** Whether the rows are checked again just now. */
  readonly isOld: boolean;
  /** Code of what is wrong with all of them: it is not said again. */
  readonly known: string | undefined;
  readonly mending: Mending;
}

/** Rows with their bad cells marked. */
function CheckedTable(props: CheckedTableProps): JSX.Element {
  const { caption, shown, isOld, known, mending } = props;
  const { columns, rows } = shown;
  const othersOf = ({ problems, cells }: CheckedRow): string =>
    [
      ...problems.map((one) => ({ ...one, column: '' })),
      ...cells.flatMap((cell, at) =>
        cell.problems.map((one) => ({ ...one, column: `${columns[at] ?? ''}: ` })),
      ),
    ]
      .filter(({ code }) => code !== known)
      .map(({ column, message }) => column + message)
      .join(' ');
  const hasOthers = rows.some((row) => othersOf(row) !== '');
  const hasSheets = new Set(rows.map(({ sheet }) => sheet)).size > 1;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption} aria-busy={isOld}>
      <table class="checked">
        <caption>
          {caption}
          {isOld && ` · ${t('being checked again')}`}
        </caption>
        <Heads
          of={[
            { number: t(hasSheets ? 'Sheet, row' : 'Row') },
            ...columns,
            hasOthers && t('Also wrong'),
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.sheet ?? ''} ${row.row}`}>
              <th scope="row" class="number">
                {hasSheets && `${row.sheet ?? ''}, `}
                {number(row.row)}
              </th>
              {columns.map((column, at) => (
                <Cell cell={row.cells[at]} row={row.row} column={column} mending={mending} />
              ))}
              {hasOthers && (
                <td class="others" title={othersOf(row)}>
                  {othersOf(row)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly cell: CheckedCell | undefined;
  readonly row: number;
  readonly column: string;
  readonly mending: Mending;
}

/** A cell as it stands in the file. A bad one, and one that can mend its row, is corrected where it stands. */
function Cell({ cell, row, column, mending }: CellProps): JSX.Element {
  if (!cell || (cell.problems.length === 0 && !cell.isCorrected && cell.cell === null))
    return <td>{cell?.value}</td>;
  const { value, problems, isCut, isCorrected, cell: sealed } = cell;
  const isGood = problems.length === 0 && isCorrected;
  const shown = (
    <>
      <span class="cell-value">
        {value ?? <span class="soft">{t('empty')}</span>}
        {isCut && '…'}
      </span>
      {isCorrected && (
        <span class="badge">{t(isGood ? 'corrected' : 'corrected, still wrong')}</span>
      )}
    </>
  );
  return (
    <td class={isGood ? 'corrected' : 'bad'}>
      {sealed !== null && about.value?.readOnly === false ? (
        <CellEditor
          label={t('Correct {2} of row {1}', row, column)}
          value={about.value.mask ? '' : (value ?? '')}
          onSave={(to) => mending.correct(sealed, to)}
        >
          {shown}
        </CellEditor>
      ) : (
        shown
      )}
    </td>
  );
}

interface CellEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onSave: (value: string) => Promise<boolean>;
  /** The cell as it is. */
  readonly children: ComponentChildren;
}

/** Corrects one cell in its place: Enter saves, Escape leaves it as it was. */
function CellEditor({ label, value, onSave, children }: CellEditorProps): JSX.Element {
  const isOpen = useSignal(false);
  const text = useSignal(value);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (isOpen.value) input.current?.select();
    else if (wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen.value;
  }, [isOpen.value]);
  const open = (): void => {
    text.value = value;
    isOpen.value = true;
  };
  const close = (): void => {
    isOpen.value = false;
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await onSave(text.value)) close();
  };
  if (!isOpen.value)
    return (
      <button ref={opener} type="button" class="cell" onClick={open}>
        <span class="hidden">{label}: </span>
        {children} <span aria-hidden="true">✎</span>
      </button>
    );
  return (
    <form class="cell-editor" onSubmit={(event) => void save(event)}>
      <input
        ref={input}
        aria-label={label}
        value={text.value}
        autocomplete="off"
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      />
      <button type="submit">{t('Save')}</button>
      <button type="button" class="plain" onClick={close}>
        {t('Cancel')}
      </button>
    </form>
  );
}
