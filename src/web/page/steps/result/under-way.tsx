import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../../shared/errors.js';
import type { Live } from '../../../shared/run.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { call } from '../../state/call.js';
import { events } from '../../state/events.js';
import { problemOf } from '../../state/problem.js';
import { Controls } from '../import/controls.js';
import { Outcomes } from '../import/outcomes.js';
import { Progress } from '../import/progress.js';
import { Reasons } from '../import/reasons.js';
import { RunNotice } from '../import/run-notice.js';

interface UnderWayProps {
  readonly run: string;
  /** The run has ended: its result is on record. */
  readonly onEnd: () => void;
}

/** A run that this server works on, as the step Import shows it. */
export function UnderWay({ run, onEnd }: UnderWayProps): JSX.Element {
  const live = useSignal<Live | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      for await (const state of events('GET /api/runs/:run/live', { params: { run }, signal }))
        live.value = state;
      if (!signal.aborted) onEnd();
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) problem.value = problemOf(error);
    });
    return () => controller.abort();
  }, [run]);
  const control = async (what: 'pause' | 'continue' | 'stop'): Promise<void> => {
    try {
      live.value = await call('POST /api/runs/:run/control', { params: { run }, body: { what } });
      problem.value = null;
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  const shown = live.value;
  return (
    <>
      {problem.value && <ProblemNote problem={problem.value} />}
      {!shown && !problem.value && <Waiting />}
      {shown && (
        <>
          <RunNotice live={shown} />
          <Progress live={shown} />
          <Controls live={shown} onControl={(what) => void control(what)} onAnew={onEnd} />
          <div class="halves">
            <Outcomes live={shown} />
            <Reasons live={shown} />
          </div>
        </>
      )}
    </>
  );
}
