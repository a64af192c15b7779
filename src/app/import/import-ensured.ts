import { defined } from '../../core/defined.js';
import { loadInstallation } from '../../installation/load.js';
import { ensureCampaign } from '../campaigns/ensure-campaign.js';
import type { ImportRequest, ImportResult } from '../requests.js';
import { importFiles } from './import.js';

/** Imports into a sandbox, in which the campaign is made when it is missing. @throws as `importFiles` does */
export async function importEnsured(request: ImportRequest): Promise<ImportResult> {
  const installation = await loadInstallation(request.installation);
  const campaign = await ensureCampaign(request, installation);
  return importFiles({ ...request, ...defined({ campaign }) });
}
