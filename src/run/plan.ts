import type { Recovery, Connection } from './connect.js';
import type { Content } from './content.js';
import type { RepeatRule } from './repeats.js';
import type { ListPlan } from './list.js';
import type { ImportResult } from './requests.js';
import type { RowsBefore, WantedBefore } from './rows.js';
import type { ClientChanges } from '../core/client.js';
import type { DuplicateRule, EarlierRows, LaterRows } from '../core/duplicates.js';
import type { ListIssue, RunIdentity } from '../core/ledger.js';
import type { RunMode } from '../core/outcome.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { RowReport } from '../core/report.js';
import type { CampaignSettings, ChangeRule, FailureLimit, Inspect } from '../delivery/import.js';
import type { Installation } from '../installation/installation.js';
import type { KnownRuns, Ledger } from '../ledger/port.js';

/** What sending rows takes, on whatever machine. */
export interface RowsToSend {
  readonly mode: RunMode;
  readonly installation: Installation;
  readonly campaign: CampaignSettings | null;
  readonly duplicates: DuplicateRule;
  readonly identifierNames: readonly string[];
  readonly inputs: readonly string[];
  /** The same rows each time. To be called once. */
  readonly chunks: () => AsyncIterable<PreparedChunk>;
  readonly changeRule: (changes: ClientChanges) => ChangeRule | null;
  readonly inspect?: (changes: ClientChanges) => Inspect;
  readonly recovery: Recovery;
}

/** What an import that sends only what has changed has to know. */
export interface DeltaPlan {
  readonly issue: ListIssue;
  readonly campaignId: number | null;
  readonly missing: 'keep' | 'dequeue';
  readonly maxMissing: FailureLimit;
  readonly rule: RepeatRule;
  readonly knows: KnownRuns;
  /** Reads the whole list once before anything is sent. */
  readonly readList: (signal?: AbortSignal) => AsyncIterable<PreparedChunk>;
}

/** What a run works on, and with: the rows of files, or what an earlier run did, once everything is open. */
export interface Work extends RowsToSend {
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly identity: RunIdentity;
  /** Whatever is needed to begin the run again without its command. */
  readonly settings: object;
  /** What the inputs hold, where the identity may not know it yet. */
  readonly content?: Content | undefined;
  /** Whether rows of which nothing is on record are looked up before they are sent. @default the request says it */
  readonly settleAll?: boolean | undefined;
  /** Requests that were made before the run began. @default none */
  readonly asked?: number;
  /** Where only what has changed since earlier lists is sent. @default all rows are */
  readonly delta?: DeltaPlan | undefined;
  /** What is found out about the list; absent where there is none. */
  readonly list?: ListPlan;
  /** Finds out which rows give way to later ones; absent where none can. */
  readonly findLater?: (
    earlier: EarlierRows | undefined,
    signal?: AbortSignal,
  ) => Promise<LaterRows>;
  /** Reads the rows before anything is sent. */
  readonly countRows: (wanted: WantedBefore, signal?: AbortSignal) => Promise<RowsBefore>;
  /** Called with when an earlier part of the run began: from then on, rules that depend on the time count from there. */
  readonly goOnAsOf?: (moment: number) => void;
  /**
   * What takes the rows that did not end well, and makes of them what is to be imported again.
   * @param out folder of the reports
   * @param rows all rows of the run in order; to be iterated more than once
   */
  readonly openRejects?: (
    out: string,
    rows: Iterable<RowReport>,
    warn: (message: string) => void,
  ) => Promise<Rejects> | Rejects;
  readonly finish?: (result: ImportResult) => Promise<ImportResult>;
}

/** Takes the rows that did not end well, while the report is written. */
export interface Rejects {
  /** The next of them, in their order. A failure is thrown by `close`: the report is to be whole. */
  write(rows: readonly RowReport[]): Promise<void>;
  /**
   * Resolves with the paths of the files written.
   * @throws OutputError when one cannot be written
   */
  close(): Promise<readonly string[]>;
  /** Forgets what was written; older files stay. */
  discard(): Promise<void>;
}
