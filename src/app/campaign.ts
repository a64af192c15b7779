import type { ContactCenter } from '../client/contact-center.js';
import { ContactCenterError, NotAuthorizedError, UsageError } from '../core/errors.js';
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
  onWarning: (message: string) => void = () => undefined,
): Promise<CampaignSettings | null> {
  const target = choice?.id !== undefined || choice?.name !== undefined ? choice : mapping;
  if (!target) return null;
  const id =
    target.id === undefined
      ? await findByName(center, target.name ?? '')
      : await checkedId(center, target.id, onWarning);
  return {
    id,
    maxCallCount: choice?.maxCallCount ?? mapping?.maxCallCount ?? DEFAULT_MAX_CALL_COUNT,
    disableDuplicatePhonesValidation:
      choice?.disableDuplicatePhonesValidation ?? mapping?.disableDuplicatePhonesValidation,
  };
}

/**
 * Looks for the campaign before the first client is sent. A contact center that cannot be asked now is no reason to
 * stop: it may answer later, and then tells for each client.
 */
async function checkedId(
  center: Pick<ContactCenter, 'listCampaigns'>,
  id: number,
  onWarning: (message: string) => void,
): Promise<number> {
  const campaigns = await allCampaigns(center).catch((error: unknown) => {
    if (!(error instanceof ContactCenterError) || error instanceof NotAuthorizedError) throw error;
    onWarning(`Campaign ${id} could not be looked for: ${error.message}.`);
    return null;
  });
  if (campaigns === null || campaigns.some((campaign) => campaign.id === id)) return id;
  throw new UsageError(
    `The contact center has no campaign ${id}; check --campaign or the mapping.`,
  );
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
