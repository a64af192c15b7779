import { MODE_TRAITS } from '../core/mode.js';
import { defined } from '../core/text.js';
import { UsageError } from '../core/errors.js';
import { DEFAULT_LEDGER } from '../options/places.js';
import type { RunOptionsOf } from '../options/run-options.js';
import type { ExecutableRun } from './requests.js';
import {
  readCheckSettings,
  readFilesSettings,
  readMissingSettings,
  readUndoSettings,
} from './settings.js';
import { noSuchRun, withLedger } from '../history/history.js';

/**
 * The request that continues a run with these options: the one named, else the latest that is not finished.
 * @throws UsageError when there is none, or when it cannot be begun again without its command
 */
export async function resumption(
  ledger = DEFAULT_LEDGER,
  wanted?: string,
  options: RunOptionsOf<'resume'> = {},
): Promise<ExecutableRun> {
  return withLedger(ledger, async (opened) => {
    const runs = await opened.runs();
    const id = wanted ?? (await opened.latestToResume());
    const found = runs.find(({ run }) => run === id);
    if (!found) throw noSuchRun(ledger, wanted, runs);
    const { run } = found;
    const kept = await opened.settingsOf(run);
    // The run whose list lacks the clients goes on, and with it the removal of these.
    const misses = readMissingSettings(kept)?.misses;
    return misses === undefined
      ? continued(run, kept, { ...options, ledger, run })
      : continued(misses, await opened.settingsOf(misses), { ...options, ledger, run: misses });
  });
}

function continued(
  run: string,
  kept: unknown,
  named: RunOptionsOf<'resume'> & { readonly run: string },
): ExecutableRun {
  const undo = readUndoSettings(kept);
  if (undo) {
    const { mode: _, sandbox, ...request } = undo;
    return { kind: 'undo', sandbox, request: { ...request, ...named } };
  }
  const check = readCheckSettings(kept);
  if (check) {
    const { mode: _, sandbox, ...request } = check;
    return { kind: 'check', sandbox, request: { ...request, ...named } };
  }
  const { mode, sandbox, source, campaign, wanted, ...files } = readFilesSettings(run, kept);
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
      ...defined(wanted ?? {}),
      // It was confirmed when it began, and so was an encoding that is not sure.
      ...(mode !== undefined && mode !== 'reconcile' && MODE_TRAITS[mode].asksFirst
        ? { confirmed: true }
        : {}),
      acceptUnsureEncoding: true,
      ...(campaign ? { campaign: defined(campaign) } : {}),
      ...named,
    },
  };
}
