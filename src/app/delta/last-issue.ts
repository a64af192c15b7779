import { z } from 'zod';
import type { EarlierRun, ListIssue } from '../../core/ledger.js';
import { isImport } from '../../core/mode.js';
import type { Ledger } from '../../ledger/ledger.js';

const kept = z.object({
  delta: z.object({ list: z.string(), mapping: z.string(), isWhole: z.boolean() }),
  anew: z.boolean().optional(),
});

/** A run, and what its settings keep of its list. */
export interface KeptIssue {
  readonly run: string;
  readonly issue: ListIssue;
}

/**
 * The last list among these runs, the latest first: the latest that had all rows and came to its end. One that was sent
 * with --again removed nobody, so that whom it lacks is looked for behind it.
 */
export async function lastIssue(
  ledger: Pick<Ledger, 'settingsOf'>,
  runs: readonly EarlierRun[],
  campaignId: number | null,
): Promise<KeptIssue | null> {
  for (const { run, mode, state, rows, campaignId: campaign } of runs) {
    const hasEnded = state === 'finished' || state === 'open';
    if (!hasEnded || !rows || !isImport(mode) || mode === 'dequeue' || campaign !== campaignId)
      continue;
    const { delta: issue, anew } = kept.safeParse(await ledger.settingsOf(run)).data ?? {};
    if (issue?.isWhole && anew !== true) return { run, issue };
  }
  return null;
}
