import type { DuplicateRule, EarlierRows, LaterRows } from '../core/duplicates.js';
import { interruption } from '../core/errors.js';
import { searchLaterRows } from '../dedup/later-rows.js';
import type { PreparePlan } from '../prepare/plan.js';
import { prepareInThreads } from '../prepare/threads.js';
import { readerThreads } from './reader-threads.js';

/** What is known before the first row is sent, where the rule of duplicates asks for it. */
export interface ComparedRows {
  readonly earlier: EarlierRows | undefined;
  readonly later: LaterRows | undefined;
  close(): void;
}

/** How it is found out. */
interface ComparedSearch {
  readonly earlier: () => Promise<EarlierRows | undefined>;
  readonly later: (earlier: EarlierRows | undefined) => Promise<LaterRows | undefined>;
}

/** Asks for what the rule needs; nothing where it compares a row with those before it alone. */
export async function comparedRows(
  { by, within, keep }: DuplicateRule,
  search: ComparedSearch,
): Promise<ComparedRows> {
  const compares = by.length > 0;
  const earlier = compares && within === 'runs' ? await search.earlier() : undefined;
  try {
    const later = compares && keep === 'last' ? await search.later(earlier) : undefined;
    const close = (): void => {
      earlier?.close();
      later?.close();
    };
    return { earlier, later, close };
  } catch (error) {
    earlier?.close();
    throw error;
  }
}

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
