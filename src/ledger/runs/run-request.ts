import type {
  EarlierRun,
  KnownScope,
  MayBegin,
  RunIdentity,
  RunLedger,
  RunRecord,
} from '../../core/ledger.js';
import type { Moment } from '../../core/time.js';
import type { RunMode } from '../../core/mode.js';
import type { SharedWork } from '../postgres/shared/shared-runs.js';

/** Which earlier runs a new one knows of. */
export interface KnownRuns {
  readonly scope: KnownScope;
  readonly modes: ReadonlySet<RunMode>;
  /** The list that the run is an issue of: runs of the issues before are known, however they ended. */
  readonly list?: string | undefined;
}

export interface RunRequest {
  readonly identity: RunIdentity;
  /** Whatever is needed to begin the run again; kept with it. */
  readonly settings: object;
  /** What replaces a part of the settings where the run goes on; `undefined` takes a part away. @default nothing */
  readonly renewed?: Readonly<Record<string, unknown>> | undefined;
  /** Folder of the report, by the id of a new run. */
  readonly out: (run: string) => string;
  /** Begin a new run, whatever the ledger has. */
  readonly again?: boolean | undefined;
  /** The run only reads: it is done again where an earlier one has been, and neither binds an import nor is bound by one. */
  readonly readsOnly?: boolean | undefined;
  /** Continue this run and no other. */
  readonly run?: string | undefined;
  /** Of which earlier runs a new run knows the rows. @default none */
  readonly knows?: KnownRuns | null | undefined;
  /** Go on although facts were lost: what is not on record is looked up before it is sent. */
  readonly settleAll?: boolean | undefined;
  /** Lets several machines work on the run: what workers need to know, as JSON. @default one process works on it */
  readonly shared?: string | undefined;
  /** Whether whoever shares it has something left to do, and ends it, when all pieces have ended. @default false */
  readonly stays?: boolean | undefined;
  /** When the command began, for which the run is opened. @default what others did meanwhile is not looked at */
  readonly begun?: Moment | undefined;
  /** Whether nothing is begun while others are at work on the same contact center. @default false */
  readonly waitsForRuns?: boolean | undefined;
  /** Whether the digest of large inputs cannot be had: what they show at once has to do. @default false */
  readonly isContentFinal?: boolean | undefined;
}

/** A run that is open for work, or the record of one that has been done already. */
export type OpenedRun =
  | {
      readonly kind: 'open';
      readonly ledger: RunLedger;
      readonly out: string;
      /** Earlier runs whose rows this one knows of, the latest first. */
      readonly relies: readonly EarlierRun[];
      /** Ids of other runs that are at work on the same contact center, the latest first. */
      readonly beside: readonly string[];
      /** Whether a request of the run may leave. */
      readonly mayBegin: MayBegin;
      /** Makes sure that nobody else has the run. @throws RunTakenError */
      confirm(): Promise<void>;
      /** Present where the run is shared: this process hands its pieces over. */
      readonly shared?: SharedWork;
      /** Puts the digest of the content on record, where it was not known when the run began. */
      identify(content: string): Promise<void>;
      /** Keeps more with the settings of the run. */
      keep(more: Readonly<Record<string, unknown>>): Promise<void>;
      close(): Promise<void>;
    }
  | { readonly kind: 'done'; readonly record: RunRecord }
  /** Others are at work, and are to be waited for: these, the latest first. Open it again then. */
  | { readonly kind: 'wait'; readonly runs: readonly string[] }
  /** The digest of large inputs decides, and is not in the identity yet: open it again with it. */
  | { readonly kind: 'digest' };
