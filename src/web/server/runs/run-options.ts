import type { RunOptions } from '../../../run/requests.js';
import { defined } from '../../../core/defined.js';
import type { SiteCenter } from '../settings.js';
import type { Site } from '../site.js';
import { noInstallation } from '../refusal.js';

/** The contact center of the page. @throws Refusal when there is none */
export function centerOf({ settings: { center } }: Pick<Site, 'settings'>): SiteCenter {
  if (!center) throw noInstallation();
  return center;
}

/** What every run of the page has: its contact center, the ledger, and the environment with the credentials. */
export function runOptions(
  site: Pick<Site, 'settings'>,
): Pick<RunOptions, 'installation' | 'baseUrl' | 'ledger' | 'env'> {
  const { installation, baseUrl } = centerOf(site);
  const { ledger, env } = site.settings;
  return { installation, ledger, env, ...defined({ baseUrl }) };
}
