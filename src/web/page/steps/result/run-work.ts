import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { PageProblem } from '../../../shared/errors.js';
import { go } from '../../state/address.js';
import { call } from '../../state/call.js';
import { problemOf } from '../../state/problem.js';
import { ANEW } from '../import/anew.js';

/** What can be started from a result. What is wrong with it is shown beside it. */
export interface RunWork {
  readonly problem: ReadonlySignal<PageProblem | null>;
  readonly isStarting: ReadonlySignal<boolean>;
  readonly resume: () => void;
  readonly reconcile: () => void;
  readonly undo: (rows: number) => void;
  readonly mend: (file: string) => void;
  /** Plans the import of this list anew, with deleted clients restored. */
  readonly recover: (list: string) => void;
}

/** `onResumed`: the run itself has changed. */
export function useRunWork(run: string, onResumed: () => void): RunWork {
  const problem = useSignal<PageProblem | null>(null);
  const isStarting = useSignal(false);
  const params = { run };
  /** One thing at a time: a second click is none. */
  const begin = (work: () => Promise<void>) => (): void => {
    if (isStarting.value) return;
    isStarting.value = true;
    problem.value = null;
    work()
      .catch((error: unknown) => {
        problem.value = problemOf(error);
      })
      .finally(() => (isStarting.value = false));
  };
  const toRun = async (started: Promise<{ readonly run: string }>): Promise<void> =>
    go({ kind: 'run', run: (await started).run });
  return {
    problem,
    isStarting,
    resume: begin(async () => {
      await call('POST /api/runs/:run/resume', { params });
      onResumed();
    }),
    reconcile: begin(() => toRun(call('POST /api/runs/:run/reconcile', { params }))),
    undo: (rows) =>
      begin(() => toRun(call('POST /api/runs/:run/undo', { params, body: { rows } })))(),
    mend: (file) =>
      begin(async () => {
        const { list } = await call('POST /api/runs/:run/mend', { params, body: { file } });
        go({ kind: 'list', list, step: 'check' });
      })(),
    recover: (list) =>
      begin(async () => {
        await call('PATCH /api/lists/:list/import', { params: { list }, body: { recovery: true } });
        go({ kind: 'list', list, step: 'import' }, { [ANEW]: '' });
      })(),
  };
}
