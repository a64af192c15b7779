import { existsSync } from 'node:fs';
import { InputError } from '../../core/errors/errors.js';
import type { RunRecord } from '../../core/ledger.js';
import type { RowReport } from '../../core/report.js';
import { noOutcomes } from '../../core/outcome.js';
import { type Ledger, type LedgerOptions, openLedger } from '../../ledger/ledger.js';
import { DEFAULT_LEDGER } from '../defaults.js';
import { reportedRows } from '../run/run-rows.js';
import { readPlace, readSettingsForReport } from '../run/run-settings.js';
import { MODE_TRAITS } from '../../core/mode.js';
import { latestRun, recordedRun } from './recorded-run.js';

/** All runs of a ledger, the latest first, with their counts. */
export async function listRuns(ledgerFile = DEFAULT_LEDGER): Promise<RunRecord[]> {
  return withLedger(ledgerFile, (ledger) => ledger.runs().map((run) => withCampaign(ledger, counted(ledger, run))));
}

/** One run with its counts. @throws UsageError when the ledger does not have it. */
export async function showRun(wanted: string, ledgerFile = DEFAULT_LEDGER): Promise<RunRecord> {
  return withLedger(ledgerFile, (ledger) => {
    const run = withCampaign(ledger, counted(ledger, recordedRun(ledger, ledgerFile, wanted)));
    return run.state === 'finished' ? run : { ...run, waiting: ledger.waitingOf(run.run) };
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
  const ledger = existingLedger(ledgerFile);
  try {
    const run = recordedRun(ledger, ledgerFile, wanted);
    yield* reportedRows(run, ledger.rowsOf(run.run));
  } finally {
    await ledger.close();
  }
}

/** Id of the latest run of a ledger. @throws InputError when there is no ledger, UsageError when it has no run */
export function latestRunId(ledgerFile = DEFAULT_LEDGER): Promise<string> {
  return withLedger(ledgerFile, (ledger) => latestRun(ledger, ledgerFile).run);
}

/**
 * Id of the latest run that can be taken back. One that was taken back already is named again: what was done before it
 * is not undone because a command was given twice.
 * @throws as `latestRunId` does
 */
export function latestUndoable(ledgerFile = DEFAULT_LEDGER): Promise<string> {
  return withLedger(ledgerFile, (ledger) => {
    const canBeUndone = ({ mode }: RunRecord): boolean => MODE_TRAITS[mode].notUndoable === null;
    return latestRun(ledger, ledgerFile, canBeUndone, 'run that can be taken back').run;
  });
}

/** Where a run was: what an undo needs to know before it can begin. @throws UsageError */
export async function placeOfRun(
  wanted: string,
  ledgerFile = DEFAULT_LEDGER,
): Promise<{ readonly installation: string; readonly sandbox: boolean }> {
  return withLedger(ledgerFile, (ledger) => {
    const { run } = recordedRun(ledger, ledgerFile, wanted);
    return readPlace(run, ledger.settingsOf(run));
  });
}

/** Forgets finished runs that ended so many milliseconds ago. Their reports stay. Returns their ids. */
export async function pruneRuns(
  olderThanMs: number,
  ledgerFile = DEFAULT_LEDGER,
): Promise<string[]> {
  return withLedger(ledgerFile, (ledger) => ledger.prune(Date.now() - olderThanMs));
}

/** With the name of its campaign, where the run kept it. */
export function withCampaign(ledger: Ledger, run: RunRecord): RunRecord {
  if (run.campaignId === null) return run;
  const name = readSettingsForReport(ledger.settingsOf(run.run))?.campaign?.name;
  return name === undefined ? run : { ...run, campaignName: name };
}

/** Counts from the facts where no process could leave them behind. */
function counted(ledger: Ledger, run: RunRecord): RunRecord {
  if (run.rows !== null) return run;
  const outcomes = noOutcomes();
  let rows = 0;
  for (const row of ledger.rowsOf(run.run)) {
    outcomes[row.outcome]++;
    rows++;
  }
  return { ...run, rows, outcomes };
}

/** Opens a ledger that is there. @throws InputError when there is none. */
export function existingLedger(file: string, options: LedgerOptions = {}): Ledger {
  if (existsSync(file)) return openLedger(file, options);
  const reason = 'there is no ledger here. Give its path with --ledger.';
  throw new InputError('no_such_file', reason, { file });
}

/** Opens a ledger that is there, for as long as `use` takes. */
export async function withLedger<T>(file: string, use: (ledger: Ledger) => T): Promise<T> {
  const ledger = existingLedger(file);
  try {
    return use(ledger);
  } finally {
    await ledger.close();
  }
}
