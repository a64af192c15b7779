import { allCampaigns, idNamed, type ListedCampaign } from './campaigns.js';
import type { CampaignGiven } from './operation-arguments.js';
import type { Ask } from './with-retries.js';

/** The campaigns, at most `limit`, from all pages of the list (interface.md 4.19). */
export function listCampaigns(ask: Ask, limit?: number): Promise<ListedCampaign[]> {
  return allCampaigns({ listCampaigns: (input) => ask('listCampaigns', input) }, limit);
}

/**
 * The id of a campaign; a name is looked for in the whole list.
 * @throws UsageError when no campaign, or more than one, has the name.
 */
export async function findCampaign(ask: Ask, campaign: CampaignGiven): Promise<number> {
  return 'id' in campaign ? campaign.id : idNamed(await listCampaigns(ask), campaign.name);
}
