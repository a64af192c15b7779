import type {
  ImportRequest,
  ImportResult,
  CheckResult as Checked,
  ImportResult as Ended,
} from '../run/requests.js';
import { EXIT, isInterruption, type ExitCode } from '../core/errors.js';
import type { Mode, RunMode } from '../core/mode.js';
import { noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import type { Summary } from '../core/report.js';
import {
  ledgerPath,
  PLACE_KINDS,
  type PlaceKind,
  refuseUnusablePlaces,
} from '../options/places.js';
import { loadInstallation } from '../installation/load.js';

/** What a run does, and what it has on record where it goes on with an earlier part. */
interface Known {
  readonly mode: RunMode;
  /** @default it is not on record */
  readonly run?: string | undefined;
}

/**
 * A run as it ends: also where it was stopped so early that the ledger does not have it.
 * @param known found out in this case alone
 */
export async function resultOf(
  executing: Promise<ImportResult>,
  known: () => Known | Promise<Known>,
): Promise<RunResult> {
  try {
    return runResult(await executing);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    return notBegun(await known(), error.message);
  }
}

/** The mode of an import that has not read its mapping, or not said what it read. @throws ConfigurationError */
export async function modeOf(
  request: Pick<ImportRequest, 'mapping' | 'installation' | 'mode'>,
): Promise<{ readonly mode: Mode }> {
  const { plannedImport } = await import('../run/import.js');
  return { mode: request.mode ?? (await plannedImport(request)).mode };
}

function notBegun({ mode, run = '' }: Known, stopped: string): RunResult {
  const counts = { rows: 0, outcomes: noOutcomes() };
  const none = { requests: 0, retries: 0, seconds: 0, rowsPerSecond: 0, inputs: [] };
  const state = 'stopped';
  return {
    ...{ run, mode, state, exitCode: EXIT.stopped, ...counts, rejects: [] },
    summary: { run, mode, ...counts, ...none, state, campaignId: null, ledger: '' },
    ...{ out: '', report: '', ledger: '', stopped },
  };
}

/**
 * How rows ended, whichever function worked on them. The fields that a run on record has too (`run`, `mode`, `state`,
 * `rows`, `outcomes`) have the same names and meanings there.
 */
export interface Result {
  /** Id of the run in the ledger; `null` for a check, which keeps none. */
  readonly run: string | null;
  /** What was done with the rows: the mode of an import or a check, `undo`, or `reconcile`. */
  readonly mode: RunMode;
  /** `finished`, or `stopped` when `resumeRun` can go on with it. */
  readonly state: 'finished' | 'stopped';
  /**
   * That of the command: 0 when every row ended well, 2 when some did not, 3 when the run stopped and can be continued,
   * 64 when the input turned out to be broken.
   */
  readonly exitCode: ExitCode;
  /** Data rows that were read and have ended. */
  readonly rows: number;
  /** Rows by outcome; those of a run add up to `rows`. */
  readonly outcomes: OutcomeCounts;
  /** Absolute paths of the files of rows that did not end well, one for each input that has any. */
  readonly rejects: readonly string[];
  /** What the command prints with `--json`. */
  readonly summary: Summary | CheckSummary;
}

/**
 * How a run ended. Errors that come before the first request are thrown; whatever comes later stands here, and so does
 * that it was stopped, whenever that was.
 */
export interface RunResult extends Result {
  /** Id of the run; empty, as `out`, `report` and `ledger` are, when it was stopped before the ledger had it. */
  readonly run: string;
  /** The content of `summary.json`: requests, retries, seconds, and what is left to do. */
  readonly summary: Summary;
  /** Absolute path of the folder with the report. */
  readonly out: string;
  /** Absolute path of `report.csv`; empty where it could not be written. */
  readonly report: string;
  /** Absolute path of the ledger. */
  readonly ledger: string;
  /** Set when the same was done by an earlier run: nothing was sent, and all fields are those of that run. */
  readonly already?: true;
  /** With `already`: when that run ended, in milliseconds since the epoch. */
  readonly endedAt?: number;
  /** With the state `stopped`: why, for a person. */
  readonly stopped?: string;
}

/** What a check found: rows that would be sent (`clients`), reasons of the others, and clients as they would be sent. */
export type CheckSummary = Omit<Checked, 'exitCode' | 'mode' | 'rejects'>;

/** How a check ended. Of `outcomes`, `rejected` and `skipped` alone are known: nothing was sent. */
export interface CheckResult extends Result {
  readonly run: null;
  readonly mode: Mode;
  readonly state: 'finished';
  readonly summary: CheckSummary;
}

/** What a run came to, as the library gives it. */
function runResult({ exitCode, summary, stoppedBy: _, ...files }: Ended): RunResult {
  const { run, mode, state, rows, outcomes } = summary;
  return { run, mode, state, exitCode, rows, outcomes, summary, ...files };
}

/** What a check came to, as the library gives it. */
export function checkResult({ exitCode, mode, rejects, ...summary }: Checked): CheckResult {
  const { rows, rejected, skipped } = summary;
  const outcomes = { ...noOutcomes(), rejected, skipped };
  return { run: null, mode, state: 'finished', exitCode, rows, outcomes, rejects, summary };
}

/** Where to look for runs. */
export interface LedgerOptions {
  /** Path of the ledger. @default the installation's `ledger`, else 'cardline.db' */
  readonly ledger?: string | undefined;
  /** Path of an installation file, whose ledger is used. @default none */
  readonly installation?: string | undefined;
}

/** Path of the ledger that the options mean. @throws ConfigurationError; UsageError where none can be */
export async function ledgerOf({ ledger, installation }: LedgerOptions): Promise<string> {
  refusePlaces({ ledger }, { ledger: 'read ledger' });
  if (ledger !== undefined || installation === undefined) return ledgerPath(ledger, {});
  return ledgerPath(undefined, await loadInstallation(installation));
}

/** What runs write, by the option that names its place. */
const OF_RUNS = { ...PLACE_KINDS, fix: 'folder' } as const;

/**
 * Makes sure that something can be written where the options say, before anything else is done.
 * @param kinds what is going to be there, by option. @default what runs write
 * @throws UsageError with every place that does not do
 */
export const refusePlaces = (
  options: object,
  kinds: Readonly<Record<string, PlaceKind>> = OF_RUNS,
): void => {
  refuseUnusablePlaces({ ...options }, kinds, (name) => name);
};
