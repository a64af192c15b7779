import type { Print } from '../client/fingerprints.js';
import type { DoneBy } from './done-by.js';

/**
 * What an earlier run did with a row's client, as far as it concerns the row now.
 * - `done`: all that the row asks for; it is skipped;
 * - `created`: its card alone; what is left is to add it to the campaign;
 * - `unchanged`: it sent the very same, and that was confirmed: nothing is to be done;
 * - `lost`: it never learned what became of a change; the client waits until nothing of that can arrive any more;
 * - `create_unknown`, `enqueue_unknown`, `change_unknown`: it never learned whether this took effect: it is looked up
 *   before anything is sent.
 */
export type KnownKind =
  | 'done'
  | 'unchanged'
  | 'created'
  | 'create_unknown'
  | 'enqueue_unknown'
  | 'change_unknown'
  | 'lost';

export interface Known {
  readonly kind: KnownKind;
  /** Id of the run. */
  readonly run: string;
  /** Who did it: this run, or an even earlier one that it relied on. */
  readonly by: DoneBy;
  /** Internal id of the card, where it is on record. */
  readonly clientId: number | null;
}

/** What earlier runs did with the rows of a new one. */
export interface KnownRows {
  /**
   * `identifiers`: JSON text of the client's identifiers; `ordinal`: number of the row over all inputs; `print`: the
   * fingerprint of the client, where these are compared.
   */
  find(identifiers: string, ordinal: number, print?: Print): Known | null;
  close(): void;
}
