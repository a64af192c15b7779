import { NO_DUPLICATES } from '../../core/duplicates.js';
import { foldChunk } from '../../core/facts.js';
import { type Installation, syncFields } from '../../installation/installation.js';
import type { RunRecord } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { CountedRows } from '../inputs/count-rows.js';
import { type LedgerChunks, ledgerChunks } from './ledger-chunks.js';
import type { RunPlan } from './run-plan.js';

export type SharedPlan = Omit<RunPlan, 'mode' | 'changeRule' | 'inspect'>;
export type RowsOfRun = Pick<LedgerChunks, 'backwards' | 'payloadOf' | 'skipped'>;

/** What all work on the rows of an earlier run has in common: the ledger is its input. */
export function planForRun(
  ledger: Ledger,
  { run, campaignId, rows: total }: RunRecord,
  installation: Installation,
  rows: RowsOfRun,
): SharedPlan {
  const identifierNames = syncFields(installation.card);
  return {
    installation,
    campaign: campaignId === null ? null : { id: campaignId, maxCallCount: 1 },
    duplicates: NO_DUPLICATES,
    identifierNames,
    inputs: [`run ${run}`],
    chunks: () =>
      ledgerChunks({
        ...rows,
        chunks: () => ledger.factsOf(run, rows.backwards),
        identifierNames,
        total: total ?? 0,
      }),
    countRows: async () => ({ counted: await rowsOnRecord(ledger, run), checked: [] }),
    recovery: {},
  };
}

/** All rows of a run; none of them is rejected before it is looked at. */
async function rowsOnRecord(ledger: Ledger, run: string): Promise<CountedRows> {
  let rows = 0;
  for (const [, facts] of await ledger.factsOf(run)) rows += foldChunk(facts)?.states.length ?? 0;
  return { rows, share: 1, rejected: 0, problems: [] };
}
