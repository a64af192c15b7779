import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CheckState } from '../../../shared/check.js';
import type { PageProblem } from '../../../shared/errors.js';
import { events } from '../../state/events.js';
import { problemOf } from '../../state/problem.js';
import { shownList } from '../../state/reached.js';

export interface FollowedCheck {
  /** The last state; it stays while a new check begins. */
  readonly state: ReadonlySignal<CheckState | null>;
  /** Why there is no check at all. */
  readonly problem: ReadonlySignal<PageProblem | null>;
  /** Asks anew: something has changed, or the check is to be tried again. */
  readonly refresh: () => void;
}

/** As long as a new check has hardly begun, the problems of the one before stay, so that nothing jumps. */
function withKnownGroups(next: CheckState, before: CheckState | null): CheckState {
  const isRunning = next.phase === 'opening' || next.phase === 'reading';
  return isRunning && !next.hasFirstRows && before ? { ...next, groups: before.groups } : next;
}

/** Follows the check of a list. When the tab is looked at again, so is what other tabs have changed. */
export function useCheck(list: string): FollowedCheck {
  const state = useSignal<CheckState | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const version = useSignal(0);
  const refresh = (): void => {
    version.value++;
  };
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      for await (const next of events('GET /api/lists/:list/check', { params: { list }, signal })) {
        if (signal.aborted) return;
        state.value = withKnownGroups(next, state.value);
        shownList.value = next.list;
        problem.value = null;
      }
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) problem.value = problemOf(error);
    });
    return () => controller.abort();
  }, [list, version.value]);
  useEffect(() => {
    const seen = (): void => {
      if (!document.hidden) refresh();
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);
  return { state, problem, refresh };
}
