import type { EarlierRun, KnownScope, RunIdentity, RunLedger, RunRecord } from '../core/ledger.js';

export interface RunRequest {
  readonly identity: RunIdentity;
  /** Whatever is needed to begin the run again; kept with it. */
  readonly settings: object;
  /** Folder of the report, by the id of a new run. */
  readonly out: (run: string) => string;
  /** Begin a new run, whatever the ledger has. */
  readonly again?: boolean | undefined;
  /** Begin a new run where an earlier one has been done. */
  readonly repeatable?: boolean | undefined;
  /** Continue this run and no other. */
  readonly run?: string | undefined;
  /** Which rows of earlier runs a new run knows of. @default none */
  readonly knows?: KnownScope | undefined;
  /** Go on although facts were lost: what is not on record is looked up before it is sent. */
  readonly settleAll?: boolean | undefined;
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
      /** Puts the digest of the content on record, where it was not known when the run began. */
      identify(content: string): void;
      close(): void;
    }
  | { readonly kind: 'done'; readonly record: RunRecord }
  /** The digest of large inputs decides, and is not in the identity yet: open it again with it. */
  | { readonly kind: 'digest' };
