import { ContactCenterError, NoCampaignError } from '../../core/errors.js';
import type { LoadedMapping } from '../../mapping/load.js';
import type { CampaignSettings } from '../../pipeline/batch.js';
import { type CampaignQuestion, listPatiently } from './campaign-list.js';
import { type ListedCampaign, idNamed } from '../../operations/campaigns.js';
import type { CampaignChoice } from '../requests.js';

/** Calls to a client when nobody says how many: the fewest that the interface allows. */
const DEFAULT_MAX_CALL_COUNT = 1;

/** A campaign; its name is missing when the contact center does not show its campaigns. */
type NamedCampaign = Pick<CampaignSettings, 'id' | 'name'>;

/** Takes the campaign as the contact center lists it, where it does. */
export interface FoundCampaign {
  listed?: ListedCampaign;
}

/**
 * The campaign that clients are added to: what the caller chose, else the mapping's, else none. A name is looked for
 * in all pages of the list (interface.md 4.19).
 * @throws UsageError when no campaign, or more than one, has the name.
 * @throws StopRun when the contact center cannot be asked, or the person does not want to wait.
 */
export async function resolveCampaign(
  question: CampaignQuestion,
  choice: CampaignChoice | undefined,
  mapping: LoadedMapping['campaign'],
  found: FoundCampaign = {},
): Promise<CampaignSettings | null> {
  const target = choice?.id !== undefined || choice?.name !== undefined ? choice : mapping;
  if (!target) return null;
  const { id, name } =
    target.id === undefined
      ? await findByName(question, target.name ?? '', found)
      : await checkedId(question, target.id, found);
  return {
    id,
    name,
    maxCallCount: choice?.maxCallCount ?? mapping?.maxCallCount ?? DEFAULT_MAX_CALL_COUNT,
    disableDuplicatePhonesValidation:
      choice?.disableDuplicatePhonesValidation ?? mapping?.disableDuplicatePhonesValidation,
  };
}

/**
 * Looks for the campaign before the first client is sent. A contact center that answers, but not with its campaigns, is
 * no reason to stop: it answers for each client.
 */
async function checkedId(
  question: CampaignQuestion,
  id: number,
  into: FoundCampaign,
): Promise<NamedCampaign> {
  const has = (campaign: ListedCampaign): boolean => campaign.id === id;
  const campaigns = await listWith(question, false, has).catch((error: unknown) => {
    if (!(error instanceof ContactCenterError)) throw error;
    question.onWarning(`Campaign ${id} could not be looked for: ${error.message}.`);
    return null;
  });
  if (campaigns === null) return { id, name: undefined };
  const found = campaigns.find(has);
  if (found) {
    into.listed = found;
    return found;
  }
  throw new NoCampaignError(
    `The contact center has no campaign ${id}; check --campaign or the mapping.`,
  );
}

async function findByName(
  question: CampaignQuestion,
  name: string,
  into: FoundCampaign,
): Promise<NamedCampaign> {
  const campaigns = await listWith(question, true, (campaign) => campaign.name === name);
  const id = idNamed(campaigns, name);
  const listed = campaigns.find((campaign) => campaign.id === id);
  if (listed) into.listed = listed;
  return { id, name };
}

/**
 * The list of campaigns. One without the campaign that is looked for is asked for once more: a contact center in
 * trouble may answer with an empty one, and nobody is there at night to try again.
 */
async function listWith(
  question: CampaignQuestion,
  insist: boolean,
  has: (campaign: ListedCampaign) => boolean,
): Promise<ListedCampaign[]> {
  const campaigns = await listPatiently(question, insist);
  return campaigns.some(has) ? campaigns : listPatiently(question, insist);
}
