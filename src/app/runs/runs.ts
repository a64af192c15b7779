import { InputError } from '../../core/errors.js';
import { defined } from '../../core/defined.js';
import type { RunRecord } from '../../core/ledger.js';
import type { RowReport } from '../../core/report.js';
import { noOutcomes } from '../../core/outcome.js';
import { type Ledger, type LedgerOptions, openLedger } from '../../ledger/ledger.js';
import { DEFAULT_LEDGER } from '../defaults.js';
import { hasLedger } from '../run/ledger-path.js';
import { reportedRows } from '../run/run-rows.js';
import { readPlace, readSettingsForReport, wasInSandbox } from '../run/run-settings.js';
import { MODE_TRAITS } from '../../core/mode.js';
import { removeKept } from '../erase/kept-files.js';
import { latestRun, recordedRun } from './recorded-run.js';

/** All runs of a ledger, the latest first, with their counts. */
export async function listRuns(ledgerFile = DEFAULT_LEDGER): Promise<RunRecord[]> {
  return withLedger(ledgerFile, async (ledger) => {
    const runs: RunRecord[] = [];
    for (const run of await ledger.runs())
      runs.push(await withSettings(ledger, await counted(ledger, run)));
    return runs;
  });
}

/** One run with its counts. @throws UsageError when the ledger does not have it. */
export async function showRun(wanted: string, ledgerFile = DEFAULT_LEDGER): Promise<RunRecord> {
  return withLedger(ledgerFile, async (ledger) => {
    const recorded = await recordedRun(ledger, ledgerFile, wanted);
    const run = await withSettings(ledger, await counted(ledger, recorded));
    return run.state === 'finished' ? run : { ...run, waiting: await ledger.waitingOf(run.run) };
  });
}

/**
 * Every row of a run with its outcome, in order; of a run that has not come to its end, those that it has got to. The
 * ledger is read as the rows are taken.
 * @throws InputError when there is no ledger, UsageError when it does not have the run.
 */
export async function* runRows(
  wanted: string,
  ledgerFile = DEFAULT_LEDGER,
): AsyncGenerator<RowReport, void, undefined> {
  const ledger = await existingLedger(ledgerFile);
  try {
    const run = await recordedRun(ledger, ledgerFile, wanted);
    yield* reportedRows(run, await ledger.rowsOf(run.run));
  } finally {
    await ledger.close();
  }
}

/** Id of the latest run of a ledger. @throws InputError when there is no ledger, UsageError when it has no run */
export function latestRunId(ledgerFile = DEFAULT_LEDGER): Promise<string> {
  return withLedger(ledgerFile, async (ledger) => {
    const { run } = await latestRun(ledger, ledgerFile);
    return run;
  });
}

/**
 * Id of the latest run that can be taken back. One that was taken back already is named again: what was done before it
 * is not undone because a command was given twice.
 * @throws as `latestRunId` does
 */
export function latestUndoable(ledgerFile = DEFAULT_LEDGER): Promise<RunRecord> {
  return withLedger(ledgerFile, async (ledger) => {
    const canBeUndone = ({ mode, unread }: RunRecord): boolean =>
      unread === undefined && MODE_TRAITS[mode].notUndoable === null;
    const what = 'run that can be taken back';
    return latestRun(ledger, ledgerFile, canBeUndone, what);
  });
}

/** Where a run was: what an undo needs to know before it can begin. @throws UsageError */
export async function placeOfRun(
  wanted: string,
  ledgerFile = DEFAULT_LEDGER,
): Promise<{ readonly installation: string; readonly sandbox: boolean }> {
  return withLedger(ledgerFile, async (ledger) => {
    const { run } = await recordedRun(ledger, ledgerFile, wanted);
    return readPlace(run, await ledger.settingsOf(run));
  });
}

/**
 * Forgets finished runs that ended so many milliseconds ago. Returns their ids. `reports`: whether what they left in the
 * folders of their reports goes with them.
 */
export async function pruneRuns(
  olderThanMs: number,
  ledgerFile = DEFAULT_LEDGER,
  { reports = false } = {},
): Promise<string[]> {
  return withLedger(ledgerFile, async (ledger) => {
    const runs = new Map(reports ? (await ledger.runs()).map((run) => [run.run, run]) : []);
    return ledger.prune(Date.now() - olderThanMs, (old) => {
      for (const id of old) {
        const run = runs.get(id);
        if (run) removeKept(run);
      }
    });
  });
}

/** With the name of its campaign, and whether it was in a sandbox, where the run kept that. */
export async function withSettings(ledger: Ledger, run: RunRecord): Promise<RunRecord> {
  const kept = await ledger.settingsOf(run.run);
  const campaignName =
    run.campaignId === null ? undefined : readSettingsForReport(kept)?.campaign?.name;
  return { ...run, ...defined({ campaignName, isSandbox: wasInSandbox(kept) }) };
}

/** Counts from the facts where no process could leave them behind. */
async function counted(ledger: Ledger, run: RunRecord): Promise<RunRecord> {
  if (run.rows !== null) return run;
  const outcomes = noOutcomes();
  let rows = 0;
  for (const row of await ledger.rowsOf(run.run)) {
    outcomes[row.outcome]++;
    rows++;
  }
  return { ...run, rows, outcomes };
}

/** Opens a ledger that is there. @throws InputError when there is none. */
export async function existingLedger(file: string, options: LedgerOptions = {}): Promise<Ledger> {
  if (hasLedger(file)) return openLedger(file, options);
  const reason = 'there is no ledger here. Check its path, which --ledger gives.';
  throw new InputError('no_such_file', reason, { file });
}

/** Opens a ledger that is there, for as long as `use` takes. */
export async function withLedger<T>(
  file: string,
  use: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const ledger = await existingLedger(file);
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}
