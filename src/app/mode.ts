import { UsageError } from '../core/errors.js';
import { MODE_TRAITS, type Mode } from '../core/mode.js';
import { REPEATS } from './repeats/repeats.js';
import type { CampaignSettings } from '../pipeline/batch.js';
import type { ImportRequest } from './requests.js';

/** Whether a mode has to do with campaigns at all. */
export function usesCampaign(mode: Mode): boolean {
  return MODE_TRAITS[mode].campaign !== 'unused';
}

/** Refuses an import whose mode and options do not go together. @throws UsageError */
export function checkModeOptions(
  mode: Mode,
  { campaign, confirmed, recovery, rows }: ImportRequest,
): void {
  const { asksFirst, campaign: use, creates } = MODE_TRAITS[mode];
  if (asksFirst && confirmed !== true)
    throw new UsageError(
      'Mode delete deletes the client of every row. If that is meant, say so with --yes.',
    );
  if (rows !== undefined && REPEATS[mode]?.byPlace)
    throw new UsageError(
      `Mode ${mode} distinguishes the rows of a client by their order, so that only the first ones can be tried: use --limit.`,
    );
  const isNamed = campaign?.id !== undefined || campaign?.name !== undefined;
  if (isNamed && use === 'unused')
    throw new UsageError(`Mode ${mode} has no use for a campaign; leave --campaign out.`);
  if (recovery === true && !creates)
    throw new UsageError(`Mode ${mode} creates no clients, so there is nothing to recover.`);
}

/** Refuses an import that lacks the campaign that its mode needs. @throws UsageError */
export function checkCampaign(mode: Mode, campaign: CampaignSettings | null): void {
  if (campaign === null && MODE_TRAITS[mode].campaign === 'required')
    throw new UsageError(
      `Mode ${mode} needs a campaign: give --campaign, or a campaign section in the mapping.`,
    );
}
