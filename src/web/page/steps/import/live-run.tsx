import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../../shared/errors.js';
import type { List } from '../../../shared/list.js';
import type { Live } from '../../../shared/run.js';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { importText } from '../../messages/import.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { call } from '../../state/call.js';
import { events } from '../../state/events.js';
import { t } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';
import { Controls } from './controls.js';
import { Outcomes } from './outcomes.js';
import { Progress } from './progress.js';
import { Reasons } from './reasons.js';
import { RunNotice } from './run-notice.js';

interface LiveRunProps {
  readonly run: string;
  readonly list: List;
  /** Plans an import anew. */
  readonly onAnew: () => void;
}

type What = 'pause' | 'continue' | 'stop' | 'resume';

/** A run as it goes, and how it ended. */
export function LiveRun({ run, list, onAnew }: LiveRunProps): JSX.Element {
  const live = useSignal<Live | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const version = useSignal(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      for await (const state of events('GET /api/runs/:run/live', { params: { run }, signal }))
        live.value = state;
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) problem.value = problemOf(error);
    });
    return () => controller.abort();
  }, [run, version.value]);

  const control = async (what: What): Promise<void> => {
    problem.value = null;
    try {
      live.value = await call('POST /api/runs/:run/control', { params: { run }, body: { what } });
      // A stream that has ended does not tell of what goes on.
      if (what === 'resume') version.value++;
    } catch (error) {
      problem.value = problemOf(error);
    }
  };

  const shown = live.value;
  const command = `cardline ${shown && canResume(shown) ? 'resume' : 'runs show'} ${run}`;
  return (
    <StepFrame
      title={list.name}
      command={command}
      back={() => go({ kind: 'list', list: list.id, step: 'check' })}
      primary={shown ? primaryOf(shown, list.id, () => void control('resume')) : undefined}
    >
      {problem.value && <ProblemNote problem={problem.value} />}
      {!shown && !problem.value && <Waiting />}
      {shown && (
        <>
          <RunNotice live={shown} />
          <Progress live={shown} />
          <Controls live={shown} onControl={(what) => void control(what)} onAnew={onAnew} />
          <div class="halves">
            <Outcomes live={shown} />
            <Reasons live={shown} />
          </div>
        </>
      )}
    </StepFrame>
  );
}

const canResume = ({ state, elsewhere }: Live): boolean =>
  !elsewhere && ['stopped', 'broken_off', 'failed', 'open'].includes(state);

function primaryOf(live: Live, list: string, resume: () => void): PrimaryAction | undefined {
  const toResult = (): void => go({ kind: 'list', list, step: 'result' });
  if (live.state === 'finished')
    return { label: t(importText.toResult), run: toResult, blocked: null };
  if (canResume(live) && about.value?.readOnly === false)
    return { label: t(importText.resume), run: resume, blocked: null };
  return undefined;
}
