import type { ContactCenter } from '../client/contact-center.js';
import { UsageError } from '../core/errors.js';
import type { Mapping } from '../mapping/mapping.js';
import type { CampaignSettings } from '../pipeline/batch.js';
import { allCampaigns } from './campaigns.js';
import type { CampaignChoice } from './requests.js';

/** Calls to a client when nobody says how many: the fewest that the interface allows. */
const DEFAULT_MAX_CALL_COUNT = 1;

/**
 * The campaign that clients are added to: what the caller chose, else the mapping's, else none. A name is looked for
 * in all pages of the list (interface.md 4.19).
 * @throws UsageError when no campaign, or more than one, has the name.
 */
export async function resolveCampaign(
  center: Pick<ContactCenter, 'listCampaigns'>,
  choice: CampaignChoice | undefined,
  mapping: Mapping['campaign'],
): Promise<CampaignSettings | null> {
  const target = choice?.id !== undefined || choice?.name !== undefined ? choice : mapping;
  if (!target) return null;
  const id = target.id ?? (await findByName(center, target.name ?? ''));
  return {
    id,
    maxCallCount: choice?.maxCallCount ?? mapping?.maxCallCount ?? DEFAULT_MAX_CALL_COUNT,
    disableDuplicatePhonesValidation:
      choice?.disableDuplicatePhonesValidation ?? mapping?.disableDuplicatePhonesValidation,
  };
}

async function findByName(
  center: Pick<ContactCenter, 'listCampaigns'>,
  name: string,
): Promise<number> {
  const campaigns = await allCampaigns(center);
  const found = campaigns.filter((campaign) => campaign.name === name).map(({ id }) => id);
  const [id] = found;
  if (id === undefined)
    throw new UsageError(
      `The contact center has no campaign named "${name}"; give its id or another name.`,
    );
  if (found.length > 1)
    throw new UsageError(
      `${found.length} campaigns are named "${name}" (ids ${found.join(', ')}); give the id.`,
    );
  return id;
}
