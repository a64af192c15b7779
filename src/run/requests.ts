import type { RunLedger } from '../core/ledger.js';
import type { ChangedInput, Progress, RunObserver, Summary } from '../core/report.js';
import type { CardlineError, ExitCode } from '../core/errors.js';
import type { CallSummary, Moment } from '../core/time.js';
import type { Mode, ProblemCount, SuppressedCount } from '../core/outcome.js';
import type { ShownPayload, PreparedChunk } from '../core/prepared.js';
import type { CheckOutcome, ListQuality } from '../core/quality.js';
import type { SourceInfo, SourceOptions } from '../core/table.js';
import type { LeaseTimes } from '../ledger/port.js';
import type { Suspicion } from '../mapping/column-uses.js';
import type { TopReasons } from '../report/reasons.js';
import type { RunOptionsOf } from '../options/run-options.js';
import type { FailureLimit, ImportState, PausePort, ReadSoFar } from '../delivery/import.js';

/** Who is told of what goes on, and may end it. */
interface Listening {
  /** Called while rows end. */
  readonly onProgress?: (progress: Progress) => void;
  /** Called with what does not stop the work, in words for a person. */
  readonly onWarning?: (message: string) => void;
  /** Environment for `${NAME}` in the installation's headers. @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop: a run gently, so that what is in flight ends, reports are written, and it can be continued. */
  readonly signal?: AbortSignal;
}

/** What every use of a mapping over files has in common. */
export interface FilesRequest
  extends
    Listening,
    Pick<RunOptionsOf<'check'>, 'mode' | 'out' | 'expectRows' | 'corrections' | 'leadPrice'> {
  /** Paths of the input files, in order; `-` is standard input. */
  readonly files: readonly string[];
  /** Names under which the person knows the files, in their order. @default the paths */
  readonly names?: readonly string[];
  /** Path of the mapping file. */
  readonly mapping: string;
  /** Wins over the mapping's `source:` section. @default that section */
  readonly source?: SourceOptions;
  /** Told to the person as soon as it is known: one call for each input file. */
  readonly onInput?: (file: string, info: SourceInfo) => void;
}

/** Which campaign the clients are added to. Wins over the mapping's `campaign:` section. */
export interface CampaignChoice {
  readonly id?: number;
  readonly name?: string;
  readonly maxCallCount?: number;
  readonly disableDuplicatePhonesValidation?: boolean;
}

/** How a run is carried out, whatever it does. */
export interface RunOptions
  extends
    Listening,
    RunOptionsOf<'resume'>,
    Pick<RunOptionsOf<'import'>, 'again' | 'shared' | 'detach' | 'waitForRuns'> {
  /** Times of leases in a ledger in PostgreSQL: the same on all machines. @default 30 s, renewed every 5 s */
  readonly lease?: LeaseTimes;
  /** Rows in a piece of a shared run; whole chunks of up to 1,000 make one. @default 50000 */
  readonly pieceRows?: number;
  /** Path of the installation file. */
  readonly installation: string;
  /** Address to use in place of the installation's, such as that of a sandbox. @default the installation's */
  readonly baseUrl?: string;
  /** Continue this run and no other. */
  readonly run?: string;
  /** When the command began: what others have done since is looked at anew. @default when the request is made */
  readonly begun?: Moment;
  /** Looks on, and may hold the run back. @default nobody */
  readonly watcher?: RunWatcher;
  /** Takes figures of the run. @default nobody */
  readonly observer?: RunObserver;
  /** Name of the pickup that the run belongs to, for its log and its traces. @default none */
  readonly pickup?: string;
}

export interface ImportRequest extends FilesRequest, RunOptions, RunOptionsOf<'import'> {
  readonly campaign?: CampaignChoice;
  /** Whether a file is taken whose encoding was found and is not sure; `onInput` is called with it. @default false */
  readonly acceptUnsureEncoding?: boolean;
  /** Whether the clients of rejects that lie elsewhere than their run left them are looked up before they are sent. @default false */
  readonly settlesStrays?: boolean;
}

export interface UndoRequest extends RunOptions, RunOptionsOf<'undo'> {
  /** The run that is taken back. */
  readonly undoes: string;
}

export interface ReconcileRequest extends ImportRequest, RunOptionsOf<'reconcile'> {}

export interface ReconcileRunRequest extends RunOptions {
  /** The run whose report is checked. */
  readonly checks: string;
}

/** A run to execute, new or continued. `sandbox`: whether it is sent to the embedded sandbox. */
export type ExecutableRun = { readonly sandbox: boolean } & (
  | { readonly kind: 'import'; readonly request: ImportRequest }
  | { readonly kind: 'reconcile'; readonly request: ReconcileRequest }
  | { readonly kind: 'undo'; readonly request: UndoRequest }
  | { readonly kind: 'check'; readonly request: ReconcileRunRequest }
);

export interface ImportResult {
  readonly exitCode: ExitCode;
  readonly summary: Summary;
  /** Folder of the report. */
  readonly out: string;
  /** Paths of the files written; `report` is empty where it could not be. */
  readonly report: string;
  readonly rejects: readonly string[];
  /** Why rows did not end well, with values from the file; absent when nothing was sent, or no report was written. */
  readonly reasons?: TopReasons;
  /** Set where the request was for a part of the rows: what it was, and what it left. */
  readonly trial?: Trial;
  /** Absolute path of the ledger that was used. */
  readonly ledger: string;
  /** How the clients were removed from the campaign that the list lacks; absent where none had to be. */
  readonly missing?: ImportResult;
  /** Set when the same import was finished earlier: nothing was sent, and counts and exit code are those of that run. */
  readonly already?: true;
  /** Set when the rows are handed over, and workers send them. */
  readonly detached?: true;
  /** When that run ended, in milliseconds since the epoch. */
  readonly endedAt?: number;
  /** Why the run stopped early, for the person. */
  readonly stopped?: string;
  /** What it stopped for, where the caller needs to know which error it was. */
  readonly stoppedBy?: CardlineError;
}

export interface CheckRequest extends FilesRequest, RunOptionsOf<'check'> {
  /** Path of the installation file; without it, card fields and identifiers are not checked. */
  readonly installation?: string;
  /**
   * Whether the contact center is asked for the hours of the campaign, to compare them with `callable`. @default false
   */
  readonly comparesCampaign?: boolean;
  /** The campaign whose hours are compared. @default the mapping's */
  readonly campaign?: CampaignChoice;
}

export interface CheckResult {
  readonly exitCode: ExitCode;
  /** The mode in force. */
  readonly mode: Mode;
  readonly inputs: readonly { readonly file: string; readonly info: SourceInfo }[];
  readonly rows: number;
  /** Rows that would be sent. */
  readonly clients: number;
  readonly rejected: number;
  readonly skipped: number;
  /** What would be sent for the first rows. */
  readonly sample: readonly ShownPayload[];
  readonly problems: readonly ProblemCount[];
  /** Why rows are rejected, with values from the file. */
  readonly reasons: TopReasons;
  /** Set where the request was for a part of the rows: what it was, and what it left. */
  readonly trial?: Trial;
  /** Values that would be left out, by column and code, the most frequent first. */
  readonly remarks: readonly ProblemCount[];
  /** What lists of numbers that must not be called did, the one that did most first. */
  readonly suppressed: readonly SuppressedCount[];
  /** Rows that would be left out as duplicates, by code, the most frequent first. */
  readonly duplicates: readonly ProblemCount[];
  /** Columns of which the mapping, and not the file, seems to be wrong. */
  readonly suspicions: readonly Suspicion[];
  /** What else is to be known of columns, such as marks that were taken off their cells: a sentence each. */
  readonly notes: readonly string[];
  /** When clients may be called; absent where the mapping has no hours. */
  readonly callable?: CallSummary;
  /** How good the list is; absent in modes whose rows bring nobody to be called. */
  readonly quality?: ListQuality;
  /** What the checks of the mapping came to; absent where it has none, or a part of the rows was read. */
  readonly checks?: readonly CheckOutcome[];
  /** Inputs that were changed while they were read; absent where none was. */
  readonly changedInputs?: readonly ChangedInput[];
  readonly rejects: readonly string[];
  readonly seconds: number;
}

/** Who looks on while a run is at work, and may hold it back. */
export interface RunWatcher {
  readonly pause: PausePort;
  /** Called when the run is open; `out`: folder of its report. */
  onRun(run: Pick<RunLedger, 'run' | 'continued'>, out: string): void;
  /** Called with each chunk before it is sent. */
  onChunk(chunk: Pick<PreparedChunk, 'problems'>): void;
  /** The ledger of the run, with an eye on the facts. */
  watched(ledger: RunLedger): RunLedger;
  /** Called while rows end; the object is one and the same each time. `counted`: rows that were counted before. */
  onState(state: ImportState, counted: ReadSoFar | undefined): void;
}

/**
 * In place of the limit of a run that has stopped for a person: its command is executed to learn how it stands, sends
 * nothing, and leaves the run the limits that it has.
 */
export const NOTHING_MORE: FailureLimit = { count: -1 };

/** What a trial has read of its inputs, and what it has left. */
export interface Trial {
  /** Data rows that it was about. */
  readonly rows: number;
  /** Number of the first and the last of them, in the input where they stand; `null` where there are none. */
  readonly first: number | null;
  readonly last: number | null;
  /** Data rows that were left out. */
  readonly left: number;
  /** Whether there may be more of them. */
  readonly hasMore: boolean;
}

/** Whether a trial was about all rows there are. */
export const isWhole = ({ rows, left, hasMore }: Trial): boolean =>
  rows > 0 && left === 0 && !hasMore;
