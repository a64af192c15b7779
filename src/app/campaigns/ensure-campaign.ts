import { createContactCenter, type ContactCenter } from '../../client/contact-center.js';
import { defined } from '../../core/defined.js';
import type { Installation } from '../../installation/installation.js';
import { type LoadedMapping, loadMapping } from '../../mapping/load.js';
import {
  allCampaigns,
  newestNamed,
  startNewCampaign,
  type ListedCampaign,
} from '../../operations/campaigns.js';
import { lookupTable } from '../../prepare/lookup-table.js';
import type { CampaignChoice, ImportRequest } from '../requests.js';

/**
 * Sees to it that the campaign of an import exists, for a contact center that begins empty, such as a sandbox. A
 * missing one is created and started, and the person is told. An id cannot be chosen, so campaign 42 becomes one of
 * the name "Campaign 42", which is found again the next time.
 *
 * @returns the campaign by the id that it has; `undefined` when the import names none
 */
export async function ensureCampaign(
  request: ImportRequest,
  installation: Installation,
): Promise<CampaignChoice | undefined> {
  const { id, name, ...rest } = await wantedCampaign(request);
  if (id === undefined && name === undefined) return undefined;
  const { baseUrl, env } = request;
  const center = createContactCenter(installation, { baseUrl, env });
  try {
    const known = await allCampaigns(center);
    const byId = known.find((campaign) => campaign.id === id);
    return { ...rest, id: byId?.id ?? (await byName(center, known, { id, name }, request)) };
  } finally {
    await center.close();
  }
}

async function byName(
  center: ContactCenter,
  known: readonly ListedCampaign[],
  wanted: Pick<Wanted, 'id' | 'name'>,
  { onWarning }: ImportRequest,
): Promise<number> {
  const name = wanted.name ?? `Campaign ${wanted.id ?? ''}`;
  const found = newestNamed(known, name);
  const { id } = found ?? (await startNewCampaign(center, name));
  const missing = wanted.id === undefined ? '' : `There is no campaign ${wanted.id} here. `;
  const made = found ? 'is used' : 'was created, started, and is used';
  if (!found || missing !== '') onWarning?.(`${missing}Campaign ${id} "${name}" ${made}.`);
  return id;
}

type Wanted = NonNullable<LoadedMapping['campaign']>;

/** What the request says wins over what the mapping says; an id and a name displace each other. */
async function wantedCampaign(request: ImportRequest): Promise<CampaignChoice> {
  const { mapping, mode, campaign = {} } = request;
  const mapped: Partial<Wanted> =
    (await loadMapping(mapping, { readTable: lookupTable, mode })).campaign ?? {};
  const chosen = campaign.id !== undefined || campaign.name !== undefined;
  const { id, name, ...rest } = mapped;
  return defined({ ...rest, ...(chosen ? {} : { id, name }), ...campaign });
}
