import type { ClientChanges } from '../core/center.js';
import type { Installation } from '../installation/installation.js';
import type { RunMode } from '../core/mode.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { RowReport } from '../core/report.js';
import type { CampaignSettings, ChangeRule, Inspect } from '../delivery/import.js';
import type { DuplicateRule, EarlierRows, LaterRows } from '../core/duplicates.js';
import type { RowsBefore, WantedBefore } from './count-rows.js';
import type { ListPlan } from './list.js';
import type { DeltaPlan } from './delta-plan.js';
import type { RecoveryParts, Connection } from './connect.js';
import type { RunIdentity } from '../core/ledger.js';
import type { Ledger } from '../ledger/port.js';
import type { Content } from './content.js';

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

export interface RejectsSettings {
  /** Folder of the reports. */
  readonly out: string;
  /** All rows of the run in order. To be iterated more than once. */
  readonly rows: Iterable<RowReport>;
  readonly onWarning: (message: string) => void;
}

/** What a run works on: the rows of an import, or what an earlier run did. */
export interface RunPlan {
  readonly mode: RunMode;
  readonly installation: Installation;
  /** The campaign that the run has to do with. */
  readonly campaign: CampaignSettings | null;
  readonly duplicates: DuplicateRule;
  /** Where only what has changed since earlier lists is sent. @default all rows are */
  readonly delta?: DeltaPlan | undefined;
  /** Finds out which rows give way to later ones; absent where none can. */
  readonly findLater?: (
    earlier: EarlierRows | undefined,
    signal?: AbortSignal,
  ) => Promise<LaterRows>;
  readonly identifierNames: readonly string[];
  /** Names of the inputs, for the person. */
  readonly inputs: readonly string[];
  /** The same rows each time. To be called once. */
  readonly chunks: () => AsyncIterable<PreparedChunk>;
  /** Reads the rows before anything is sent. */
  readonly countRows: (wanted: WantedBefore, signal?: AbortSignal) => Promise<RowsBefore>;
  /** What is found out about the list; absent where there is none. */
  readonly list?: ListPlan;
  /** The same as of the moment at which an earlier part of the run began; absent where no rule depends on the time. */
  readonly asOf?: (moment: number) => RunPlan;
  /** How clients that exist are changed; `null` when none is. */
  readonly changeRule: (changes: ClientChanges) => ChangeRule | null;
  /** Compares clients in place of changing them. */
  readonly inspect?: (changes: ClientChanges) => Inspect;
  readonly recovery: RecoveryParts;
  /** What takes the rows that did not end well, and makes of them what is to be imported again. */
  readonly openRejects?: (settings: RejectsSettings) => Promise<Rejects>;
}

/** What a run needs beside its request and its plan. */
export interface RunParts {
  readonly ledger: Ledger;
  readonly identity: RunIdentity;
  /** What the inputs hold, where the identity may not know it yet. */
  readonly content?: Content;
  /** Whatever is needed to begin the run again without its command. */
  readonly settings: object;
  readonly connection: Connection;
  /** Requests that were made before the run began. */
  readonly before: () => number;
}
