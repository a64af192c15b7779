import type { Clock } from '../../core/time.js';
import type { DeadlineWait } from './task-queue.js';

const SECOND_MS = 1000;

/** Makes what shows the person, once in a run, that nothing goes on before deadlines have passed. */
export function createWaitingNotice(
  clock: Clock,
  announce: (message: string) => void = () => undefined,
): (waits: readonly DeadlineWait[]) => void {
  let isAnnounced = false;
  return (waits) => {
    if (isAnnounced) return;
    isAnnounced = true;
    announce(waitingText(waits, clock.now()));
  };
}

/** What is waited for, for how long at most, and what to do about it. `now` in milliseconds since the epoch. */
export function waitingText(waits: readonly DeadlineWait[], now: number): string {
  const seconds = Math.ceil((Math.max(...waits.map(({ until }) => until)) - now) / SECOND_MS);
  const count = waits.reduce((sum, { clients }) => sum + clients, 0);
  const clients = count === 1 ? '1 client whose answer was' : `${count} clients whose answers were`;
  return `Waiting up to ${seconds} s: the contact center may still be working on ${clients} lost; ${count === 1 ? 'it is' : 'they are'} sent again only then. transport.serverDeadlineMs sets this time.`;
}
