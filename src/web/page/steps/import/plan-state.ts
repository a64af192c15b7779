import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../../shared/route.js';
import type { ImportChoice, ImportPlan } from '../../../shared/run.js';
import { call, events, problemOf } from '../../state/call.js';
import { shownList } from '../../state/about.js';

interface PlanState {
  readonly plan: Signal<ImportPlan | null>;
  readonly problem: Signal<PageProblem | null>;
  /** The number of rows, as the person types it. */
  readonly typed: Signal<string>;
  readonly isStarting: Signal<boolean>;
  readonly change: (choice: Partial<ImportChoice>) => void;
  /** `again`: all rows are sent, whatever an earlier run has sent. */
  readonly start: (again: boolean) => void;
}

/** Called with the run that was started, or that has sent all of it before. */
export type OnRun = (run: string, isDone?: boolean) => void;

/** The import of a list that would start, followed for as long as it changes. */
export function usePlan(list: string, onRun: OnRun): PlanState {
  const plan = useSignal<ImportPlan | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const typed = useSignal('');
  const isStarting = useSignal(false);
  const version = useSignal(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      for await (const one of events('GET /api/lists/:list/import', { params: { list }, signal })) {
        // What was found out stays until it is found out anew, so that nothing jumps.
        const known = one.isComparing ? (plan.value?.before ?? null) : one.before;
        plan.value = { ...one, before: known };
        shownList.value = one.list;
      }
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) problem.value = problemOf(error);
    });
    return () => controller.abort();
  }, [list, version.value]);

  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    problem.value = null;
    try {
      await work();
    } catch (error) {
      problem.value = problemOf(error);
    }
    version.value++;
  };
  const params = { list };
  const change: PlanState['change'] = (body) =>
    void attempt(() => call('PATCH /api/lists/:list/import', { params, body }));
  const start: PlanState['start'] = (again) => {
    const { revision } = plan.value ?? {};
    if (isStarting.value || revision === undefined) return;
    isStarting.value = true;
    const body = { revision, typed: numberIn(typed.value), again };
    void attempt(async () => {
      const { run, isDone } = await call('POST /api/lists/:list/run', { params, body });
      onRun(run, isDone);
    }).finally(() => (isStarting.value = false));
  };
  return { plan, problem, typed, isStarting, change, start };
}

/** A number as a person types it, with any separators. */
export const numberIn = (text: string): number | null => {
  const digits = text.replaceAll(/[\s.,'’]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
};

/** Stands in the address while the import of a list is planned anew, although the list has a run. */
export const ANEW = 'new';
