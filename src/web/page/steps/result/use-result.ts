import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Result } from '../../../shared/result.js';
import { call } from '../../state/call.js';
import type { Loaded } from '../../state/loaded.js';
import { problemOf } from '../../state/problem.js';

/** How often the result of a run is asked for that another process works on, in milliseconds. */
const AGAIN_MS = 3_000;

export interface ShownResult {
  readonly found: ReadonlySignal<Loaded<Result>>;
  /** Asks anew. What is shown stays until the answer is there. */
  readonly again: () => void;
}

/** The result of a run, renewed for as long as another process works on it. */
export function useResult(run: string): ShownResult {
  const found = useSignal<Loaded<Result>>({ state: 'loading' });
  const asked = useSignal(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const value = await call('GET /api/runs/:run/result', { params: { run }, signal });
        if (signal.aborted) return;
        found.value = { state: 'ready', value };
        if (value.state === 'running' && !value.isHere)
          timer = setTimeout(() => void ask(), AGAIN_MS);
      } catch (error) {
        if (!signal.aborted) found.value = { state: 'failed', problem: problemOf(error) };
      }
    };
    void ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [run, asked.value]);
  return { found, again: () => asked.value++ };
}
