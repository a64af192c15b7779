import { existsSync } from 'node:fs';
import { InputError, UsageError } from '../../core/errors.js';
import { defined } from '../../core/defined.js';
import type { RunRecord } from '../../core/ledger.js';
import type { RowReport } from '../../core/report.js';
import { noOutcomes } from '../../core/outcome.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { nearest } from '../../config/nearest.js';
import { DEFAULT_LEDGER } from '../defaults.js';
import type {
  ImportRequest,
  ReconcileRequest,
  ReconcileRunRequest,
  UndoRequest,
} from '../requests.js';
import { toldRows } from '../run/run-rows.js';
import { readCheckSettings, readPlace, readSettings, readUndoSettings } from '../run/run-settings.js';

/** What is needed to go on with a run. `sandbox`: whether it uses the embedded sandbox. */
export type Resumption = { readonly sandbox: boolean } & (
  | { readonly kind: 'import'; readonly request: ImportRequest }
  | { readonly kind: 'undo'; readonly request: UndoRequest }
  | { readonly kind: 'reconcile'; readonly request: ReconcileRequest }
  | { readonly kind: 'check'; readonly request: ReconcileRunRequest }
);

/**
 * The request that goes on with a run: the one named, else the latest that is not finished.
 * @throws UsageError when there is none, or when it is finished.
 */
export async function resumption(
  ledgerFile = DEFAULT_LEDGER,
  wanted?: string,
): Promise<Resumption> {
  return withLedger(ledgerFile, (ledger) => {
    const runs = ledger.runs();
    const run =
      wanted === undefined
        ? runs.find(({ run: id }) => id === ledger.latestToResume())
        : runs.find(({ run: id }) => id === wanted);
    if (!run) throw noSuchRun(ledgerFile, wanted, runs);
    const kept = ledger.settingsOf(run.run);
    const undo = readUndoSettings(kept);
    if (undo) {
      const { mode: _, sandbox, ...wishes } = undo;
      const request = { ...wishes, ledger: ledgerFile, run: run.run };
      return { kind: 'undo', sandbox, request };
    }
    const check = readCheckSettings(kept);
    if (check) {
      const { mode: _, sandbox, ...wishes } = check;
      const request = { ...wishes, ledger: ledgerFile, run: run.run };
      return { kind: 'check', sandbox, request };
    }
    const {
      sandbox,
      campaign,
      source,
      fields,
      mode,
      wanted: wishes,
      ...files
    } = readSettings(run.run, kept);
    return {
      kind: mode === 'reconcile' ? 'reconcile' : 'import',
      sandbox,
      request: {
        ...files,
        ...defined({ source: source && defined(source) }),
        ...defined(wishes ?? {}),
        ...defined({ fields }),
        // It was confirmed when it began.
        confirmed: true,
        ...(campaign ? { campaign: defined(campaign) } : {}),
        ledger: ledgerFile,
        run: run.run,
      },
    };
  });
}

/** A run by its id. @throws UsageError when the ledger does not have it. */
export function recordedRun(ledger: Ledger, ledgerFile: string, wanted: string): RunRecord {
  const runs = ledger.runs();
  const run = runs.find(({ run: id }) => id === wanted);
  if (!run) throw noSuchRun(ledgerFile, wanted, runs);
  return run;
}

function noSuchRun(
  ledger: string,
  wanted: string | undefined,
  runs: readonly RunRecord[],
): UsageError {
  if (wanted === undefined)
    return new UsageError(`Every run in ${ledger} is finished; there is nothing to resume.`);
  const near = nearest(
    wanted,
    runs.map(({ run }) => run),
  );
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return new UsageError(
    `${ledger} has no run ${wanted}; "cardline runs" lists what it has.${meant}`,
  );
}

/** All runs of a ledger, the latest first, with their counts. */
export async function listRuns(ledgerFile = DEFAULT_LEDGER): Promise<RunRecord[]> {
  return withLedger(ledgerFile, (ledger) => ledger.runs().map((run) => counted(ledger, run)));
}

/** One run with its counts. @throws UsageError when the ledger does not have it. */
export async function showRun(wanted: string, ledgerFile = DEFAULT_LEDGER): Promise<RunRecord> {
  return withLedger(ledgerFile, (ledger) => {
    const run = counted(ledger, recordedRun(ledger, ledgerFile, wanted));
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
    yield* toldRows(run, ledger.rowsOf(run.run));
  } finally {
    await ledger.close();
  }
}

/** Where a run was: what an undo needs to know before it can begin. @throws UsageError */
export async function placeOfRun(
  wanted: string,
  ledgerFile = DEFAULT_LEDGER,
): Promise<{ readonly installation: string; readonly sandbox: boolean }> {
  return withLedger(ledgerFile, (ledger) => {
    const { run } = recordedRun(ledger, ledgerFile, wanted);
    const kept = ledger.settingsOf(run);
    return readUndoSettings(kept) ?? readCheckSettings(kept) ?? readPlace(run, kept);
  });
}

/** Forgets finished runs that ended so many milliseconds ago. Their reports stay. Returns their ids. */
export async function pruneRuns(
  olderThanMs: number,
  ledgerFile = DEFAULT_LEDGER,
): Promise<string[]> {
  return withLedger(ledgerFile, (ledger) => ledger.prune(Date.now() - olderThanMs));
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
export function existingLedger(file: string): Ledger {
  if (existsSync(file)) return openLedger(file);
  const reason = 'there is no ledger here. Give its path with --ledger.';
  throw new InputError('no_such_file', reason, { file });
}

async function withLedger<T>(file: string, use: (ledger: Ledger) => T): Promise<T> {
  const ledger = existingLedger(file);
  try {
    return use(ledger);
  } finally {
    await ledger.close();
  }
}
