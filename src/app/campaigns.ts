import type { ContactCenter } from '../client/contact-center.js';
import { CAMPAIGN_PAGE } from '../contract/campaigns.js';
import type { OperationInput, OperationOutput } from '../contract/operations.js';

export type ListedCampaign = OperationOutput<'listCampaigns'>[number];
type Center = Pick<ContactCenter, 'listCampaigns' | 'createCampaign' | 'startCampaign'>;

/** Every campaign of a contact center, asked for page by page (interface.md 4.19). */
export async function allCampaigns(
  center: Pick<Center, 'listCampaigns'>,
): Promise<ListedCampaign[]> {
  const campaigns: ListedCampaign[] = [];
  for (;;) {
    const query = { limit: CAMPAIGN_PAGE, offset: campaigns.length };
    const page = await center.listCampaigns({ query });
    campaigns.push(...page);
    if (page.length < CAMPAIGN_PAGE) return campaigns;
  }
}

/**
 * Creates and starts a campaign in which operators call (interface.md 4.13, 4.15). The creation does not tell its id,
 * so the newest campaign of that name is taken.
 */
export async function startNewCampaign(center: Center, name: string): Promise<ListedCampaign> {
  await center.createCampaign({ body: newCampaign(name) });
  const newest = newestNamed(await allCampaigns(center), name);
  if (!newest) throw new Error('the created campaign is not in the list of campaigns');
  await center.startCampaign({ params: { campaignId: newest.id } });
  return newest;
}

/** The campaign of that name; when several have it, the one with the largest id. */
export function newestNamed(
  campaigns: readonly ListedCampaign[],
  name: string,
): ListedCampaign | undefined {
  const named = campaigns.filter((campaign) => campaign.name === name);
  return named.toSorted((one, other) => other.id - one.id)[0];
}

const newCampaign = (name: string): OperationInput<'createCampaign'>['body'] => ({
  name,
  typeProcessing: 'OPERATOR',
  callingMode: 'PROGRESSIVE_NEW',
  callingSearchSpaceId: 1,
  callStatusRuleProcessorId: 1,
});
