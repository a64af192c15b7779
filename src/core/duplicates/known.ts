import type { Problem } from '../problem.js';

/**
 * What an earlier run did with a row's client, as far as it concerns the row now.
 * - `done`: all that the row asks for; it is skipped;
 * - `created`: its card alone; what is left is to add it to the campaign;
 * - `create_unknown`, `enqueue_unknown`, `change_unknown`: it never learned whether this took effect: it is looked up
 *   before anything is sent.
 */
export type KnownKind =
  'done' | 'created' | 'create_unknown' | 'enqueue_unknown' | 'change_unknown';

export interface Known {
  readonly kind: KnownKind;
  /** Id of the run. */
  readonly run: string;
  /** What it did and when, such as `created by run … on …`. */
  readonly how: string;
  /** Internal id of the card, where it is on record. */
  readonly clientId: number | null;
}

/** What earlier runs did with the rows of a new one. */
export interface KnownRows {
  /** `identifiers`: JSON text of the client's identifiers; `ordinal`: number of the row over all inputs. */
  find(identifiers: string, ordinal: number): Known | null;
  close(): void;
}

/** Code of the problem of a row that is left out, since an earlier run did what it asks for. */
export const DONE_BEFORE = 'done_before';

const BEGINNING = 'The client was ';
const END = ', and is not sent again; --again sends all rows anew.';

/** Why a row that an earlier run has done is skipped. */
export function doneBefore({ how }: Pick<Known, 'how'>): Problem {
  return { column: null, code: DONE_BEFORE, message: `${BEGINNING}${how}${END}`, value: null };
}

/** What an earlier run did, as such a problem shows of it; `null` where it shows it in other words. */
export function howOfNote(message: string): string | null {
  const isOwn = message.startsWith(BEGINNING) && message.endsWith(END);
  return isOwn ? message.slice(BEGINNING.length, -END.length) : null;
}
