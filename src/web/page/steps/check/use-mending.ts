import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { PageProblem } from '../../../shared/errors.js';
import type { Corrected } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { call } from '../../state/call.js';
import type { Message } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';

/** What the person does about what is wrong. Each resolves to whether it was done. */
export interface Mending {
  readonly makeRule: (rule: string, to?: string) => Promise<boolean>;
  readonly correct: (cell: string, value: string) => Promise<boolean>;
  readonly takeBack: (cell: Pick<Corrected, 'sheet' | 'row' | 'column'>) => Promise<boolean>;
  /** What was done last, said to whoever does not see it. */
  readonly done: ReadonlySignal<Message | null>;
  /** Why it could not be done. */
  readonly problem: ReadonlySignal<PageProblem | null>;
}

/** After each, the check begins anew: `refresh` follows it. */
export function useMending(list: string, refresh: () => void): Mending {
  const done = useSignal<Message | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const params = { list };
  const act = async (work: Promise<unknown>, message: Message): Promise<boolean> => {
    try {
      await work;
      done.value = message;
      problem.value = null;
      return true;
    } catch (error) {
      problem.value = problemOf(error);
      return false;
    } finally {
      refresh();
    }
  };
  return {
    makeRule: (rule, to = '') =>
      act(
        call('POST /api/lists/:list/check/rules', { params, body: { rule, to } }),
        checkText.ruleMade,
      ),
    correct: (cell, value) =>
      act(
        call('PUT /api/lists/:list/corrections', { params, body: { cell, value } }),
        checkText.corrected,
      ),
    takeBack: ({ sheet, row, column }) =>
      act(
        call('DELETE /api/lists/:list/corrections', { params, body: { sheet, row, column } }),
        checkText.takenBack,
      ),
    done,
    problem,
  };
}
