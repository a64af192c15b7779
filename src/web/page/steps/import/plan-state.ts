import { useSignal } from '@preact/signals';
import type { ImportChoice } from '../../../shared/routes.js';
import type { ImportPlan } from '../../state/answers.js';
import { call, useAttempt, useEvents } from '../../state/call.js';
import { shownList } from '../../state/about.js';

/** Called with the run that was started, or that has sent all of it before. */
export type OnRun = (run: string, isDone?: boolean) => void;

/** The import of a list that would start, followed for as long as it changes. */
export function usePlan(list: string, onRun: OnRun) {
  const plan = useSignal<ImportPlan | null>(null);
  const { problem, attempt } = useAttempt();
  /** The number of rows, as the person types it. */
  const typed = useSignal('');
  const isStarting = useSignal(false);
  const version = useSignal(0);
  useEvents('GET /api/lists/:list/import', { list }, version.value, {
    next: (one) => {
      // What was found out stays until it is found out anew, so that nothing jumps.
      const known = one.isComparing ? (plan.value?.before ?? null) : one.before;
      plan.value = { ...one, before: known };
      shownList.value = one.list;
    },
    failed: (found) => (problem.value = found),
  });
  const followAgain = (): unknown => version.value++;
  const params = { list };
  const change = (body: Partial<ImportChoice>): void =>
    void attempt(() => call('PATCH /api/lists/:list/import', { params, body })).then(followAgain);
  /** `again`: all rows are sent, whatever an earlier run has sent. */
  const start = (again: boolean): void => {
    const { revision } = plan.value ?? {};
    if (isStarting.value || revision === undefined) return;
    isStarting.value = true;
    const body = { revision, typed: numberIn(typed.value), again };
    void attempt(async () => {
      const { run, isDone } = await call('POST /api/lists/:list/run', { params, body });
      onRun(run, isDone);
    }).then(() => {
      followAgain();
      isStarting.value = false;
    });
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
