import { mappingsFolder } from '../../../setup/mappings.js';
import type { SiteCenter, SiteSettings } from '../settings.js';

/**
 * Where mappings are saved under names: beside the installation, where the command line finds them. That of the sandbox
 * belongs to the program, which other people use too: then beside the ledger.
 */
export const savedFolder = (center: SiteCenter, { ledger }: SiteSettings): string =>
  mappingsFolder(center.kind === 'sandbox' ? ledger : center.installation);
