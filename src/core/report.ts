import type {
  SuppressedCount,
  Problem,
  ProblemCount,
  RunMode,
  Outcome,
  OutcomeCounts,
} from './outcome.js';
import type { CallSummary, ZoneCounts, ZoneSource } from './time.js';
import type { Inspection } from './client.js';
import type { CheckOutcome, ListQuality } from './quality.js';
import type { Repeated } from './duplicates.js';
import { REJECTS_FORMATS } from './table.js';

/** An input that is not what it was when its command began. */
export interface ChangedInput {
  readonly name: string;
  /** Whether all of it had been read before: the rows of the run are those of the file as it was. */
  readonly wasRead: boolean;
  /** It changed so that neither size nor time showed it: rows of both may have been sent. */
  readonly isMixed?: boolean | undefined;
}

const NOT_ALL_AGAIN =
  'Import those that the report lacks, and only those: the others would be scheduled a second time.';

/** What happened to an input, and what to do. `mode`: that of the run, or `check`. */
export function changedText({ name, wasRead, isMixed }: ChangedInput, mode: string): string {
  if (mode === 'check')
    return `${name} was changed while it was being read: what was found is not of the whole file. Check it again, once nobody writes to it.`;
  if (wasRead)
    return `${name} was changed after it had been read: what it holds now was not imported. Import it again where that is another list.`;
  const next = mode === 'callbacks' ? NOT_ALL_AGAIN : 'Import it again, once nobody writes to it.';
  if (isMixed)
    return `${name} was replaced while it was being read, by another list of the same size and time: rows of both may have been sent, and the report says which. ${next}`;
  return `${name} was changed while it was being read: rows are missing, and what was read after the change was not sent. ${next}`;
}

/** Everything that a run knows of one row: a line of its report. */
export interface RowReport {
  /** Number of the data row over all inputs of the run, from 0. */
  readonly ordinal: number;
  /** Index of the input file. */
  readonly input: number;
  readonly sheet: string | null;
  readonly row: number;
  readonly uuid: string | null;
  /** Values of the synchronization identifiers, in the order of the run's `identifierNames`. */
  readonly identifiers: readonly (string | number | null)[];
  readonly outcome: Outcome;
  readonly createdClientId: number | null;
  /** `result` of 4.1, or the message of the refusal; `null` when it was not sent. */
  readonly createResult: string | null;
  /** `Success`, or the `errorMessage` of 4.9; `null` when it was not enqueued. */
  readonly enqueueResult: string | null;
  /** `Success`, or the message of the refusal of a change; `null` when nothing was to be changed. */
  readonly changeResult: string | null;
  /** What a comparison found; absent in other runs. */
  readonly inspection?: Inspection | undefined;
  readonly problems: readonly Problem[];
  /** What was left out of a row that is sent all the same; absent where nothing was. */
  readonly remarks?: readonly Problem[] | undefined;
  /** Lists of numbers that must not be called, for which its card was not added to the campaign; absent elsewhere. */
  readonly heldBy?: readonly string[] | undefined;
  /** Where the time zone of its client comes from; absent where the mapping does not find it by the phone. */
  readonly zoneFrom?: ZoneSource | undefined;
}

/** `summary.json`. */
export interface Summary {
  readonly run: string;
  /** What was done with the rows; `undo` for a run that took another one back. */
  readonly mode: RunMode;
  /** Data rows that have ended: the sum of `outcomes`. Of a finished run, every data row read. */
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
  /** Rows that are not alone with their client: of a comparison alone. */
  readonly repeated?: Repeated;
  /** Values that were left out, by column and code, the most frequent first; absent where none was. */
  readonly remarks?: readonly ProblemCount[];
  /** Rows that were left out as duplicates, by code, the most frequent first; absent where none was. */
  readonly duplicates?: readonly ProblemCount[];
  /** Clients by where their time zone comes from; absent where the mapping does not find it by the phone. */
  readonly timeZones?: ZoneCounts;
  /** What lists of numbers that must not be called did, the one that did most first; absent where they did nothing. */
  readonly suppressed?: readonly SuppressedCount[];
  /** When clients may be called; absent where the mapping has no hours. */
  readonly callable?: CallSummary;
  /** How good the list is; absent in modes whose rows bring nobody to be called. */
  readonly quality?: ListQuality;
  /** What the checks of the mapping came to; absent where it has none, and of a run that stopped. */
  readonly checks?: readonly CheckOutcome[];
  /** Requests sent to the contact center, retries included. */
  readonly requests: number;
  readonly retries: number;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  /** Rows that were read, and for which something is yet to be sent: with a stopped run alone. */
  readonly waiting?: number;
  /** Those among the waiting rows whose card exists: they are yet to be added to the campaign. Absent when none. */
  readonly waitingWithCard?: number;
  /** Rows that a stopped run never read. Absent when none, and when nothing is known of them. */
  readonly unread?: number;
  /** Whether `unread` is an estimate, from the share of the input that was read. */
  readonly unreadIsEstimated?: true;
  /** `finished`, or `stopped` when it can be continued. */
  readonly state: 'finished' | 'stopped';
  /** Inputs that were changed while the run worked on them; absent where none was. */
  readonly changedInputs?: readonly ChangedInput[];
  readonly inputs: readonly string[];
  readonly campaignId: number | null;
  /** Absolute path of the ledger in which the run is kept. */
  readonly ledger: string;
}

/** The progress of a run, reported while it works. */
export interface Progress {
  /** Rows that have ended. */
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
  /** Share of all rows that has ended, 0 to 1; estimated where the rows were not counted before. */
  readonly share: number;
  readonly seconds: number;
}

/** What a run is at, in this order: what is not needed is left out. */
type RunPhase = 'open' | 'count' | 'send' | 'report';

/** Where the sending of a run stands. It lives on, and is looked at whenever somebody wants to know. */
export interface SendingState {
  /** Data rows that have been read. */
  readonly rows: number;
  /** Share of the input that has been read, 0 to 1. */
  readonly share: number;
  /** Rows that have ended, and those among them that did so in an earlier part of the run. */
  readonly outcomes: OutcomeCounts;
  readonly earlier: OutcomeCounts;
  readonly inFlight: number;
  readonly retries: number;
  /** What the limiter permits. */
  readonly concurrency: number;
  readonly batchSize: number;
  /** Whether the circuit breaker keeps requests back. */
  readonly isHeld: boolean;
}

/** One request that has ended. */
export interface EndedRequest {
  readonly operation: string;
  /** HTTP status; absent where no whole answer came. */
  readonly status?: number;
  readonly milliseconds: number;
}

/** How a run ended: with a result, or with an error that kept it from having one. */
export type ObservedEnd =
  | {
      readonly result: {
        readonly exitCode: number;
        readonly summary: Summary;
        readonly already?: true;
      };
    }
  | { readonly error: unknown };

/**
 * Takes figures of a run while it is at work. It is called in the thread that sends, once a request and seldom else:
 * whatever it does has to be quick, and must not throw.
 */
export interface RunObserver {
  onPhase?(phase: RunPhase): void;
  /** The run is open. */
  onRun?(run: { readonly run: string; readonly mode: string; readonly continued: boolean }): void;
  onSending?(state: SendingState): void;
  onRequest?(request: EndedRequest): void;
  onEnd?(end: ObservedEnd): void;
}

/** The columns that a rejects file has in addition to those of its input. */
export const OUTCOME_COLUMN = 'cardline:outcome';
export const PROBLEMS_COLUMN = 'cardline:problems';

/** How the files of rejects are called that a run leaves in its folder. */
export const REJECTS_NAME = new RegExp(`^rejects(-\\d+)?\\.(${REJECTS_FORMATS.join('|')})$`);
