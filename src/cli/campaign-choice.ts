import type { CampaignChoice } from '../run/requests.js';
import { UsageError } from '../core/errors.js';
import { defined } from '../core/defined.js';
import { numberOption, textOption } from './options/options.js';

export const campaignOptions = {
  campaign: textOption(
    "Campaign that the clients are added to, by id or by name. Default: the mapping's campaign.",
  ),
  'max-call-count': numberOption(
    'max-call-count',
    "Most calls to one client. Default: the mapping's.",
    1,
  ),
} as const;

/** The campaign that the person asked for: digits are an id, anything else is a name. */
export function campaignChoice(
  campaign: string | undefined,
  maxCallCount: number | undefined,
): CampaignChoice | undefined {
  if (campaign === undefined && maxCallCount === undefined) return undefined;
  if (campaign === undefined) return defined({ maxCallCount });
  if (campaign.trim() === '') throw new UsageError('--campaign takes an id or a name.');
  const named = /^\d+$/.test(campaign) ? { id: campaignId(campaign) } : { name: campaign };
  return { ...named, ...defined({ maxCallCount }) };
}

function campaignId(digits: string): number {
  const id = Number(digits);
  if (id < 1 || !Number.isSafeInteger(id))
    throw new UsageError(
      `--campaign ${digits}: an id is a whole number from 1 that the contact center has given.`,
    );
  return id;
}
