import { ContactCenterError, UsageError } from '../../core/errors/errors.js';
import type { LoadedMapping } from '../../mapping/load.js';
import type { CampaignSettings } from '../../pipeline/batch/batch.js';
import { type CampaignQuestion, listPatiently } from './campaign-list.js';
import { type ListedCampaign, idNamed } from '../../operations/campaigns.js';
import type { CampaignChoice } from '../requests.js';

/** Calls to a client when nobody says how many: the fewest that the interface allows. */
const DEFAULT_MAX_CALL_COUNT = 1;

/** A campaign; its name is missing when the contact center does not show its campaigns. */
type NamedCampaign = Pick<CampaignSettings, 'id' | 'name'>;

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
): Promise<CampaignSettings | null> {
  const target = choice?.id !== undefined || choice?.name !== undefined ? choice : mapping;
  if (!target) return null;
  const { id, name } =
    target.id === undefined
      ? await findByName(question, target.name ?? '')
      : await checkedId(question, target.id);
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
async function checkedId(question: CampaignQuestion, id: number): Promise<NamedCampaign> {
  const has = (campaign: ListedCampaign): boolean => campaign.id === id;
  const campaigns = await listWith(question, false, has).catch((error: unknown) => {
    if (!(error instanceof ContactCenterError)) throw error;
    question.onWarning(`Campaign ${id} could not be looked for: ${error.message}.`);
    return null;
  });
  const found = campaigns === null ? { id, name: undefined } : campaigns.find(has);
  if (found) return found;
  throw new UsageError(
    `The contact center has no campaign ${id}; check --campaign or the mapping.`,
  );
}

async function findByName(question: CampaignQuestion, name: string): Promise<NamedCampaign> {
  const campaigns = await listWith(question, true, (campaign) => campaign.name === name);
  return { id: idNamed(campaigns, name), name };
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
