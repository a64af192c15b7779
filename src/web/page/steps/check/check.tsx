import type { ComponentChildren, JSX } from 'preact';
import type {
  CheckState,
  ProblemGroup,
  CheckedRows,
  CheckedRow,
  CheckedCell,
  Mends as Found,
  Remedies,
  PageProblem,
} from '../../state/answers.js';
import { about, shownList } from '../../state/about.js';
import { t, number } from '../../state/language.js';
import { pageInQuery, go } from '../../state/address.js';
import {
  type Mending,
  choosePage,
  PAGE,
  Corrections,
  chooseGroup,
  chosenGroup,
  useMending,
  DONE,
} from './mending.js';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import {
  Heads,
  numbers,
  Pager,
  Table,
  titles,
  Waiting,
  Button,
  ListFacts,
  OutcomeBar,
  ProblemNote,
  RejectsNote,
  UnsavedMapping,
  Link,
} from '../../parts/parts.js';
import { useSignal } from '@preact/signals';
import { call, useAnswer, useEvents } from '../../state/call.js';
import type { Mode } from '../../../../core/outcome.js';
import { NotReady, StepFrame, type PrimaryAction, type StepProps } from '../../frame/step-frame.js';

interface GroupProps {
  readonly state: CheckState;
  /** Key of the group. */
  readonly group: string;
  readonly mending: Mending;
}

/** The rows with one problem, and what mends them. */
function Group({ state, group, mending }: GroupProps): JSX.Element {
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

/** What mends rows of a group: changes for all of them, each as it was tried, and below them one for each value. */
function Mends({
  state: { list, revision, phase, hasFirstRows },
  group,
  mending,
}: Omit<GroupProps, 'group'> & { readonly group: ProblemGroup }): JSX.Element {
  // Both are offered at first for what has been read, and then for all of it. Remedies are `null` while they are tried.
  const values = useSignal<Found | null>(null);
  const remedies = useSignal<Remedies | null>(null);
  const keys = [list.id, revision, phase, hasFirstRows, group.key];
  const ask = { params: { list: list.id }, query: { group: group.key } };
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
  const tried = remedies.value;
  const mendable = values.value?.values.filter(({ replace, blank }) => replace || blank) ?? [];
  return (
    <div class="mends">
      {!tried && (
        <p class="remedies soft" role="status">
          {t('Trying what mends these rows…')}
        </p>
      )}
      {tried && tried.remedies.length > 0 && (
        <ul class="remedies">
          {tried.remedies.map((one) => (
            <RemedyLine key={one.rule} remedy={one} tried={tried} {...{ group, mending }} />
          ))}
        </ul>
      )}
      {values.value && mendable.length > 0 && (
        <Values values={mendable} hasMore={values.value.hasMoreValues} mending={mending} />
      )}
      {values.value && tried && mendable.length + tried.remedies.length === 0 && (
        <p class="soft">
          {t(
            'No rule mends these rows: correct the cells below, or change the mapping in the step Columns.',
          )}
        </p>
      )}
    </div>
  );
}

type Remedy = Remedies['remedies'][number];

interface RemedyLineProps {
  readonly remedy: Remedy;
  readonly tried: Remedies;
  readonly group: ProblemGroup;
  readonly mending: Mending;
}

/** What a remedy does, what it gains, and the button that has it done, where it gains anything. */
function RemedyLine({ remedy, tried, group, mending }: RemedyLineProps): JSX.Element {
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
          onClick={() => void mending.makeRule(rule)}
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
  readonly mending: Mending;
}

function Values({ values, hasMore, mending }: ValuesProps): JSX.Element {
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
            cells: [
              ...[<q>{one.value}</q>, one.rows],
              <Becomes one={one} onRule={mending.makeRule} />,
            ],
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
  readonly onRule: Mending['makeRule'];
}

function Becomes({ one: { value, replace, blank }, onRule }: BecomesProps): JSX.Element {
  const isOpen = useSignal(false);
  const to = useSignal('');
  const label = t('Replace “{1}” by', value);
  const choose = (event: { readonly currentTarget: { readonly value: string } }): void => {
    to.value = event.currentTarget.value;
  };
  return (
    <>
      {replace && (replace.choices || isOpen.value) && (
        <form
          class="replace"
          onSubmit={(event) => {
            event.preventDefault();
            if (to.value !== '') void onRule(replace.rule, to.value);
          }}
        >
          {replace.choices ? (
            <select aria-label={label} value={to.value} onChange={choose} required>
              <option value="">{t('choose…')}</option>
              {replace.choices.map((choice) => (
                <option value={choice}>{choice}</option>
              ))}
            </select>
          ) : (
            <input
              aria-label={label}
              value={to.value}
              autocomplete="off"
              ref={(input) => {
                if (to.peek() === '') input?.focus();
              }}
              onInput={choose}
              required
            />
          )}
          <button type="submit">
            {replace.isMin
              ? t('Replace in ≥ {1:row|rows}', replace.rows)
              : t('Replace in {1:row|rows}', replace.rows)}
          </button>
        </form>
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

function Rows({
  state,
  group,
  found,
  mending,
}: GroupProps & { readonly found: ProblemGroup | undefined }): JSX.Element | null {
  const { revision, phase, hasFirstRows, list } = state;
  const page = pageInQuery();
  const shown = useSignal<CheckedRows | null>(null);
  const wanted = (page - 1) * PAGE;
  const isRunning = phase === 'opening' || phase === 'reading';
  const there = Math.min(PAGE, Math.max(0, (found?.rows ?? 0) - wanted));
  // While a new check has not come so far, the rows of the one before stay: then they are old.
  const isBetter = shown.value?.offset !== wanted || shown.value.revision === revision;
  const isDue = !isRunning || there === PAGE || (there > 0 && isBetter);
  const ask = { params: { list: list.id }, query: { group, offset: wanted, limit: PAGE } };
  useAnswer(
    isDue && ((signal) => call('GET /api/lists/:list/check/rows', { ...ask, signal })),
    (answer) => {
      const isBehind =
        isRunning && answer.rows.length < PAGE && answer.revision !== shown.value?.revision;
      if (!isBehind || shown.value?.offset !== wanted) shown.value = answer;
    },
    [list.id, group, wanted, revision, isRunning, hasFirstRows, isDue, there],
  );
  const last = Math.max(1, Math.ceil((found?.rows ?? 0) / PAGE));
  useEffect(() => {
    // What was mended is gone, and so is the page.
    if (!isRunning && found && page > last) choosePage(last);
  }, [isRunning, page, last]);
  // Until those of another page come, the table stays where it is.
  if (!shown.value) return found ? <Waiting /> : null;
  const { rows, offset, moreColumns } = shown.value;
  if (rows.length === 0) return null;
  const total = Math.max(found?.rows ?? 0, offset + rows.length);
  return (
    <>
      <CheckedTable
        caption={t('Rows {1} to {2} of {3}', offset + 1, offset + rows.length, total)}
        shown={shown.value}
        isOld={shown.value.revision !== revision}
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
  const { caption, isOld, known, mending } = props;
  const { columns, rows } = props.shown;
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

/** What is wrong with the rows, and how it is mended. */
export function CheckView({ list }: StepProps): JSX.Element {
  const check = useCheck(list);
  const mending = useMending(list, check.refresh);
  const state = check.state.value;
  const first = state?.hasFirstRows ? state.groups[0]?.key : undefined;
  useEffect(() => {
    if (first !== undefined && chosenGroup() === null) chooseGroup(first);
  }, [first]);
  useEffect(() => {
    const chosen = chosenGroup();
    if (state?.phase !== 'finished' || chosen === null) return;
    if (state.groups.some(({ key }) => key === chosen)) return;
    // A rule can leave other problems in the column than there were: what is left of it is shown.
    const left = state.groups.find(({ column }) => chosen.endsWith(`:${column ?? ''}`));
    if (left) chooseGroup(left.key);
  }, [state?.revision, state?.phase]);
  const back = (): void => go({ kind: 'list', list, step: 'columns' });
  if (check.problem.value)
    return (
      <StepFrame title={t('Check')} back={back}>
        <ProblemNote problem={check.problem.value}>
          {check.problem.value.code === 'no_such_list' ? (
            <p>
              <Link to={{ kind: 'start' }}>{t('Choose a spreadsheet')}</Link>
            </p>
          ) : (
            <>
              <ToColumns list={list} />
              <Again onAgain={check.refresh} />
            </>
          )}
        </ProblemNote>
      </StepFrame>
    );
  if (!state) return <NotReady title={t('Check')} back={back} problem={null} />;
  const key = chosenGroup();
  const { mode, rows, clients, rejected, skipped, duplicates } = state;
  const isFinished = state.phase === 'finished';
  return (
    <StepFrame
      title={isFinished ? t('{1} of {2:row is|rows are} ready', clients, rows) : t('Check')}
      facts={[state.list.name, ...(isFinished ? [t('nothing is sent yet')] : [])]}
      command={state.list.command}
      back={back}
      primary={nextOf(state)}
    >
      <RejectsNote name={state.list.name} from={state.rejectsOf} />
      {!isFinished && <p class="soft">{t('{1:row|rows} so far', rows)}</p>}
      <OutcomeBar
        shares={[
          {
            ...{ outcome: 'created', rows: clients },
            label: t(mode === null ? 'would be sent' : wouldText[mode]),
          },
          { outcome: 'rejected', rows: rejected, label: t('rejected') },
          {
            ...{ outcome: 'skipped', rows: skipped, label: t('left out') },
            more: duplicates > 0 ? t('{1:duplicate|duplicates} among them', duplicates) : undefined,
          },
        ]}
      />
      <Progress state={state} />
      <Failed state={state} onAgain={check.refresh} />
      <p class="hidden" role="status">
        {mending.done.value && t(DONE[mending.done.value])}
      </p>
      {mending.problem.value && <ProblemNote problem={mending.problem.value} />}
      <UnsavedMapping list={list} hasRule={mending.done.value === 'rule'} onSaved={check.refresh} />
      <div class={state.groups.length > 0 ? 'checks' : ''}>
        <Groups state={state} />
        {key !== null && <Group key={key} state={state} group={key} mending={mending} />}
      </div>
      <ListFacts facts={state.facts} />
      <Remarks state={state} />
      <Corrections state={state} mending={mending} />
    </StepFrame>
  );
}

function nextOf(state: CheckState): PrimaryAction {
  const { phase, clients, hasFirstRows, list } = state;
  const isFinished = phase === 'finished';
  return {
    label: isFinished && clients > 0 ? t('Next: import {1:row|rows}', clients) : t('Next: import'),
    run: () => go({ kind: 'list', list: list.id, step: 'import' }),
    blocked:
      phase === 'failed' || phase === 'stopped'
        ? t('The check did not end well.')
        : isFinished && clients === 0
          ? t('No row can be sent: mend what is wrong first.')
          : !hasFirstRows
            ? t('The check has only begun.')
            : null,
  };
}

/** What is left out of rows that are sent, where the mapping seems to be wrong, and what was taken off cells. */
const Remarks = ({ state }: { readonly state: CheckState }): JSX.Element => (
  <>
    {state.suspicions.length > 0 && (
      <div class="notice">
        <p>
          <strong>{t('Here the mapping seems to be wrong, and not the file')}</strong>
        </p>
        <ul>
          {state.suspicions.map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      </div>
    )}
    {state.notes.map((text) => (
      <p class="notice">{text}</p>
    ))}
    {state.remarks.length > 0 && (
      <section>
        <h2>{t('Sent without a value')}</h2>
        <ul class="remarks">
          {state.remarks.map((remark) => (
            <li key={`${remark.column ?? ''} ${remark.code}`}>
              <strong>{remark.column ?? t('Whole row')}</strong> {remark.message}{' '}
              <span class="number">{number(remark.rows)}</span>
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
);

/** How far the check is. Read out in quarters alone, and at its end. */
function Progress({ state }: { readonly state: CheckState }): JSX.Element {
  const { phase, share, secondsLeft, rows, rejected, revision } = state;
  const isRunning = phase === 'opening' || phase === 'reading';
  const quarter = Math.floor(share * 4) / 4;
  const spoken = useRef({ key: '', text: '' });
  const key = [revision, phase, quarter].join();
  if (spoken.current.key !== key)
    spoken.current = {
      key,
      text:
        phase === 'finished'
          ? t('Checked: {1:row|rows}, {2} rejected', rows, rejected)
          : isRunning && quarter > 0
            ? t('{1:percent} checked, {2:row|rows} rejected', quarter, rejected)
            : '',
    };
  return (
    <div class="checking">
      {isRunning && (
        <>
          <progress max={1} value={share} aria-label={t('Checking')} />
          <span class="soft" aria-hidden="true">
            {t('Checking')}
            {secondsLeft !== null && ` · ${t('{1:second|seconds} left', Math.ceil(secondsLeft))}`}
          </span>
        </>
      )}
      <p class="hidden" role="status">
        {spoken.current.text}
      </p>
    </div>
  );
}

function Groups({ state }: { readonly state: CheckState }): JSX.Element | null {
  const { groups, phase, rows } = state;
  if (groups.length === 0) {
    if (phase === 'failed' || phase === 'stopped') return null;
    const none =
      phase !== 'finished'
        ? t('Nothing is wrong so far.')
        : rows === 0
          ? t('There are no rows below the header.')
          : t('Every row can be sent as it is.');
    return <p class="notice good">{none}</p>;
  }
  return (
    <section>
      <h2>{t('Problems')}</h2>
      <ul class="groups">
        {groups.map(({ key, column, message, rows: count, values }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={key === chosenGroup()}
              onClick={() => chooseGroup(key)}
            >
              <span class="what">
                <strong>{column ?? t('Whole row')}</strong> {message}
              </span>
              <span class="number">{number(count)}</span>
              {values.length > 0 && (
                <span class="soft values">
                  {values.map((one) => (
                    <span>
                      <q>{one.value}</q> {number(one.rows)}
                    </span>
                  ))}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Follows the check of a list. The last state stays while a new check begins; `problem`: why there is none at all. When
 * the tab is looked at again, so is what other tabs have changed.
 */
function useCheck(list: string) {
  const state = useSignal<CheckState | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const version = useSignal(0);
  const refresh = (): void => {
    version.value++;
  };
  useEvents('GET /api/lists/:list/check', { list }, version.value, {
    next: (next) => {
      const isNew = !next.hasFirstRows && (next.phase === 'opening' || next.phase === 'reading');
      // As long as a check has hardly begun, the problems of the one before stay, so that nothing jumps.
      state.value = isNew && state.value ? { ...next, groups: state.value.groups } : next;
      shownList.value = next.list;
      problem.value = null;
    },
    failed: (found) => (problem.value = found),
  });
  useEffect(() => {
    const seen = (): void => {
      if (!document.hidden) refresh();
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);
  return { state, problem, refresh };
}

interface FailedProps {
  readonly state: CheckState;
  readonly onAgain: () => void;
}

function Failed({ state, onAgain }: FailedProps): JSX.Element | null {
  const { phase, problem, mistakes, rows, list } = state;
  if (phase === 'stopped')
    return (
      <div class="problem" role="alert">
        <p>{t('The check was stopped.')}</p>
        <Again onAgain={onAgain} />
      </div>
    );
  if (problem === null) return null;
  return (
    <ProblemNote problem={problem}>
      {mistakes.length > 0 && (
        <ul class="mistakes">
          {mistakes.map(({ line, message, suggestion }) => (
            <li>
              {line !== null && <strong>{t('Line {1}:', line)} </strong>}
              {message} {suggestion}
            </li>
          ))}
        </ul>
      )}
      {rows > 0 && <p>{t('What was found before that is shown below.')}</p>}
      {mistakes.length > 0 ? <ToColumns list={list.id} /> : <Again onAgain={onAgain} />}
    </ProblemNote>
  );
}

const Again = ({ onAgain }: { readonly onAgain: () => void }): JSX.Element => (
  <p>
    <Button onClick={onAgain} label={t('Check again')} />
  </p>
);

const ToColumns = ({ list }: { readonly list: string }): JSX.Element => (
  <p>
    <Link to={{ kind: 'list', list, step: 'columns' }}>{t('To the step Columns')}</Link>
  </p>
);

const wouldText = {
  create: 'would be created',
  upsert: 'would be created or updated',
  update: 'would be updated',
  enqueue: 'would be added to the campaign',
  dequeue: 'would be removed from the campaign',
  contacts: 'would have contacts changed',
  callbacks: 'would get a callback',
  rekey: 'would get other identifiers',
  delete: 'would be deleted',
} as const satisfies Record<Mode, string>;
