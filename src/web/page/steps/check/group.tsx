import type { ComponentChildren, JSX } from 'preact';
import type {
  CheckState,
  ProblemGroup,
  CheckedRows,
  CheckedRow,
  CheckedCell,
  Mends as Found,
  Remedies,
} from '../../state/answers.js';
import { about } from '../../state/about.js';
import { t, number } from '../../state/language.js';
import { pageInQuery } from '../../state/address.js';
import { type Mending, choosePage, PAGE } from './mending.js';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Heads, numbers, Pager, Table, titles, Waiting, Button } from '../../parts/parts.js';
import { useSignal } from '@preact/signals';
import { call, useAnswer } from '../../state/call.js';

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

interface MendsProps {
  readonly state: CheckState;
  readonly group: ProblemGroup;
  readonly mending: Mending;
}

/** What mends rows of a group: changes for all of them, each as it was tried, and below them one for each value. */
function Mends({ state, group, mending }: MendsProps): JSX.Element {
  const { values, remedies } = useMends(state, group.key);
  const mendable = values?.values.filter(({ replace, blank }) => replace || blank) ?? [];
  const isNone = values && remedies && mendable.length + remedies.remedies.length === 0;
  return (
    <div class="mends">
      {!remedies && (
        <p class="remedies soft" role="status">
          {t('Trying what mends these rows…')}
        </p>
      )}
      {remedies && remedies.remedies.length > 0 && (
        <ul class="remedies">
          {remedies.remedies.map((one) => (
            <RemedyLine
              key={one.rule}
              remedy={one}
              tried={remedies}
              group={group}
              onRule={mending.makeRule}
            />
          ))}
        </ul>
      )}
      {values && mendable.length > 0 && (
        <Values values={mendable} hasMore={values.hasMoreValues} onRule={mending.makeRule} />
      )}
      {isNone && (
        <p class="soft">
          {t(
            'No rule mends these rows: correct the cells below, or change the mapping in the step Columns.',
          )}
        </p>
      )}
    </div>
  );
}

/** What is offered, at first for what has been read, and then for all of it. Remedies are `null` while they are tried. */
function useMends(
  { list: { id: list }, revision, phase, hasFirstRows }: CheckState,
  group: string,
) {
  const values = useSignal<Found | null>(null);
  const remedies = useSignal<Remedies | null>(null);
  const keys = [list, revision, phase, hasFirstRows, group];
  const ask = { params: { list }, query: { group } };
  useEffect(() => {
    if (hasFirstRows) remedies.value = null;
  }, keys);
  // Without rules, cells can be corrected all the same.
  useAnswer(
    hasFirstRows && ((signal) => call('GET /api/lists/:list/check/mends', { ...ask, signal })),
    (answer) => (values.value = answer),
    keys,
  );
  useAnswer(
    hasFirstRows && ((signal) => call('GET /api/lists/:list/check/remedies', { ...ask, signal })),
    (answer) => (remedies.value = answer),
    keys,
  );
  return { values: values.value, remedies: remedies.value };
}

type Remedy = Remedies['remedies'][number];
type OnRule = Mending['makeRule'];

interface RemedyLineProps {
  readonly remedy: Remedy;
  readonly tried: Remedies;
  readonly group: ProblemGroup;
  readonly onRule: OnRule;
}

/** What a remedy does, what it gains, and the button that has it done, where it gains anything. */
function RemedyLine({ remedy, tried, group, onRule }: RemedyLineProps): JSX.Element {
  const { rule, gain } = remedy;
  const [title, more] = wordsOf(remedy, group);
  const isUseless = gain <= 0 && tried.isAll;
  const ready = tried.isAll
    ? t('{1:more row is|more rows are} ready', gain)
    : t('{1:more row is|more rows are} ready, of the first {2}', gain, tried.rows);
  return (
    <li class={isUseless ? 'soft' : ''}>
      <span>
        <strong>{title}</strong> <span class="soft">{more}</span>
      </span>
      <span class="gain">
        {isUseless ? t('mends no row') : ready}
        <progress max={group.rows} value={Math.max(0, gain)} aria-hidden="true" />
      </span>
      {!isUseless && (
        <Button
          aria-label={`${t('Apply')}: ${title}`}
          onClick={() => void onRule(rule)}
          label={t('Apply')}
        />
      )}
    </li>
  );
}

function wordsOf({ kind, choice, example }: Remedy, group: ProblemGroup): [string, string] {
  const column = group.column ?? '';
  const value = example ?? group.values[0]?.value ?? '';
  switch (kind) {
    case 'number':
      return [
        t('Read “{1}” as a number', value),
        choice === '' ? '' : t('“{1}” stands before the decimals.', choice),
      ];
    case 'date':
      return [t('Read “{1}” as a date', value), choice];
    case 'small':
      return [t('Read capital letters as small ones'), ''];
    case 'capital':
      return [t('Read small letters as capitals'), ''];
    case 'split':
      return [t('Read several values from one cell'), t('“{1}” stands between them.', choice)];
    case 'optional':
      return [t('Send these rows without {1}', column), ''];
    case 'drop':
      return [t('Leave {1} empty where it is wrong', column), t('The rest of the row is sent.')];
  }
}

const FEW = 5;

interface ValuesProps {
  readonly values: Found['values'];
  readonly hasMore: boolean;
  readonly onRule: OnRule;
}

function Values({ values, hasMore, onRule }: ValuesProps): JSX.Element {
  const isAll = useSignal(false);
  const shown = isAll.value ? values : values.slice(0, FEW);
  return (
    <>
      <div class="scroll">
        <Table
          class="values"
          heads={[titles(t('Value')), numbers(t('Rows')), t('Becomes')]}
          rows={shown.map((one) => ({
            key: one.value,
            cells: [<q>{one.value}</q>, one.rows, <Becomes one={one} onRule={onRule} />],
          }))}
        />
      </div>
      {shown.length < values.length && (
        <Button
          class="plain"
          onClick={() => (isAll.value = true)}
          label={t('Show {1:more value|more values}', values.length - shown.length)}
        />
      )}
      {isAll.value && hasMore && <p class="soft">{t('There are more values than these.')}</p>}
    </>
  );
}

interface BecomesProps {
  readonly one: Found['values'][number];
  readonly onRule: OnRule;
}

function Becomes({ one: { value, replace, blank }, onRule }: BecomesProps): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <>
      {replace && (replace.choices || isOpen.value) && (
        <Replace value={value} offer={replace} onRule={onRule} isFocused={isOpen.value} />
      )}
      {replace && !replace.choices && !isOpen.value && (
        <Button
          class="plain"
          aria-label={`${t('Another value…')} ${value}`}
          onClick={() => (isOpen.value = true)}
          label={t('Another value…')}
        />
      )}
      {blank && !isOpen.value && (
        <Button
          class="plain"
          aria-label={`${t('An empty cell')}: ${value}`}
          onClick={() => void onRule(blank.rule)}
          label={t('An empty cell')}
        />
      )}
    </>
  );
}

interface ReplaceProps {
  readonly value: string;
  readonly offer: NonNullable<Found['values'][number]['replace']>;
  readonly onRule: OnRule;
  readonly isFocused: boolean;
}

function Replace({ value, offer, onRule, isFocused }: ReplaceProps): JSX.Element {
  const to = useSignal('');
  const label = t('Replace “{1}” by', value);
  const choose = (event: { readonly currentTarget: { readonly value: string } }): void => {
    to.value = event.currentTarget.value;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (to.value !== '') void onRule(offer.rule, to.value);
  };
  return (
    <form class="replace" onSubmit={submit}>
      {offer.choices ? (
        <select aria-label={label} value={to.value} onChange={choose} required>
          <option value="">{t('choose…')}</option>
          {offer.choices.map((choice) => (
            <option value={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          aria-label={label}
          value={to.value}
          autocomplete="off"
          ref={(input) => {
            if (isFocused && to.peek() === '') input?.focus();
          }}
          onInput={choose}
          required
        />
      )}
      <button type="submit">
        {offer.isMin
          ? t('Replace in ≥ {1:row|rows}', offer.rows)
          : t('Replace in {1:row|rows}', offer.rows)}
      </button>
    </form>
  );
}

interface RowsProps {
  readonly state: CheckState;
  readonly group: string;
  readonly found: ProblemGroup | undefined;
  readonly mending: Mending;
}

function Rows({ state, group, found, mending }: RowsProps): JSX.Element | null {
  const page = pageInQuery();
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
      <Pager page={page} last={Math.max(last, page)} onChoose={choosePage}>
        {number(page)} / {number(Math.max(last, page))}
      </Pager>
    </>
  );
}

/** The rows of a page. While a new check has not come so far, those of the one before stay: then they are old. */
function useRows(
  { revision, phase, hasFirstRows, list }: CheckState,
  group: string,
  found: ProblemGroup | undefined,
  page: number,
) {
  const shown = useSignal<CheckedRows | null>(null);
  const offset = (page - 1) * PAGE;
  const isRunning = phase === 'opening' || phase === 'reading';
  const there = Math.min(PAGE, Math.max(0, (found?.rows ?? 0) - offset));
  const isSamePage = shown.value?.offset === offset;
  const isBetter = !isSamePage || shown.value?.revision === revision;
  const isDue = !isRunning || there === PAGE || (there > 0 && isBetter);
  const ask = { params: { list: list.id }, query: { group, offset, limit: PAGE } };
  useAnswer(
    isDue && ((signal) => call('GET /api/lists/:list/check/rows', { ...ask, signal })),
    (rows) => {
      const isBehind =
        isRunning && rows.rows.length < PAGE && rows.revision !== shown.value?.revision;
      if (!isBehind || shown.value?.offset !== offset) shown.value = rows;
    },
    [list.id, group, offset, revision, isRunning, hasFirstRows, isDue, there],
  );
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
            numbers(t(hasSheets ? 'Sheet, row' : 'Row')),
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
      <Button class="plain" onClick={close} label={t('Cancel')} />
    </form>
  );
}
