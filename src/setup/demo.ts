import { readFile } from 'node:fs/promises';
import { createContactCenter } from '../client/contact-center.js';
import { operations } from '../contract/operations.js';
import { SUCCESS } from '../contract/shapes.js';
import type { Installation } from '../installation/installation.js';
import { startNewCampaign, type ListedCampaign } from '../operations/campaigns.js';

export interface DemoRequest {
  readonly installation: Installation;
  /** Address of an empty contact center. */
  readonly baseUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly campaign: string;
  /** JSON file with clients that exist already: the sample holds some of them again. */
  readonly existingClients: string;
}

/**
 * Brings an empty contact center into the state that the demo begins with: some clients, and a campaign that runs.
 * @returns the campaign
 */
export async function prepareDemo(request: DemoRequest): Promise<ListedCampaign> {
  const { installation, baseUrl, env } = request;
  const center = createContactCenter(installation, { baseUrl, env });
  try {
    const written: unknown = JSON.parse(await readFile(request.existingClients, 'utf8'));
    const body = operations.addClients.body.parse(written);
    const { createResult } = await center.addClients({ body });
    const refused = createResult.find(({ result }) => result !== SUCCESS);
    if (refused) throw new Error(`an existing client of the demo was refused: ${refused.result}`);
    return await startNewCampaign(center, request.campaign);
  } finally {
    await center.close();
  }
}
