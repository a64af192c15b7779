import { existsSync } from 'node:fs';
import { InputError, UsageError } from '../core/errors.js';
import { defined } from '../core/defined.js';
import type { RunRecord } from '../core/ledger.js';
import { noOutcomes } from '../core/outcome.js';
import { type Ledger, openLedger } from '../ledger/ledger.js';
import { DEFAULT_LEDGER } from './defaults.js';
import type { ImportRequest } from './requests.js';
import { readSettings } from './run-settings.js';

/** What is needed to go on with a run. */
export interface Resumption {
  readonly request: ImportRequest;
  /** Whether the run uses the embedded sandbox. */
  readonly sandbox: boolean;
}

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
        ? runs.find(({ state }) => state !== 'finished')
        : runs.find(({ run: id }) => id === wanted);
    if (!run) throw noSuchRun(ledgerFile, wanted);
    const { sandbox, campaign, source, ...files } = readSettings(
      run.run,
      ledger.settingsOf(run.run),
    );
    return {
      sandbox,
      request: {
        ...files,
        ...defined({ source: source && defined(source) }),
        ...(campaign ? { campaign: defined(campaign) } : {}),
        ledger: ledgerFile,
        run: run.run,
      },
    };
  });
}

function noSuchRun(ledger: string, wanted: string | undefined): UsageError {
  return new UsageError(
    wanted === undefined
      ? `Every run in ${ledger} is finished; there is nothing to resume.`
      : `${ledger} has no run ${wanted}; "cardline runs" lists what it has.`,
  );
}

/** All runs of a ledger, the latest first, with their counts. */
export async function listRuns(ledgerFile = DEFAULT_LEDGER): Promise<RunRecord[]> {
  return withLedger(ledgerFile, (ledger) => ledger.runs().map((run) => counted(ledger, run)));
}

/** One run with its counts. @throws UsageError when the ledger does not have it. */
export async function showRun(wanted: string, ledgerFile = DEFAULT_LEDGER): Promise<RunRecord> {
  return withLedger(ledgerFile, (ledger) => {
    const run = ledger.runs().find(({ run: id }) => id === wanted);
    if (!run) throw noSuchRun(ledgerFile, wanted);
    return counted(ledger, run);
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

async function withLedger<T>(file: string, use: (ledger: Ledger) => T): Promise<T> {
  if (!existsSync(file))
    throw new InputError('no_such_file', 'there is no ledger here. Give its path with --ledger.', {
      file,
    });
  const ledger = openLedger(file);
  try {
    return use(ledger);
  } finally {
    await ledger.close();
  }
}
