import type { Mode } from '../../../src/core/outcome.js';
import type { Line } from '../../kit/bench.js';
import type { BookedClient } from './books.js';

const CONFIRMED = 'Success (confirmed by lookup)';
const COMPARED = ['outcome', 'createResult', 'enqueueResult', 'changeResult', 'problems'] as const;

/** A row in the report of a run that nothing disturbed, in that of one that was, and how its client stood before. */
export interface Compared {
  readonly clean: Line;
  readonly disturbed: Line;
  readonly before: BookedClient | undefined;
}

/** Whether the two runs say the same of the row; that something was confirmed by a lookup is no difference. */
export const isSame = ({ clean, disturbed }: Compared): boolean =>
  COMPARED.every((name) => told(clean[name]) === told(disturbed[name]));

const told = (text = ''): string => (text === CONFIRMED ? 'Success' : text);

/**
 * The cases in which a lost answer leaves open what became of a row, since the interface shows no more. They are all
 * there are: whatever else differs is a fault. Each says why the client can be left out when books are compared.
 */
const OPEN: Partial<Record<Mode, readonly ((row: Compared) => boolean)[]>> = {
  // The lookup finds the client, and cannot tell that it was there before: it counts as created, and is enqueued.
  create: [
    ({ clean, disturbed, before }) =>
      before?.deleted === false &&
      clean['outcome'] === 'failed' &&
      disturbed['createResult'] === CONFIRMED,
  ],
  // The client was in the campaign before, and the answer that says so was lost.
  upsert: [wasInCampaignBefore('updated'), wasInCampaignBefore('unchanged'), isSentAfterAStop],
  update: [isSentAfterAStop],
  enqueue: [wasInCampaignBefore('enqueue_failed')],
  // The interface tells whether there is a callback, not how many: one more cannot be seen.
  callbacks: [
    ({ disturbed, clean }) =>
      disturbed['outcome'] === 'unknown' &&
      (clean['outcome'] === 'scheduled' || clean['changeResult'] === 'callAt must be in future'),
  ],
};

/** Looked up before a stop: its fields are sent after it, equal or not, since the card may have been changed meanwhile. */
function isSentAfterAStop({ clean, disturbed }: Compared): boolean {
  return (
    clean['outcome'] === 'unchanged' &&
    disturbed['outcome'] === 'updated' &&
    told(disturbed['changeResult']) === 'Success' &&
    clean['enqueueResult'] === disturbed['enqueueResult']
  );
}

function wasInCampaignBefore(outcome: string): (row: Compared) => boolean {
  return ({ clean, disturbed, before }) =>
    before !== undefined &&
    before.applications.length > 0 &&
    clean['outcome'] === outcome &&
    clean['enqueueResult'] === 'Client already exists' &&
    disturbed['outcome'] === 'enqueued' &&
    disturbed['enqueueResult'] === CONFIRMED;
}

/** Whether the row is one of those cases. */
export const isOpen = (mode: Mode, row: Compared): boolean =>
  (OPEN[mode] ?? []).some((matches) => matches(row));
