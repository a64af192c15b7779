import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/time/clock.js';
import type { LoadedTarget } from '../pickup/load.js';
import type { TakenFile, Waiting, WatchState } from '../state/state.js';
import { type Event, type Notice, type NoticeKind, noticeOf } from './notice.js';

/** Longest time in which a notice is tried again, in milliseconds. */
const GIVE_UP_MS = 24 * 60 * 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Sends a notice. Rejects when it was not taken. */
export type Send = (target: LoadedTarget, notice: Notice, signal: AbortSignal) => Promise<void>;

export interface OutboxPorts {
  readonly state: WatchState;
  readonly targets: readonly LoadedTarget[];
  readonly send: Send;
  readonly clock: Clock;
  /** Called with what came of each attempt. @default nobody */
  readonly onAttempt?:
    ((kind: NoticeKind, result: 'sent' | 'not_taken' | 'given_up') => void) | undefined;
  /** Told of what could not be sent, without secrets. */
  readonly onWarning: (message: string) => void;
}

/**
 * Notices wait in the state until their target has taken them: each target gets its own in their order, over restarts,
 * for a day. One may arrive twice, with the same id, where the answer of the target was lost.
 */
export class Outbox {
  constructor(private readonly ports: OutboxPorts) {}

  /** Keeps notices of events, together with the file that they are about. */
  add(events: readonly Event[], taken: TakenFile | null = null): void {
    const { state, targets, clock } = this.ports;
    const now = clock.now();
    const notices = events.flatMap((event) => {
      const notice = noticeOf(event, randomUUID(), now);
      return targets
        .filter(({ on }) => on.includes(event.kind))
        .map((target) => ({ target: target.key, notice, at: now }));
    });
    state.record(taken, notices);
  }

  /** Sends what is due, until nothing is. Resolves with when to look again, `null` when nothing waits. */
  async flush(signal: AbortSignal): Promise<number | null> {
    const { state, clock } = this.ports;
    for (;;) {
      const due = state.due(clock.now());
      if (due.length === 0 || signal.aborted) return state.nextDue();
      await Promise.all(due.map((waiting) => this.#try(waiting, signal)));
    }
  }

  async #try(waiting: Waiting, signal: AbortSignal): Promise<void> {
    const { state, targets, send, clock, onWarning } = this.ports;
    const target = targets.find((one) => one.key === waiting.target);
    // The pickup file no longer has it: nobody waits for it.
    if (!target) {
      state.sent(waiting.id);
      return;
    }
    try {
      await send(target, waiting.notice, signal);
      state.sent(waiting.id);
      this.ports.onAttempt?.(waiting.notice.kind, 'sent');
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      const words = `A notice to ${placeOf(target)} was not taken (${reason})`;
      const isOver = clock.now() - waiting.at >= GIVE_UP_MS;
      this.ports.onAttempt?.(waiting.notice.kind, isOver ? 'given_up' : 'not_taken');
      if (isOver) {
        onWarning(`${words}; it is given up after a day.`);
        state.sent(waiting.id);
        return;
      }
      const pause = Math.min(
        LONGEST_PAUSE_MS,
        FIRST_PAUSE_MS * 2 ** Math.min(waiting.attempts, 20),
      );
      if (waiting.attempts === 0) onWarning(`${words}; it is tried again for a day.`);
      state.again(waiting.id, clock.now() + pause);
    }
  }
}

/** A target for people and logs: the paths of webhooks are secrets. */
export const placeOf = (target: LoadedTarget): string =>
  target.to === 'email' ? target.recipients.join(', ') : new URL(target.url).host;
