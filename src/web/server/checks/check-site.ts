import type { Tables } from '../../../app/columns/tables.js';
import type { Lists } from '../lists/lists.js';
import type { SiteSettings } from '../site.js';

/** What checks need of the site. */
export interface CheckSite {
  readonly settings: SiteSettings;
  readonly lists: Lists;
  readonly tables: Tables;
  readonly stop: AbortSignal;
  keep(work: Promise<unknown>): void;
}
