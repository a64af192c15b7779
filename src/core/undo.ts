import type { FieldValue } from './client.js';
import { CONFIRMED, type RowState } from './facts.js';

/** What an undo has to take back of a row. */
export interface UndoPayload {
  /** Whether the run created the card. */
  readonly created?: boolean;
  /** Its internal id, where the answer had one. */
  readonly clientId: number | null;
  /** Whether the run added the client to the campaign. */
  readonly enqueued?: boolean;
  /** Fields that the run changed: their value before, and the one that it wrote. */
  readonly fields?: Readonly<Record<string, readonly [before: FieldValue, written: FieldValue]>>;
  /** What cannot be taken back, for the person. */
  readonly remarks?: readonly string[];
}

const SUCCESS = 'Success';
const NOT_KNOWN =
  'It is not known what the run did with this row, and it was left as it is; importing its file again looks it up.';
const MAYBE_CREATED =
  'The answer to its creation was lost, and the card may have been there before; it was left as it is.';
const MAYBE_ENQUEUED =
  'The answer was lost when it was added to the campaign, and it may have been there before; its call application was left.';

const addedText = (count: number): string =>
  count === 1
    ? '1 added contact stays: no operation takes contacts from a card.'
    : `${count} added contacts stay: no operation takes contacts from a card.`;

const maybeAddedText = (count: number): string =>
  count === 1
    ? '1 contact stays that the run may have added: no operation takes contacts from a card.'
    : `${count} contacts stay that the run may have added: no operation takes contacts from a card.`;

/** What is to be taken back of a row as the run left it; `null` when the run did nothing with it. */
export function undoOf(state: RowState): UndoPayload | null {
  const { createResult, enqueueResult, changedTo, earlier, added, maybeAdded, clientId } = state;
  const remarks: string[] = [];
  // A card that a lookup found after a lost answer is the run's own where an earlier lookup had not found it.
  const created = createResult === SUCCESS || (createResult === CONFIRMED && state.wasAbsent);
  if (createResult === CONFIRMED && !created) remarks.push(MAYBE_CREATED);
  const enqueued = enqueueResult === SUCCESS || (enqueueResult === CONFIRMED && created);
  if (enqueueResult === CONFIRMED && !created) remarks.push(MAYBE_ENQUEUED);
  const fields =
    changedTo === 'updated' || state.stage === 'change_failed' ? earlier?.fields : undefined;
  if (added > 0) remarks.push(addedText(added));
  if (maybeAdded > 0) remarks.push(maybeAddedText(maybeAdded));
  if (UNKNOWN.has(state.stage) && !created) remarks.push(NOT_KNOWN);
  if (!created && !enqueued && !fields && remarks.length === 0) return null;
  return {
    clientId,
    ...(created ? { created } : {}),
    ...(enqueued ? { enqueued } : {}),
    ...(fields && Object.keys(fields).length > 0 ? { fields } : {}),
    ...(remarks.length > 0 ? { remarks } : {}),
  };
}

const UNKNOWN: ReadonlySet<RowState['stage']> = new Set([
  'creating',
  'create_unknown',
  'enqueuing',
  'enqueue_unknown',
  'changing',
  'change_unknown',
]);
