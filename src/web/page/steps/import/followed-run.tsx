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
import { Controls } from './controls.js';
import { Outcomes } from './outcomes.js';
import { Progress } from './progress.js';
import { Reasons } from './reasons.js';
import { RunNotice } from './run-notice.js';

type What = 'pause' | 'continue' | 'stop' | 'resume';

/** A run as its server sees it. */
interface Followed {
  readonly live: Live | null;
  readonly problem: PageProblem | null;
  readonly control: (what: What) => Promise<void>;
}

/** Follows a run. @param onEnd called when nothing more happens to it */
export function useFollowed(run: string, onEnd?: () => void): Followed {
  const live = useSignal<Live | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const version = useSignal(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      for await (const state of events('GET /api/runs/:run/live', { params: { run }, signal }))
        live.value = state;
      if (!signal.aborted) onEnd?.();
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
  return { live: live.value, problem: problem.value, control };
}

interface FollowedRunProps extends Followed {
  readonly onAnew: () => void;
}

/** The run with all that is known of it now. */
export const FollowedRun = ({ live, problem, control, onAnew }: FollowedRunProps): JSX.Element => (
  <>
    {problem && <ProblemNote problem={problem} />}
    {!live && !problem && <Waiting />}
    {live && (
      <>
        <RunNotice live={live} />
        <Progress live={live} />
        <Controls live={live} onControl={(what) => void control(what)} onAnew={onAnew} />
        <div class="halves">
          <Outcomes live={live} />
          <Reasons live={live} />
        </div>
      </>
    )}
  </>
);
