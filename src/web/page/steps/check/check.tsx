import type { Mode } from '../../../../core/mode.js';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CheckState, ProblemGroup, PageProblem } from '../../state/answers.js';
import { NotReady, StepFrame, type PrimaryAction, type StepProps } from '../../frame/step-frame.js';
import {
  ListFacts,
  OutcomeBar,
  ProblemNote,
  RejectsNote,
  UnsavedMapping,
  Link,
  type Share,
  Button,
} from '../../parts/parts.js';
import { go } from '../../state/address.js';
import { t, number } from '../../state/language.js';
import { Corrections, chooseGroup, chosenGroup, useMending, DONE } from './mending.js';
import { Group } from './group.js';
import { useSignal } from '@preact/signals';
import { useEvents } from '../../state/call.js';
import { shownList } from '../../state/about.js';

/** What is wrong with the rows, and how it is mended. */
export function CheckView({ list }: StepProps): JSX.Element {
  const check = useCheck(list);
  const mending = useMending(list, check.refresh);
  const state = check.state.value;
  const first = state?.hasFirstRows ? state.groups[0]?.key : undefined;
  useEffect(() => {
    if (first !== undefined && chosenGroup() === null) chooseGroup(first);
  }, [first]);
  useFollowedGroup(state);
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
  return (
    <StepFrame
      title={titleOf(state)}
      facts={[state.list.name, ...(state.phase === 'finished' ? [t('nothing is sent yet')] : [])]}
      command={state.list.command}
      back={back}
      primary={nextOf(state)}
    >
      <RejectsNote name={state.list.name} from={state.rejectsOf} />
      <RowFacts state={state} />
      <Progress state={state} />
      <Failed list={list} state={state} onAgain={check.refresh} />
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

/** A rule can leave other problems in the column than there were: what is left of it is shown. */
function useFollowedGroup(state: CheckState | null): void {
  useEffect(() => {
    const key = chosenGroup();
    if (state?.phase !== 'finished' || key === null) return;
    if (state.groups.some((group) => group.key === key)) return;
    const left = state.groups.find(({ column }) => key.endsWith(`:${column ?? ''}`));
    if (left) chooseGroup(left.key);
  }, [state?.revision, state?.phase]);
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

function titleOf({ phase, clients, rows }: CheckState): string {
  if (phase !== 'finished') return t('Check');
  return t('{1} of {2:row is|rows are} ready', clients, rows);
}

function RowFacts({ state }: { readonly state: CheckState }): JSX.Element {
  const { phase, mode, rows, clients, rejected, skipped, duplicates } = state;
  const shares: Share[] = [
    {
      ...{ outcome: 'created', rows: clients },
      label: t(mode === null ? 'would be sent' : wouldText[mode]),
    },
    { outcome: 'rejected', rows: rejected, label: t('rejected') },
    {
      ...{ outcome: 'skipped', rows: skipped, label: t('left out') },
      more: duplicates > 0 ? t('{1:duplicate|duplicates} among them', duplicates) : undefined,
    },
  ];
  return (
    <>
      {phase !== 'finished' && <p class="soft">{t('{1:row|rows} so far', rows)}</p>}
      <OutcomeBar shares={shares} />
    </>
  );
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
        {groups.map((group) => (
          <li key={group.key}>
            <GroupButton group={group} isChosen={group.key === chosenGroup()} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface GroupButtonProps {
  readonly group: ProblemGroup;
  readonly isChosen: boolean;
}

const GroupButton = ({ group, isChosen }: GroupButtonProps): JSX.Element => (
  <button type="button" aria-pressed={isChosen} onClick={() => chooseGroup(group.key)}>
    <span class="what">
      <strong>{group.column ?? t('Whole row')}</strong> {group.message}
    </span>
    <span class="number">{number(group.rows)}</span>
    {group.values.length > 0 && (
      <span class="soft values">
        {group.values.map(({ value, rows }) => (
          <span>
            <q>{value}</q> {number(rows)}
          </span>
        ))}
      </span>
    )}
  </button>
);

/** As long as a new check has hardly begun, the problems of the one before stay, so that nothing jumps. */
function withKnownGroups(next: CheckState, before: CheckState | null): CheckState {
  const isRunning = next.phase === 'opening' || next.phase === 'reading';
  return isRunning && !next.hasFirstRows && before ? { ...next, groups: before.groups } : next;
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
      state.value = withKnownGroups(next, state.value);
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
  readonly list: string;
  readonly state: CheckState;
  readonly onAgain: () => void;
}

function Failed({ list, state, onAgain }: FailedProps): JSX.Element | null {
  const { phase, problem, mistakes, rows } = state;
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
      {mistakes.length > 0 ? <ToColumns list={list} /> : <Again onAgain={onAgain} />}
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
