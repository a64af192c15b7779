import type { JSX } from 'preact';
import type {
  CheckState,
  ProblemGroup,
  CheckedRows,
  Mends as Found,
  CheckedRow,
  CheckedCell,
} from '../../../shared/check.js';
import { about } from '../../state/about.js';
import { t, number } from '../../state/language.js';
import { type Mending, choosePage, chosenPage, PAGE, Replace } from './mending.js';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Waiting } from '../../parts/parts.js';
import { useSignal, type Signal } from '@preact/signals';
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

interface MendsProps {
  readonly state: CheckState;
  readonly group: ProblemGroup;
  readonly mending: Mending;
}

/** Values that are shown at first. */
const FEW = 5;

/** Rules for all rows with the same value, which become a part of the mapping. */
function Mends({ state, group, mending }: MendsProps): JSX.Element | null {
  const found = useMends(state, group.key);
  const isAll = useSignal(false);
  if (!found) return null;
  const { values, drop, hasMoreValues } = found;
  const mendable = values.filter(({ replace, blank }) => replace || blank);
  const shown = isAll.value ? mendable : mendable.slice(0, FEW);
  if (mendable.length === 0 && !drop)
    return (
      <p class="soft">
        {t(
          'No rule mends these rows: correct the cells below, or change the mapping in the step Columns.',
        )}
      </p>
    );
  return (
    <div class="mends">
      <h3>{t('Mend all rows with a value')}</h3>
      <ul>
        {shown.map(({ value, rows, replace, blank }) => (
          <li key={value}>
            <q>{value}</q>
            <span class="number">{number(rows)}</span>
            {replace && <Replace value={value} offer={replace} onRule={mending.makeRule} />}
            {blank && (
              <button
                type="button"
                aria-label={t('Count as an empty cell: “{1}”', value)}
                onClick={() => void mending.makeRule(blank.rule)}
              >
                {t('Count as an empty cell')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {shown.length < mendable.length && (
        <button type="button" class="plain" onClick={() => (isAll.value = true)}>
          {t('Show {1:more value|more values}', mendable.length - shown.length)}
        </button>
      )}
      {isAll.value && hasMoreValues && <p class="soft">{t('There are more values than these.')}</p>}
      {drop && (
        <p>
          <button type="button" onClick={() => void mending.makeRule(drop.rule)}>
            {t('Leave out what is wrong in {1}: {2:row|rows}', group.column ?? '', drop.rows)}
          </button>
        </p>
      )}
    </div>
  );
}

/** The rules that are offered, at first for what has been read, and then for all of it. */
function useMends(
  { list: { id: list }, revision, phase, hasFirstRows }: CheckState,
  group: string,
): Found | null {
  const found = useSignal<Found | null>(null);
  useEffect(() => {
    if (!hasFirstRows) return;
    const controller = new AbortController();
    const ask = { params: { list }, query: { group }, signal: controller.signal };
    call('GET /api/lists/:list/check/mends', ask).then(
      (answer) => {
        found.value = answer;
      },
      // Without rules, cells can be corrected all the same.
      () => undefined,
    );
    return () => controller.abort();
  }, [revision, phase, hasFirstRows, group]);
  return found.value;
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
  const othersOf = ({ problems }: CheckedRow): string[] =>
    problems.filter(({ code }) => code !== known).map(({ message }) => message);
  const hasOthers = rows.some((row) => othersOf(row).length > 0);
  const hasSheets = new Set(rows.map(({ sheet }) => sheet)).size > 1;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption} aria-busy={isOld}>
      <table class="checked">
        <caption>
          {caption}
          {isOld && ` · ${t('being checked again')}`}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {t(hasSheets ? 'Sheet, row' : 'Row')}
            </th>
            {columns.map((name) => (
              <th scope="col">{name}</th>
            ))}
            {hasOthers && <th scope="col">{t('Also wrong')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.sheet ?? ''} ${row.row}`}>
              <th scope="row" class="number">
                {hasSheets && `${row.sheet ?? ''}, `}
                {number(row.row)}
              </th>
              {columns.map((column, at) => (
                <Cell
                  cell={row.cells[at]}
                  row={row.row}
                  column={column}
                  known={known}
                  mending={mending}
                />
              ))}
              {hasOthers && <td class="others">{othersOf(row).join(' ')}</td>}
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
  /** Code of what is wrong with all rows that are shown: it is not said again. */
  readonly known: string | undefined;
  readonly mending: Mending;
}

/** A cell as it stands in the file. A bad one says what is wrong with it; one that can mend its row can be corrected. */
function Cell({ cell, row, column, known, mending }: CellProps): JSX.Element {
  const isOpen = useSignal(false);
  if (!cell || (cell.problems.length === 0 && !cell.isCorrected && cell.cell === null))
    return <td>{cell?.value}</td>;
  const { value, problems, isCut, isCorrected, cell: sealed } = cell;
  const others = problems.filter(({ code }) => code !== known);
  return (
    <td class={problems.length === 0 && isCorrected ? 'corrected' : 'bad'}>
      <span class="cell-value">
        {value ?? <span class="soft">{t('empty')}</span>}
        {isCut && '…'}
      </span>
      {isCorrected && (
        <span class="badge">
          {t(problems.length === 0 ? 'corrected' : 'corrected, still wrong')}
        </span>
      )}
      {others.length > 0 && (
        <span class="why-bad">{others.map(({ message }) => message).join(' ')}</span>
      )}
      {sealed !== null && about.value?.readOnly === false && (
        <CellEditor
          isOpen={isOpen}
          label={t('Correct {2} of row {1}', row, column)}
          value={about.value.mask ? '' : (value ?? '')}
          onSave={(to) => mending.correct(sealed, to)}
        />
      )}
    </td>
  );
}

interface CellEditorProps {
  readonly isOpen: Signal<boolean>;
  readonly label: string;
  readonly value: string;
  readonly onSave: (value: string) => Promise<boolean>;
}

/** Corrects one cell: Enter saves, Escape leaves it as it was. */
function CellEditor({ isOpen, label, value, onSave }: CellEditorProps): JSX.Element {
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
      <button ref={opener} type="button" class="plain" aria-label={label} onClick={open}>
        {t('Correct')}
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
