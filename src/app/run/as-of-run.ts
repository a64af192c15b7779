import { z } from 'zod';
import type { RunLedger } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { RunPlan } from './run-plan.js';

const kept = z.object({ asOf: z.number() });

/**
 * The plan as of the moment at which the run began: rules that depend on the time give the same rows when it is continued
 * on another day.
 */
export async function asOfRun(
  plan: RunPlan,
  ledger: Pick<Ledger, 'settingsOf'>,
  { continued, run }: Pick<RunLedger, 'continued' | 'run'>,
): Promise<RunPlan> {
  if (!continued || !plan.asOf) return plan;
  const { data } = kept.safeParse(await ledger.settingsOf(run));
  return data ? plan.asOf(data.asOf) : plan;
}
