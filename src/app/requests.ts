import type { ExitCode } from '../core/errors.js';
import type { Mode } from '../core/mode.js';
import type { ShownPayload } from '../core/client/prepared.js';
import type { ProblemCount } from '../core/problem.js';
import type { FailureLimit } from '../pipeline/guard.js';
import type { Progress, Summary } from '../core/report.js';
import type { SourceInfo, SourceOptions } from '../core/source.js';

/** What every use of a mapping over files has in common. */
export interface FilesRequest {
  /** Paths of the input files, in order; `-` is standard input. */
  readonly files: readonly string[];
  /** Path of the mapping file. */
  readonly mapping: string;
  /** What is done with every row. Wins over the mapping's `mode:`. @default 'create' */
  readonly mode?: Mode;
  /** Wins over the mapping's `source:` section. */
  readonly source?: SourceOptions;
  /** Folder for what is written. Default: `runs/<run id>`. */
  readonly out?: string;
  /** Whether an input without data rows ends with exit code 2. @default false */
  readonly expectRows?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** Told to the person as soon as it is known: one call for each input file. */
  readonly onInput?: (file: string, info: SourceInfo) => void;
  readonly onWarning?: (message: string) => void;
}

/** Which campaign the clients are added to. Wins over the mapping's `campaign:` section. */
export interface CampaignChoice {
  readonly id?: number;
  readonly name?: string;
  readonly maxCallCount?: number;
  readonly disableDuplicatePhonesValidation?: boolean;
}

/** How a run is carried out, whatever it does. */
export interface RunOptions {
  /** Path of the installation file. */
  readonly installation: string;
  /** Folder for what is written. Default: `runs/<run id>`. */
  readonly out?: string;
  readonly onProgress?: (progress: Progress) => void;
  readonly onWarning?: (message: string) => void;
  /** Address to use in place of the installation's, such as that of a sandbox. */
  readonly baseUrl?: string;
  /** Path of the ledger. @default the installation's `ledger`, else 'cardline.db' */
  readonly ledger?: string;
  /**
   * Goes on although the ledger has lost facts: every row of which nothing is on record is looked up before it is sent.
   * @default false
   */
  readonly settleAll?: boolean;
  /** Clients in one request; `auto`: found out, within the installation's limit, else 500. @default 'auto' */
  readonly batchSize?: number | 'auto';
  /** Requests in flight; `auto`: found out, within the installation's limit, else 32. @default 'auto' */
  readonly concurrency?: number | 'auto';
  /** Begin a new run, also when the same import is finished or not at its end; all its rows are sent. @default false */
  readonly again?: boolean;
  /** Continue this run and no other. */
  readonly run?: string;
  /** Time without one success after which the run stops, in milliseconds. @default 900000, and 10000 at the start */
  readonly giveUpAfterMs?: number;
  /**
   * How many rows may end badly before the run stops: a number, or a percentage of all rows of the input. These are
   * counted before the first of them is sent, up to a million; of a larger input, their number is estimated. Nothing is
   * sent when the rows that the mapping rejects are too many already. @default any
   */
  readonly maxFailures?: FailureLimit;
  /**
   * Clients that are sent first; the others follow only when, once all of these have ended, no more of them than
   * `maxFailures` did so badly, by default none. A percentage is one of these clients. @default 0
   */
  readonly canary?: number;
  /** Environment for `${NAME}` in the installation's headers. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop gently: what is in flight ends, reports are written, the run can be continued. */
  readonly signal?: AbortSignal;
}

export interface ImportRequest extends FilesRequest, RunOptions {
  readonly campaign?: CampaignChoice;
  /** Whether deleted clients are restored when they are created again. @default the mapping's `recovery` */
  readonly recovery?: boolean;
  /** Has to be true where rows are deleted. @default false */
  readonly confirmed?: boolean;
}

export interface UndoRequest extends RunOptions {
  /** The run that is taken back. */
  readonly undoes: string;
  /** Whether callbacks of the call applications go with them (interface.md 4.10). @default false */
  readonly cancelCallbacks?: boolean;
}

export interface ReconcileRequest extends ImportRequest {
  /** Card fields to compare. @default all that the mapping gives */
  readonly fields?: readonly string[];
  /** Folder for files that, imported, make every row match. */
  readonly fix?: string;
}

export interface ReconcileRunRequest extends RunOptions {
  /** The run whose report is checked. */
  readonly checks: string;
}

export interface ImportResult {
  readonly exitCode: ExitCode;
  readonly summary: Summary;
  /** Folder of the report. */
  readonly out: string;
  /** Paths of the files written; `report` is empty where it could not be. */
  readonly report: string;
  readonly rejects: readonly string[];
  /** Absolute path of the ledger that was used. */
  readonly ledger: string;
  /** Set when the same import was finished earlier: nothing was sent, and counts and exit code are those of that run. */
  readonly already?: true;
  /** When that run ended, in milliseconds since the epoch. */
  readonly endedAt?: number;
  /** Why the run stopped early, for the person. */
  readonly stopped?: string;
}

export interface CheckRequest extends FilesRequest {
  /** Path of the installation file; without it, card fields and identifiers are not checked. */
  readonly installation?: string;
  /** How many mapped clients to show. @default 3 */
  readonly show?: number;
  /** Aborted to give up; nothing is kept. */
  readonly signal?: AbortSignal;
}

export interface CheckResult {
  readonly exitCode: ExitCode;
  readonly inputs: readonly { readonly file: string; readonly info: SourceInfo }[];
  readonly rows: number;
  /** Rows that would be sent. */
  readonly clients: number;
  readonly rejected: number;
  readonly skipped: number;
  /** What would be sent for the first rows. */
  readonly sample: readonly ShownPayload[];
  readonly problems: readonly ProblemCount[];
  readonly rejects: readonly string[];
  readonly seconds: number;
}
