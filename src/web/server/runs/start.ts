import { importFiles, missingCredentials } from '../../../run/import.js';
import type { ExecutableRun, ImportResult, RunOptions } from '../../../run/requests.js';
import { defined } from '../../../core/text.js';
import type { StoredList } from '../lists/lists.js';
import { notSet, refusal } from '../problem.js';
import { noSuchRun, undoKey } from './runs.js';
import type { Site } from '../handler.js';
import { reconcileRun, undoRun } from '../../../run/on-record.js';
import { reconcileFiles } from '../../../run/reconcile.js';
import type { WatchedOptions } from '../../../run/watch.js';
import { resumption } from '../../../run/resume.js';
import { runOnCenter } from '../../../history/history.js';
import type { RunRecord } from '../../../core/ledger.js';
import { centerOf } from '../settings.js';

/** The import of a list is started once at a time. */
export const keyOf = ({ id }: Pick<StoredList, 'id'>): string => `import ${id}`;

type OnRecord = Pick<Site, 'runs' | 'settings'>;

/** Takes back what a run did. @returns the id of the undo @throws Refusal, or as `undoRun` does */
export async function startUndo(site: OnRecord, run: string): Promise<string> {
  await runHere(site, run);
  if (site.runs.isAtWork(run)) throw refusal('works_here', { values: { run } });
  const request = { ...runOptions(site), undoes: run };
  return site.runs.start({
    key: undoKey(run),
    mode: 'undo',
    execute: (options) => undoRun({ ...request, ...options }),
  });
}

/** Checks what the report of a run claims. @returns the id of the comparison @throws Refusal, or as `reconcileRun` does */
export async function startReconcile(site: OnRecord, run: string): Promise<string> {
  await runHere(site, run);
  if (site.runs.isAtWork(run) || site.runs.isUndoing(run))
    throw refusal('works_here', { values: { run } });
  const request = { ...runOptions(site), checks: run };
  return site.runs.start({
    key: `reconcile ${run}`,
    mode: 'reconcile',
    execute: (options) => reconcileRun({ ...request, ...options }),
  });
}

/** Goes on with a run that is not at its end. @returns its id @throws Refusal, or as `resumption` and the run do */
export async function startResume(site: OnRecord, run: string): Promise<string> {
  if (site.runs.isAtWork(run)) return run;
  const { mode } = await runHere(site, run);
  if (site.runs.isUndoing(run)) throw refusal('works_here', { values: { run } });
  const resumed = await resumption(site.settings.ledger, run);
  return site.runs.start({
    key: `resume ${run}`,
    mode,
    execute: (options) => execute(resumed, site, options),
  });
}

function execute(
  run: ExecutableRun,
  site: OnRecord,
  options: WatchedOptions,
): Promise<ImportResult> {
  // The installation's own address may be another one today: it is that of the page.
  const { ledger: _, ...center } = runOptions(site);
  const around = { ...center, ...options };
  switch (run.kind) {
    case 'import': {
      // Whoever continues it here sees how its rows end, and can stop it.
      const { maxFailures: _, ...request } = run.request;
      return importFiles({ ...request, ...around });
    }
    case 'reconcile':
      return reconcileFiles({ ...run.request, ...around });
    case 'undo':
      return undoRun({ ...run.request, ...around });
    case 'check':
      return reconcileRun({ ...run.request, ...around });
  }
}

/** A run of the page's contact center. @throws Refusal when there is none, or it was on another one */
async function runHere(site: OnRecord, run: string): Promise<RunRecord> {
  const center = runOptions(site);
  await refuseNotSet(site);
  const record = await runOnCenter(run, center).catch((error: unknown) => {
    throw noSuchRun(error);
  });
  if (!record) throw refusal('other_center', { values: { run } });
  return record;
}

/** The credentials that the page's contact center needs and that nobody has set. @throws ConfigurationError */
export async function notSetFor(site: Pick<Site, 'settings'>): Promise<string[]> {
  return missingCredentials(runOptions(site));
}

/** @throws Refusal where nothing can be asked of the contact center */
export async function refuseNotSet(site: Pick<Site, 'settings'>): Promise<void> {
  const missing = await notSetFor(site);
  if (missing.length > 0) throw notSet(missing);
}

/** What every run of the page has: its contact center, the ledger, and the environment with the credentials. */
export function runOptions(
  site: Pick<Site, 'settings'>,
): Pick<RunOptions, 'installation' | 'baseUrl' | 'ledger' | 'env'> {
  const { installation, baseUrl } = centerOf(site.settings);
  const { ledger, env } = site.settings;
  return { installation, ledger, env, ...defined({ baseUrl }) };
}
