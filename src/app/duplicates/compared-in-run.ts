import { systemClock } from '../../core/time/system-clock.js';
import type { RunOptions } from '../requests.js';
import type { RunParts } from '../run/run-parts.js';
import type { RunPlan } from '../run/run-plan.js';
import { readSettingsForReport } from '../run/run-settings.js';
import { type ComparedRows, comparedRows } from './compared-rows.js';
import { earlierRows } from './earlier-rows.js';

/** What the rows of a run are compared with beside those before them. */
export function comparedInRun(
  { signal }: RunOptions,
  { duplicates, mode, campaign, delta, findLater }: RunPlan,
  { ledger, identity }: RunParts,
  own: string,
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
      });
    },
    later: async (earlier) => findLater?.(earlier, signal),
  });
}
