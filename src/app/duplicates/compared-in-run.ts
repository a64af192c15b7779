import { systemClock } from '../../core/time.js';
import type { RunOptions } from '../requests.js';
import type { RunParts } from '../run/run-parts.js';
import type { RunPlan } from '../run/run-plan.js';
import { readSettingsForReport } from '../run/run-settings.js';
import { type ComparedRows, comparedRows } from './compared-rows.js';
import { earlierRows } from './earlier-rows.js';

/** The run whose rows are compared. */
export interface ComparedRun {
  readonly run: string;
  /** Ids of other runs that are at work on the same contact center. */
  readonly beside: readonly string[];
  readonly warn: (message: string) => void;
}

/** What the rows of a run are compared with beside those before them. */
export function comparedInRun(
  { signal }: RunOptions,
  { duplicates, mode, campaign, delta, findLater }: RunPlan,
  { ledger, identity }: RunParts,
  { run: own, beside, warn }: ComparedRun,
): Promise<ComparedRows> {
  return comparedRows(duplicates, {
    earlier: async () => {
      const isAnew = readSettingsForReport(await ledger.settingsOf(own))?.anew === true;
      return earlierRows({
        ...{ ledger, mode, campaign, own, signal, rule: duplicates },
        isDelta: delta !== undefined,
        center: identity.installation,
        anew: isAnew ? identity.inputs : [],
        now: systemClock.now(),
        ...{ beside, onBeside: (runs) => warn(besideText(runs)) },
      });
    },
    later: async (earlier) => findLater?.(earlier, signal),
  });
}

/** Of whom others are about to send, nobody knows yet. */
function besideText(runs: readonly string[]): string {
  const [run = ''] = runs;
  return runs.length === 1
    ? `Another run is at work on this contact center: run ${run}. What is in doubt may be sent by both; an import with --wait-for-runs waits for its end.`
    : `Other runs are at work on this contact center: runs ${runs.join(', ')}. What is in doubt may be sent by several; an import with --wait-for-runs waits for their end.`;
}
