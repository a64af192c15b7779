import type { RunResults } from '../../history/results.js';
import type { Checks } from './checks/checks.js';
import type { Runs } from './runs/runs.js';
import type { SiteBase } from './site-base.js';
import type { SiteSettings } from './settings.js';

/** What handlers work with. */
export interface Site extends SiteBase {
  /** Changes the settings, for all that work with them. */
  change(changes: Partial<SiteSettings>): void;
  /** The checks of lists that somebody looks at. */
  readonly checks: Checks;
  /** The runs that this server works on. */
  readonly runs: Runs;
  /** How runs went, whoever started them. */
  readonly results: RunResults;
}
