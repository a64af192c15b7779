import { ContactCenterError } from '../../core/errors.js';
import { campaignQuestion, listPatiently } from './campaign-list.js';
import type { Connection } from '../connect/connect.js';
import type { RunOptions } from '../requests.js';
import type { Installation } from '../../installation/installation.js';

/**
 * Asks for one campaign (interface.md 4.19) before the first client is sent, unless a request was made already: a wrong
 * address is reported before anything can get lost there. Whatever a contact center itself answers, also that this account
 * may not list campaigns, is no reason to stop.
 * @throws StopRun when something else than a contact center answers, nobody does, or the person stops
 */
export async function probe(
  request: RunOptions,
  { installation }: { readonly installation: Installation },
  connection: Connection,
): Promise<void> {
  if (connection.known !== 'not asked') return;
  try {
    await listPatiently(campaignQuestion({ request, installation }, connection), false, 1);
  } catch (error) {
    // What is wrong with listing campaigns may not be wrong with clients: the run itself will see.
    if (!(error instanceof ContactCenterError)) throw error;
  }
}
