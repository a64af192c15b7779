import type { CardlineError } from './errors.js';
import type { Fact, WaitingRows } from './facts.js';
import type { RunMode } from './outcome.js';
import type { OutcomeCounts } from './outcome.js';
import type { RowReport } from './report.js';

/** What a run is bound to: where one of these changes, it is not continued. */
export interface RunIdentity {
  /** Absolute paths of the inputs; `standard input` for that. */
  readonly inputs: readonly string[];
  /** Digest of what the inputs hold. Of large inputs, as long as it is not known, `fingerprint.content`. */
  readonly content: string;
  /** What large inputs show at once; absent where they were digested before the run began. */
  readonly fingerprint?: QuickFingerprint | undefined;
  /** Digest of the mapping file. */
  readonly mapping: string;
  /** Name and address of the installation, and its synchronization identifiers. */
  readonly installation: string;
  readonly campaignId: number | null;
  /** Whatever else decides what is sent, as texts or digests, by the words that name them when they have changed. */
  readonly parts?: Readonly<Record<string, string>> | undefined;
}

/**
 * The list that a run is one issue of, as its settings keep it: only what has changed since the issues before is sent.
 */
export interface ListIssue {
  /** What the issues of a list have in common beside the contact center. */
  readonly list: string;
  /** Digest of the mapping and of its tables. */
  readonly mapping: string;
  /** Whether the run had all rows, and not a part of them. */
  readonly isWhole: boolean;
}

/** What distinguishes large inputs before they have been read. */
interface QuickFingerprint {
  /** Their sizes and samples: another one is surely another content. */
  readonly sample: string;
  /** Fingerprint and times of change, which stand for the content until its digest is known. */
  readonly content: string;
}

/**
 * Asked right before a request is written: whether it may be, since nobody else can have the run. `false`: not now, though
 * perhaps later; an error: never again, and why.
 */
export type MayBegin = () => boolean | CardlineError;

/** The facts of one run, while it works. */
export interface RunLedger {
  readonly run: string;
  /** Whether the run had begun before. */
  readonly continued: boolean;
  /** Whether the process that worked on it before died, so that nobody was told what it had found out. @default false */
  readonly brokeOff?: boolean;
  /** Whether facts of the run were lost, so that what is not on record may have been sent all the same. */
  readonly settlesAll: boolean;
  /**
   * Records facts of a chunk, all or none. They are on the disk when the promise resolves.
   * @throws LedgerError when they cannot be written.
   */
  record(chunk: number, facts: readonly Fact[]): Promise<void>;
  /** The facts of a chunk so far, in the order of recording. */
  factsOf(chunk: number): Promise<readonly Fact[]>;
  /**
   * Every data row of the run with its outcome, in the order of the rows; those for which a stopped run has yet to send
   * something are left out. They are read as they are taken, anew with each iteration.
   */
  rows(): Promise<Iterable<RowReport>>;
  /** Rows that are on record, and for which something is yet to be sent. */
  waiting(): Promise<WaitingRows>;
  /** Puts on record how the run stands when its process ends. */
  end(state: RunEnd): Promise<void>;
}

export interface RunEnd {
  /** `finished`: nothing is left to do; `open`: all is sent, something is unknown; `stopped`: not all is sent. */
  readonly state: 'finished' | 'open' | 'stopped';
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
}

/** A run as it is listed. */
export interface RunRecord {
  readonly run: string;
  readonly mode: RunMode;
  /** `running`: a process works on it; `broken_off`: its process died. */
  readonly state: RunEnd['state'] | 'running' | 'broken_off';
  readonly inputs: readonly string[];
  readonly campaignId: number | null;
  /** Name of the campaign; absent where it is not known. */
  readonly campaignName?: string;
  /** Whether it was in a sandbox on this machine, so that no real contact center was changed; absent where it is not known. */
  readonly isSandbox?: boolean;
  readonly installation: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** Folder of the report. */
  readonly out: string;
  /** `null` when the process died before it could count. */
  readonly rows: number | null;
  readonly outcomes: OutcomeCounts | null;
  /** Why its file could not be read, in a sentence; absent where it could. */
  readonly unread?: string;
  /** Rows for which something is yet to be sent; absent where they were not counted. */
  readonly waiting?: WaitingRows;
}

/** An earlier run whose rows a new one knows of. */
export interface EarlierRun extends RunRecord {
  /** Ids of runs that took it back, or began to. */
  readonly undos: readonly string[];
  /** Whether one was taken back since whose rows this one took as they were. */
  readonly reliesOnUndone: boolean;
  /** The list that it is an issue of, or from which clients were missing that it removed; `null`: none. */
  readonly list: string | null;
}

/** Any address, or what is meant as one: a ledger in a file of that name would know nothing of the runs in the database. */
const ADDRESS = /^(?:[^/\\]{2,}:\/\/|\s*postgres(?:ql)?:)/i;

/** Whether the text is meant to name a ledger in PostgreSQL, and no file. */
export const isPostgresAddress = (text: string): boolean => ADDRESS.test(text);

/** How a request ended: `refused` for 429 and 503, with what the contact center asked for. */
export interface RequestEnding {
  readonly refused: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The permit of one request, which leaves in the turn in which it is given. */
export interface Permit {
  /** Whether it had to be waited for. */
  readonly waited: boolean;
  /** To be called once: the request has been answered, or nobody waits for its answer any more. */
  ended(ending: RequestEnding): void;
  /** In its place: the request did not leave. */
  unused(): void;
}

/** Permits that machines share. */
export interface SharedPermits {
  /**
   * Resolves when a request with so many clients may leave; rejects with the signal's reason when it is aborted before.
   * @throws LedgerError when permits cannot be drawn for longer than the run's patience
   */
  take(clients: number, signal: AbortSignal): Promise<Permit>;
  /** How many requests this run may have in flight now; `Infinity`: as many as it likes. */
  concurrency(): number;
  /** Gives everything back. */
  close(): Promise<void>;
}
