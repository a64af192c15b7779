import type { CampaignGiven } from './arguments.js';
import type { Ask } from './session.js';
import type { ContactCenter } from '../client/contact-center.js';
import {
  CAMPAIGN_PAGE,
  type OperationInput,
  type OperationOutput,
} from '../contract/operations.js';
import { NoCampaignError } from '../core/errors.js';
import { suggestion } from '../config/nearest.js';

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

export type ListedCampaign = OperationOutput<'listCampaigns'>[number];
type Center = Pick<ContactCenter, 'listCampaigns' | 'createCampaign' | 'startCampaign'>;

/** The campaigns of a contact center, at most `limit`, asked for page by page (interface.md 4.19). */
export async function allCampaigns(
  center: Pick<Center, 'listCampaigns'>,
  limit = Infinity,
): Promise<ListedCampaign[]> {
  const campaigns = new Map<number, ListedCampaign>();
  let offset = 0;
  while (campaigns.size < limit) {
    const wanted = Math.min(CAMPAIGN_PAGE, limit - campaigns.size);
    const page = await center.listCampaigns({ query: { limit: wanted, offset } });
    const known = campaigns.size;
    // What is created or deleted meanwhile moves the pages: a campaign may come twice.
    for (const campaign of page) campaigns.set(campaign.id, campaign);
    // A page without anything new would come for ever.
    if (page.length < wanted || campaigns.size === known) break;
    offset += page.length;
  }
  return [...campaigns.values()].slice(0, limit);
}

/**
 * The id of the one campaign that has this name.
 * @throws NoCampaignError when no campaign, or more than one, has it
 */
export function idNamed(campaigns: readonly ListedCampaign[], name: string): number {
  const ids = campaigns.filter((campaign) => campaign.name === name).map(({ id }) => id);
  const [id] = ids;
  if (id === undefined) throw new NoCampaignError(noneNamed(name, campaigns));
  if (ids.length === 1) return id;
  throw new NoCampaignError(
    `${ids.length} campaigns are named "${name}" (ids ${ids.join(', ')}); give the id.`,
  );
}

function noneNamed(name: string, campaigns: readonly ListedCampaign[]): string {
  const names = [...new Set(campaigns.map((campaign) => campaign.name))];
  const hint = suggestion(name, names) ?? 'It has no campaigns at all.';
  return `The contact center has no campaign named "${name}"; give its id or another name. ${hint}`;
}

/**
 * Creates and starts a campaign in which operators call (interface.md 4.13, 4.15). The creation does not return its id,
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
