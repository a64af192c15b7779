import { centerKey } from '../../core/center.js';
import type { DuplicateRule } from '../../core/duplicates.js';
import type { RunRecord } from '../../core/ledger.js';
import { MODE_TRAITS } from '../../core/mode.js';
import type { Ledger } from '../../ledger/ledger.js';
import { readSettingsForReport } from '../run/run-settings.js';

/** Who asks what earlier runs have sent. */
export interface Asking {
  readonly rule: Pick<DuplicateRule, 'days' | 'campaign'>;
  /** The contact center, as the runs name theirs. */
  readonly center: string;
  /** The campaign of the run that asks: by its name where its id is not known, as in a check. */
  readonly campaign: {
    readonly id?: number | undefined;
    readonly name?: string | undefined;
  } | null;
  /** Id of the run that asks; a check has none. */
  readonly own?: string | undefined;
  /** Inputs that are sent anew: earlier runs over one of them do not count. @default none */
  readonly anew?: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The earlier runs whose rows count as duplicates of new ones, the latest first. */
export async function countedRuns(
  ledger: Pick<Ledger, 'runs' | 'settingsOf'>,
  { rule, center, campaign, own, anew = [], now }: Asking,
): Promise<RunRecord[]> {
  const since = now - rule.days * DAY_MS;
  const runs = (await ledger.runs()).filter(
    ({ run, mode, installation, inputs, createdAt }) =>
      run !== own &&
      createdAt >= since &&
      MODE_TRAITS[mode].enqueues &&
      centerKey(installation) === centerKey(center) &&
      !inputs.some((input) => anew.includes(input)),
  );
  if (rule.campaign === 'any') return runs;
  if (campaign?.id !== undefined || !campaign)
    return runs.filter(({ campaignId }) => campaignId === (campaign?.id ?? null));
  const named: RunRecord[] = [];
  for (const run of runs)
    if (readSettingsForReport(await ledger.settingsOf(run.run))?.campaign?.name === campaign.name)
      named.push(run);
  return named;
}
