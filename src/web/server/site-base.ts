import type { Tables } from '../../setup/columns.js';
import type { Lists } from './lists/lists.js';
import type { SiteSettings } from './settings.js';

/** What checks and runs are built on. */
export interface SiteBase {
  readonly settings: SiteSettings;
  readonly lists: Lists;
  /** Spreadsheets whose columns were looked at. */
  readonly tables: Tables;
  /** Aborted when the server ends: streams end then, and runs stop gently. */
  readonly stop: AbortSignal;
  /** Work that goes on after its request has been answered: the server ends after it. */
  keep(work: Promise<unknown>): void;
}
