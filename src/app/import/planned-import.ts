import { defined } from '../../core/defined.js';
import type { Mode } from '../../core/mode.js';
import { loadInstallation } from '../../installation/load.js';
import { loadMapping } from '../../mapping/load.js';
import { lookupTable } from '../../prepare/lookup-table.js';
import type { CampaignChoice, ImportRequest } from '../requests.js';

/** What mapping and installation say of an import before its files are read. */
export interface PlannedImport {
  readonly mode: Mode;
  /** The campaign of the mapping. */
  readonly campaign: CampaignChoice | null;
  /** What the installation permits. */
  readonly requestsPerSecond: number | null;
  readonly clientsPerSecond: number | null;
  /** Whether the mapping has deleted clients restored. */
  readonly recovery: boolean;
}

/** @throws ConfigurationError with every mistake of the one or the other */
export async function plannedImport({
  mapping,
  installation,
}: Pick<ImportRequest, 'mapping' | 'installation'>): Promise<PlannedImport> {
  const { mode, campaign, recovery } = await loadMapping(mapping, { readTable: lookupTable });
  const { limits } = await loadInstallation(installation);
  const { requestsPerSecond = null, clientsPerSecond = null } = limits;
  return {
    mode,
    campaign: campaign ? defined(campaign) : null,
    requestsPerSecond,
    clientsPerSecond,
    recovery,
  };
}
