import type { ProblemCount } from '../../core/problem.js';
import type { ReadSoFar } from '../../pipeline/guard.js';
import { ProblemCounts } from '../../core/problem-counts.js';
import { INTERRUPTED, StopRun } from '../../core/stop.js';
import { partOf } from './part-of.js';
import type { ImportSetup } from './import-setup.js';
import { prepareInThreads } from '../../prepare/threads.js';
import { readerThreads } from './reader-threads.js';

/** Rows that are counted at most before a run begins: it takes seconds. */
const MAX_ROWS = 1_000_000;
/** The share of an input that was not read to its end. */
const NEARLY_ALL = 0.999_999;

/** What reading and mapping an input shows before anything is sent. */
export interface CountedRows extends ReadSoFar {
  /** Rows that the mapping rejects. */
  readonly rejected: number;
  /** Why they are rejected, the most frequent reason first. */
  readonly problems: readonly ProblemCount[];
}

/**
 * Counts the rows of the inputs, as a check does: all of them, or the first million.
 * @throws InputError where a file is broken, StopRun when the signal is aborted
 */
export async function countRows(
  { request, inputs, corrections }: Pick<ImportSetup, 'request' | 'inputs' | 'corrections'>,
  signal?: AbortSignal,
): Promise<CountedRows> {
  const { mapping, installation, mode, source = {} } = request;
  const part = partOf(request);
  const plan = { inputs: inputs.files, mapping, installation, mode, source, part, corrections };
  const preparation = await prepareInThreads(
    { ...plan, purpose: 'check', show: 0, verify: false },
    await readerThreads(inputs.files, 'check'),
    signal,
  );
  const found = { rows: 0, rejected: 0, share: 1 };
  const problems = new ProblemCounts();
  try {
    for await (const chunk of preparation.chunks()) {
      if (signal?.aborted) throw new StopRun(INTERRUPTED);
      found.rows += chunk.count;
      found.rejected += chunk.rejected;
      problems.addCounts(chunk.problems);
      if (found.rows < MAX_ROWS) continue;
      // A last chunk that ends at the border is not known to be the last.
      found.share = Math.min(chunk.progress, NEARLY_ALL);
      break;
    }
  } finally {
    await preparation.close();
  }
  return { ...found, problems: problems.list() };
}
