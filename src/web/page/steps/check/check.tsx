import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { CheckState } from '../../../shared/check.js';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { checkText } from '../../messages/check.js';
import { ListFacts } from '../../parts/list-facts.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { RejectsNote } from '../../parts/rejects-note.js';
import { UnsavedMapping } from '../../parts/unsaved-mapping.js';
import { Waiting } from '../../parts/waiting.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import type { StepProps } from '../step-props.js';
import { Corrections } from './corrections.js';
import { Failed, NoCheck } from './failed.js';
import { Group } from './group.js';
import { Groups } from './groups.js';
import { chooseGroup, chosenGroup } from './place.js';
import { Progress } from './progress.js';
import { Remarks } from './remarks.js';
import { RowFacts } from './row-facts.js';
import { useCheck } from './use-check.js';
import { useMending } from './use-mending.js';

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
      <StepFrame title={t(checkText.title)} back={back}>
        <NoCheck list={list} problem={check.problem.value} onAgain={check.refresh} />
      </StepFrame>
    );
  if (!state)
    return (
      <StepFrame title={t(checkText.title)} back={back}>
        <Waiting />
      </StepFrame>
    );
  const key = chosenGroup();
  return (
    <StepFrame
      title={t(checkText.title)}
      facts={[state.list.name]}
      command={state.list.command}
      back={back}
      primary={nextOf(state)}
    >
      <RejectsNote name={state.list.name} from={state.rejectsOf} />
      <RowFacts state={state} />
      <Progress state={state} />
      <Failed list={list} state={state} onAgain={check.refresh} />
      <p class="hidden" role="status">
        {mending.done.value && t(mending.done.value)}
      </p>
      {mending.problem.value && <ProblemNote problem={mending.problem.value} />}
      <UnsavedMapping
        list={list}
        hasRule={mending.done.value === checkText.ruleMade}
        onSaved={check.refresh}
      />
      <Groups state={state} />
      {key !== null && <Group key={key} state={state} group={key} mending={mending} />}
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
    label: isFinished && clients > 0 ? t(checkText.nextStep, clients) : t(checkText.nextPlain),
    run: () => go({ kind: 'list', list: list.id, step: 'import' }),
    blocked:
      phase === 'failed' || phase === 'stopped'
        ? t(checkText.whyFailed)
        : isFinished && clients === 0
          ? t(checkText.whyNothing)
          : !hasFirstRows
            ? t(checkText.whyChecking)
            : null,
  };
}
