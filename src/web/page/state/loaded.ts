import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../shared/errors.js';
import { problemOf } from './problem.js';

/** Something that is loaded: each of its states is drawn on purpose. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly problem: PageProblem };

/** Loads something anew whenever `key` changes. What comes late for an earlier key is dropped. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  key: string,
): ReadonlySignal<Loaded<T>> & { value: Loaded<T> } {
  const loaded = useSignal<Loaded<T>>({ state: 'loading' });
  useEffect(() => {
    const controller = new AbortController();
    loaded.value = { state: 'loading' };
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) loaded.value = { state: 'ready', value };
      },
      (error: unknown) => {
        if (!controller.signal.aborted)
          loaded.value = { state: 'failed', problem: problemOf(error) };
      },
    );
    return () => controller.abort();
  }, [key]);
  return loaded;
}
