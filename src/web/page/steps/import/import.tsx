import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { List } from '../../../shared/list.js';
import { StepFrame } from '../../frame/step-frame.js';
import { stepText } from '../../messages/frame.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { query, setQuery } from '../../state/address.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { useLoaded } from '../../state/loaded.js';
import { shownList } from '../../state/reached.js';
import type { StepProps } from '../step-props.js';
import { ANEW } from './anew.js';
import { LiveRun } from './live-run.js';
import type { OnRun } from './plan-state.js';
import { PlanView } from './plan.js';

/** The import of a list: what will happen, and then what happens. */
export function ImportView({ list }: StepProps): JSX.Element {
  const started = useSignal<string | null>(null);
  const wasDone = useSignal(false);
  const load = (signal: AbortSignal): Promise<List> =>
    call('GET /api/lists/:list', { params: { list }, signal });
  const found = useLoaded(load, list).value;
  useEffect(() => {
    if (found.state === 'ready') shownList.value = found.value;
  }, [found]);
  if (found.state !== 'ready')
    return (
      <StepFrame title={t(stepText.import)}>
        {found.state === 'loading' ? <Waiting /> : <ProblemNote problem={found.problem} />}
      </StepFrame>
    );
  const run = started.value ?? found.value.run;
  const onRun: OnRun = (id, isDone = false) => {
    started.value = id;
    wasDone.value = isDone;
    setQuery({ [ANEW]: null });
  };
  if (run === null || query.value.has(ANEW)) return <PlanView list={list} onRun={onRun} />;
  return (
    <LiveRun
      key={run}
      run={run}
      list={found.value}
      wasDone={wasDone.value}
      onAnew={() => setQuery({ [ANEW]: '' })}
    />
  );
}
