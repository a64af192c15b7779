import type { ImportRequest, ImportResult } from '../app/requests.js';
import { sandboxDatabase, sandboxEnvironment, withSandbox } from './embedded-sandbox.js';

/** Imports into the embedded sandbox, in which the campaign that is asked for is made when it is missing. */
export async function importIntoSandbox(request: ImportRequest): Promise<ImportResult> {
  const { loadInstallation } = await import('../app/installation.js');
  const { DEFAULT_LEDGER } = await import('../app/defaults.js');
  const { importFiles } = await import('../app/import.js');
  const { ensureCampaign } = await import('../app/ensure-campaign.js');
  const installation = await loadInstallation(request.installation);
  const database = sandboxDatabase(request.ledger ?? DEFAULT_LEDGER);
  return withSandbox(installation, database, async (baseUrl) => {
    const sandboxed = { ...request, baseUrl, env: sandboxEnvironment(installation, request.env) };
    const campaign = await ensureCampaign(sandboxed, installation);
    return importFiles(campaign ? { ...sandboxed, campaign } : sandboxed);
  });
}
