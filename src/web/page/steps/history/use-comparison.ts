import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../../shared/errors.js';
import type { Comparison } from '../../../shared/history.js';
import { events } from '../../state/events.js';
import { problemOf } from '../../state/problem.js';

interface Comparing {
  readonly found: Comparison | null;
  readonly problem: PageProblem | null;
}

/** How far two runs have been compared. */
export function useComparison(run: string, other: string): Comparing {
  const comparing = useSignal<Comparing>({ found: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      const ask = { params: { run, other }, signal: stop.signal };
      try {
        for await (const found of events('GET /api/runs/:run/compared/:other', ask))
          comparing.value = { found, problem: null };
      } catch (error) {
        if (!stop.signal.aborted)
          comparing.value = { ...comparing.peek(), problem: problemOf(error) };
      }
    };
    void follow();
    return () => stop.abort();
  }, [run, other]);
  return comparing.value;
}
