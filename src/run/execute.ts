import { UsageError } from '../core/errors.js';
import { MODE_TRAITS } from '../core/outcome.js';
import { defined } from '../core/text.js';
import { DEFAULT_LEDGER } from '../options/places.js';
import type { RunOptionsOf } from '../options/run-options.js';
import type { ExecutableRun, ImportRequest, ImportResult, RunOptions } from './requests.js';

/*
 * Runs as whoever starts them knows them: by their kind. What executes one is loaded when it is, so that this file costs
 * a command nothing that sends nothing.
 */

/**
 * Executes a run, new or continued. In the embedded sandbox, the campaign that an import asks for is made when it is missing.
 * @param around who listens, and where it is; wins over the request
 * @param files what is added for runs over files
 * @throws as `importFiles`, `reconcileFiles`, `undoRun` and `reconcileRun` do
 */
export async function execute(
  run: ExecutableRun,
  around: Partial<RunOptions> = {},
  files: Pick<ImportRequest, 'onInput' | 'acceptUnsureEncoding'> = {},
): Promise<ImportResult> {
  switch (run.kind) {
    case 'import': {
      const { importEnsured, importFiles } = await import('./import.js');
      const importAll = run.sandbox ? importEnsured : importFiles;
      return importAll({ ...run.request, ...around, ...files });
    }
    case 'reconcile': {
      const { reconcileFiles } = await import('./reconcile.js');
      return reconcileFiles({ ...run.request, ...around, ...files });
    }
    case 'undo':
      return (await import('./on-record.js')).undoRun({ ...run.request, ...around });
    case 'check':
      return (await import('./on-record.js')).reconcileRun({ ...run.request, ...around });
  }
}

/**
 * The request that continues a run with these options: the one named, else the latest that is not finished.
 * @throws UsageError when there is none, or when it cannot be begun again without its command
 */
export async function resumption(
  ledger = DEFAULT_LEDGER,
  wanted?: string,
  options: RunOptionsOf<'resume'> = {},
): Promise<ExecutableRun> {
  const { noSuchRun, withLedger } = await import('../history/history.js');
  const settings = await import('./settings.js');
  const continued = (run: string, kept: unknown): ExecutableRun => {
    const named = { ...options, ledger, run };
    const undo = settings.readUndoSettings(kept);
    if (undo) {
      const { mode: _, sandbox, ...request } = undo;
      return { kind: 'undo', sandbox, request: { ...request, ...named } };
    }
    const check = settings.readCheckSettings(kept);
    if (check) {
      const { mode: _, sandbox, ...request } = check;
      return { kind: 'check', sandbox, request: { ...request, ...named } };
    }
    const of = settings.readFilesSettings(run, kept);
    const { mode, sandbox, source, campaign, wanted: given, ...files } = of;
    if (files.files.includes('-'))
      throw new UsageError(
        `Run ${run} read standard input; run its command again with the same input.`,
      );
    return {
      kind: mode === 'reconcile' ? 'reconcile' : 'import',
      sandbox,
      request: {
        ...files,
        ...defined({ source: source && defined(source) }),
        ...defined(given ?? {}),
        // It was confirmed when it began, and so was an encoding that is not sure.
        ...(mode && MODE_TRAITS[mode].asksFirst ? { confirmed: true } : {}),
        acceptUnsureEncoding: true,
        ...(campaign ? { campaign: defined(campaign) } : {}),
        ...named,
      },
    };
  };
  return withLedger(ledger, async (opened) => {
    const runs = await opened.runs();
    const id = wanted ?? (await opened.latestToResume());
    const found = runs.find(({ run }) => run === id);
    if (!found) throw noSuchRun(ledger, wanted, runs);
    const kept = await opened.settingsOf(found.run);
    // The run whose list lacks the clients goes on, and with it the removal of these.
    const misses = settings.readMissingSettings(kept)?.misses;
    return misses === undefined
      ? continued(found.run, kept)
      : continued(misses, await opened.settingsOf(misses));
  });
}

/** Counts what an undo of a run would take back. Sends nothing. @throws UsageError when the run is not on record */
export const previewUndo = async (run: string, ledger: string) =>
  (await import('./on-record.js')).previewUndo(run, ledger);
