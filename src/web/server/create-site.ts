import { RunResults } from '../../app/runs/result/run-results.js';
import { Tables } from '../../app/columns/tables.js';
import { Checks } from './checks/checks.js';
import { Lists, listsFolder } from './lists/lists.js';
import { Runs } from './runs/runs.js';
import type { SiteSettings } from './settings.js';
import type { Site } from './site.js';

/**
 * The site, and what asks all that works on it to end, and waits for it. `scratch`: where lists are only read, the folder
 * for what is made meanwhile.
 */
export function createSite(
  settings: Omit<SiteSettings, 'open'>,
  scratch: string | undefined,
): {
  readonly site: Site;
  readonly stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const kept = new Set<Promise<unknown>>();
  const keep = (work: Promise<unknown>): void => {
    kept.add(work);
    const done = (): boolean => kept.delete(work);
    void work.then(done, done);
  };
  const current: SiteSettings = { ...settings, open: undefined };
  const lists = new Lists(listsFolder(settings.ledger), scratch);
  const tables = new Tables();
  const site: Site = {
    settings: current,
    change: (changes) => {
      Object.assign(current, changes);
    },
    lists,
    checks: new Checks({ settings: current, lists, tables, stop: stopping.signal, keep }),
    results: new RunResults(settings.ledger),
    runs: new Runs({ settings, stop: stopping.signal, keep }),
    tables,
    stop: stopping.signal,
    keep,
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.allSettled(kept);
  };
  return { site, stop };
}
