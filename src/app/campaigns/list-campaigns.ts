import { loadInstallation } from '../../installation/load.js';
import type { ListedCampaign } from '../../operations/campaigns.js';
import { connect } from '../connect/connect.js';
import type { RunOptions } from '../requests.js';
import { campaignQuestion, listPatiently } from './campaign-list.js';

/**
 * The campaigns of a contact center (interface.md 4.19), in the order of their names.
 * @throws ConfigurationError when the installation cannot be used, StopRun when the contact center is given up,
 * ContactCenterError for an answer that is an end
 */
export async function listCampaigns(request: RunOptions): Promise<ListedCampaign[]> {
  const installation = await loadInstallation(request.installation);
  const connection = connect(request, installation);
  try {
    const found = await listPatiently(
      campaignQuestion({ request, installation }, connection),
      true,
    );
    return found.sort((one, other) => one.name.localeCompare(other.name));
  } finally {
    await connection.center.close();
  }
}
