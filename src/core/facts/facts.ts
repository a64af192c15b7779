import type { Earlier } from '../change.js';
import type { DoneBy } from '../duplicates/done-by.js';
import type { Inspection } from '../inspection.js';
import type { Outcome } from '../outcome.js';
import type { Problem } from '../problem.js';
import type { RowRecord } from '../client/prepared.js';

/**
 * What a run learns, as it learns it. A fact belongs to one chunk of rows; rows are identified by their position in it.
 * The order of recording is the order of events. How a row stands is derived from them (`fold.ts`), never kept.
 */
export type Fact =
  /** `data` is the JSON text of a `ReadFact`, in UTF-8 on its way to the ledger. */
  | { readonly kind: 'read'; readonly data: string | Uint8Array }
  /** Rows that repeat an earlier one and are not sent. */
  | { readonly kind: 'duplicates'; readonly rows: readonly (readonly [at: number, why: Problem])[] }
  /** Rows of which an earlier run did all, or a part: `skipped` need nothing any more, cards of `created` exist. */
  | {
      readonly kind: 'known';
      readonly skipped: readonly (readonly [at: number, by: DoneBy | OldSkip])[];
      readonly created: readonly (readonly [
        at: number,
        clientId: number | null,
        by: DoneBy | OldCreation,
      ])[];
    }
  /** Rows that are as this earlier run sent them, which was confirmed: nothing is sent or looked up for them. */
  | { readonly kind: 'unchanged'; readonly rows: readonly number[]; readonly by: DoneBy }
  /** The clients are about to be sent to be created: from here on, the contact center may have them. */
  | { readonly kind: 'creating'; readonly rows: readonly number[] }
  /** The request surely never left, or was turned away untouched. */
  | { readonly kind: 'not_created'; readonly rows: readonly number[] }
  | { readonly kind: 'created'; readonly results: readonly CreatedResult[] }
  | { readonly kind: 'create_unknown'; readonly rows: readonly number[]; readonly reason: string }
  /** What a lookup found of clients whose creation was unknown; a client that it did not find is to be sent again. */
  | {
      readonly kind: 'create_settled';
      readonly found: readonly (readonly [at: number, clientId: number | null])[];
      readonly absent: readonly number[];
    }
  | { readonly kind: 'enqueuing'; readonly rows: readonly number[] }
  | { readonly kind: 'not_enqueued'; readonly rows: readonly number[] }
  | { readonly kind: 'enqueued'; readonly results: readonly EnqueuedResult[] }
  | { readonly kind: 'enqueue_unknown'; readonly rows: readonly number[]; readonly reason: string }
  /** Clients of an unknown request that turned out to be in the campaign. */
  | { readonly kind: 'enqueue_settled'; readonly rows: readonly number[] }
  /** How clients stood before they are changed; `absent`: those that are not there, and are to be created. */
  | {
      readonly kind: 'looked_up';
      readonly found: readonly (readonly [at: number, earlier: Earlier])[];
      readonly absent?: readonly number[];
    }
  /** Requests that change these clients are about to be sent. */
  | { readonly kind: 'changing'; readonly rows: readonly number[] }
  /** None of the requests left. */
  | { readonly kind: 'not_changed'; readonly rows: readonly number[] }
  /** `as`: the outcome of those that were not refused. */
  | {
      readonly kind: 'changed';
      readonly as: Outcome;
      readonly results: readonly ChangedResult[];
    }
  | { readonly kind: 'change_unknown'; readonly rows: readonly number[]; readonly reason: string }
  /** Clients of a lost request that turned out to be changed. */
  | { readonly kind: 'change_settled'; readonly as: Outcome; readonly rows: readonly number[] }
  /** What a comparison found. */
  | {
      readonly kind: 'inspected';
      readonly results: readonly (readonly [at: number, found: Inspection])[];
    };

export type FactKind = Fact['kind'];

/** In place of what the earlier run did, older versions recorded the problem and the result that tell of it. */
export type OldSkip = Problem;
export type OldCreation = string;

/** A refusal carries its text; a success the internal id, which an answer may lack. */
export type CreatedResult = readonly [at: number, clientId: number | null, refusal?: string];
export type EnqueuedResult = readonly [at: number, refusal?: string, lists?: readonly string[]];
/**
 * `added`: contacts that the card has by this change, and that no operation takes from it; `maybeAdded`: those that may
 * have been there before.
 */
export type ChangedResult = readonly [
  at: number,
  refusal?: string | null,
  added?: number,
  maybeAdded?: number,
];

/** The rows of a chunk, after they were read and mapped. */
export interface ReadFact {
  readonly input: number;
  readonly sheet: string | null;
  /** Ordinal of the first row. */
  readonly first: number;
  readonly rows: readonly RowRecord[];
  /** Fingerprints of what the rows became (`fingerprints.ts`); absent where nobody compares them. */
  readonly prints?: string;
  /** Positions of the rows with a phone that many rows of the list have; absent where there is none. */
  readonly shared?: readonly number[];
}
