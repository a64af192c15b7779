import type { RunRecord } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';

/** How the run that removes whom the list of a run lacks names its input. */
export const removalInput = (run: string): string => `run ${run}`;

/** The run that removes whom the list of this run lacks; `undefined`: none has begun. */
export async function removalOf(
  ledger: Pick<Ledger, 'runs'>,
  run: string,
): Promise<RunRecord | undefined> {
  const input = removalInput(run);
  return (await ledger.runs()).find(
    ({ mode, inputs }) => mode === 'dequeue' && inputs.length === 1 && inputs[0] === input,
  );
}
