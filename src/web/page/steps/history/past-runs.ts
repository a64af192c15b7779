import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../../shared/errors.js';
import type { Answer } from '../../../shared/routes.js';
import { call } from '../../state/call.js';
import { problemOf } from '../../state/problem.js';
import type { Choices } from './choices.js';

/** Runs of a page. */
export const PAGE_RUNS = 25;
/** How often the page is asked for again while a run of it is at work, in milliseconds. */
const AGAIN_MS = 3_000;

type Found = Answer<'GET /api/runs'>;

export interface PastRuns {
  /** The last page that was there: it stays until the next one is. */
  readonly found: Found | null;
  readonly problem: PageProblem | null;
  readonly isLoading: boolean;
  /** Asks once more. */
  readonly again: () => unknown;
}

/** A page of the runs. It follows runs that are at work. */
export function usePastRuns({ text, state, mode, page }: Choices): PastRuns {
  const loaded = useSignal<Omit<PastRuns, 'again'>>({
    found: null,
    problem: null,
    isLoading: true,
  });
  const asked = useSignal(0);
  const key = JSON.stringify([text, state, mode, page, asked.value]);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      try {
        const found = await call('GET /api/runs', {
          query: queryOf({ text, state, mode, page }),
          signal: stop.signal,
        });
        loaded.value = { found, problem: null, isLoading: false };
        if (found.runs.some((run) => run.state === 'running'))
          timer = setTimeout(() => void load(), AGAIN_MS);
      } catch (error) {
        if (stop.signal.aborted) return;
        loaded.value = { found: null, problem: problemOf(error), isLoading: false };
      }
    };
    loaded.value = { ...loaded.peek(), isLoading: true };
    void load();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return { ...loaded.value, again: () => (asked.value += 1) };
}

const STATES = ['running', 'finished', 'open', 'stopped', 'broken_off'] as const;

/** What the address says may be anything: the server refuses states that there are not. */
const queryOf = ({ text, state, mode, page }: Omit<Choices, 'chosen'>) => {
  const known = STATES.find((one) => one === state);
  return {
    ...(text === '' ? {} : { text: text.slice(0, 200) }),
    ...(known === undefined ? {} : { state: known }),
    ...(mode === '' ? {} : { mode: mode.slice(0, 20) }),
    offset: (page - 1) * PAGE_RUNS,
    limit: PAGE_RUNS,
  };
};
