import type { DuplicateRule, EarlierRows, LaterRows } from '../../core/duplicates.js';
import { interruption } from '../../core/errors.js';
import { searchLaterRows } from '../../dedup/later-rows.js';
import type { PreparePlan } from '../../prepare/plan.js';
import { prepareInThreads } from '../../prepare/threads.js';
import { readerThreads } from '../inputs/reader-threads.js';

/**
 * Reads and maps the files once, and finds out which of their rows give way to later ones.
 * @throws InputError where a file is broken, StopRun when the signal is aborted
 */
export async function laterRows(
  { by }: Pick<DuplicateRule, 'by'>,
  plan: Omit<PreparePlan, 'purpose' | 'show' | 'verify' | 'share'>,
  earlier: EarlierRows | undefined,
  signal?: AbortSignal,
): Promise<LaterRows> {
  const search = searchLaterRows(by, earlier);
  try {
    const preparation = await prepareInThreads(
      { ...plan, purpose: 'check', show: 0, verify: false },
      await readerThreads(plan.inputs, 'check'),
      signal,
    );
    try {
      for await (const chunk of preparation.chunks()) {
        if (signal?.aborted) throw interruption(signal);
        search.add(chunk);
      }
    } finally {
      await preparation.close();
    }
    return await search.decide(signal);
  } catch (error) {
    throw signal?.aborted ? interruption(signal, { cause: error }) : error;
  } finally {
    search.close();
  }
}
