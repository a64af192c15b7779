import type { ImportRequest, ImportResult, RunOptions } from '../app/requests.js';
import { defined } from '../core/defined.js';
import { ConfigurationError } from '../core/errors.js';
import { sandboxEnvironment } from '../sandbox/environment.js';
import { sandboxDatabase, withSandbox } from './embedded-sandbox.js';

/** Imports into the embedded sandbox, in which the campaign that is asked for is made when it is missing. */
export async function importIntoSandbox(
  request: ImportRequest,
  importFiles: (request: ImportRequest) => Promise<ImportResult>,
): Promise<ImportResult> {
  const { ensureCampaign } = await import('../app/campaigns/ensure-campaign.js');
  const { loadInstallation } = await import('../installation/load.js');
  const installation = await loadInstallation(request.installation).catch((error: unknown) =>
    throwWithOthers(request, error),
  );
  return inSandbox(request, async (sandboxed) => {
    const campaign = await ensureCampaign(sandboxed, installation);
    return importFiles(campaign ? { ...sandboxed, campaign } : sandboxed);
  });
}

/** What is wrong with the mapping and the files is said with it: a check finds all of it, and sends nothing. */
async function throwWithOthers(request: ImportRequest, error: unknown): Promise<never> {
  if (!(error instanceof ConfigurationError)) throw error;
  const { checkFiles } = await import('../app/check/check.js');
  const { files, mapping, installation, mode, source, signal } = request;
  const check = { files, mapping, installation, show: 0, ...defined({ mode, source, signal }) };
  await checkFiles(check);
  throw error;
}

/** Executes a run in the embedded sandbox whose database lies beside the ledger. */
export async function inSandbox<R extends RunOptions>(
  request: R,
  execute: (request: R) => Promise<ImportResult>,
): Promise<ImportResult> {
  const { loadInstallation } = await import('../installation/load.js');
  const { ledgerPath } = await import('../app/run/ledger-path.js');
  const installation = await loadInstallation(request.installation);
  const database = await sandboxDatabase(ledgerPath(request.ledger, installation), installation);
  return withSandbox(installation, database, (baseUrl) =>
    execute({ ...request, baseUrl, env: sandboxEnvironment(installation, request.env) }),
  );
}
