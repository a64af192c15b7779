import { randomUUID } from 'node:crypto';
import type { LoadedTarget } from '../pickup/load.js';
import { type NoticeKind, noticeOf, type Event, type Notice } from './notice.js';
import type { Clock } from '../../core/time.js';
import type { Entry, Waiting, WatchState } from '../state/state.js';

/** What came of a notice that was sent for a test. */
export interface TestedNotice {
  /** The target, without secrets. */
  readonly target: string;
  readonly kind: NoticeKind;
  /** Why it was not taken, in words; `null`: it was. */
  readonly mistake: string | null;
}

export interface TestRequest {
  readonly targets: readonly LoadedTarget[];
  /** The pickup that the notices are about. */
  readonly pickup: string;
  readonly send: Send;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Sends each target one notice of each kind that it is to get, in order, and does not try again. */
export async function* testNotices(request: TestRequest): AsyncGenerator<TestedNotice> {
  const { targets, pickup, send, now, signal } = request;
  for (const target of targets)
    for (const kind of target.on) {
      if (signal.aborted) return;
      const notice = noticeOf(sampleEvent(kind, pickup), randomUUID(), now());
      const mistake = await send(target, notice, signal).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      yield { target: placeOf(target), kind, mistake };
    }
}

type Sample = Omit<Event, 'kind' | 'pickup'>;

const FILE = 'leads-test.csv';
const RUN = { file: FILE, run: '20260101-000000-test', rows: 1000 };

/** What a notice of each kind may look like; nothing of it has happened. */
const SAMPLES = {
  finished: {
    ...{ ...RUN, outcomes: { enqueued: 1000 }, quality: 97, seconds: 42 },
    sentence: `All 1,000 rows of ${FILE} ended well.`,
  },
  bad: {
    ...{ ...RUN, outcomes: { enqueued: 988, rejected: 12 }, quality: 81, seconds: 42 },
    reasons: [{ column: 'Phone', message: 'is no phone number.', rows: 12 }],
    sentence: `12 of 1,000 rows of ${FILE} need you.`,
    next: `cardline report ${RUN.run} --ledger cardline.db`,
  },
  stopped: {
    ...{ ...RUN, outcomes: { enqueued: 400 } },
    sentence: `The import of ${FILE} has stopped: the contact center could not be reached.`,
    next: 'It goes on by itself.',
  },
  late: { sentence: 'leads-*.csv has not come by 02:00 UTC.', next: 'Ask whoever sends it.' },
  recovered: { file: FILE, sentence: `The import of ${FILE} went on.` },
  unusual: {
    ...RUN,
    sentence: `${FILE} is unusual: it has 1,000 rows, where 5,000 are usual.`,
  },
  digest: {
    sentence:
      'All is well with vendor.\nok  vendor: leads-test.csv imported: 1,000 rows in, 1,000 sent',
  },
  repeated: { ...RUN, sentence: `${FILE} has been imported before; nothing was sent.` },
} as const satisfies Record<NoticeKind, Sample>;

/** An event of a kind, for a test: it says so in its first words. */
function sampleEvent(kind: NoticeKind, pickup: string): Event {
  const sample: Sample = SAMPLES[kind];
  return { ...sample, kind, pickup, isTest: true, sentence: `A test. ${sample.sentence}` };
}

/** Longest time in which a notice is tried again, in milliseconds. */
const GIVE_UP_MS = 24 * 60 * 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** How long nobody else tries a notice that is being sent, in milliseconds. */
const SENDING_MS = 2 * 60_000;

/** Sends a notice. Rejects when it was not taken. */
export type Send = (target: LoadedTarget, notice: Notice, signal: AbortSignal) => Promise<void>;

interface OutboxPorts {
  readonly state: WatchState;
  readonly targets: readonly LoadedTarget[];
  readonly send: Send;
  readonly clock: Clock;
  /** Called with what came of each attempt. @default nobody */
  readonly onAttempt?:
    ((kind: NoticeKind, result: 'sent' | 'not_taken' | 'given_up') => void) | undefined;
  /** Called with what could not be sent, without secrets. */
  readonly onWarning: (message: string) => void;
}

/**
 * Notices wait in the state until their target has taken them: each target gets its own in their order, over restarts,
 * for a day. One may arrive twice, with the same id, where the answer of the target was lost.
 */
export class Outbox {
  constructor(private readonly ports: OutboxPorts) {}

  /**
   * Keeps notices of events, together with what belongs to them; `false`: nothing was kept, since another watcher has
   * come before.
   */
  add(events: readonly Event[], rest: Omit<Entry, 'notices'> = {}): Promise<boolean> {
    const { state, targets, clock } = this.ports;
    const now = clock.now();
    const notices = events.flatMap((event) => {
      const notice = noticeOf(event, randomUUID(), now);
      return targets
        .filter(({ on }) => on.includes(event.kind))
        .map((target) => ({ target: target.key, notice, at: now }));
    });
    return state.record({ ...rest, notices });
  }

  /** Sends what is due, until nothing is. Resolves with when to look again, `null` when nothing waits. */
  async flush(signal: AbortSignal): Promise<number | null> {
    const { state, clock } = this.ports;
    const targets = this.ports.targets.map(({ key }) => key);
    for (;;) {
      if (signal.aborted) return state.nextDue(targets);
      const due = await state.due(targets, clock.now(), clock.now() + SENDING_MS);
      if (due.length === 0) {
        await state.forget(clock.now() - 2 * GIVE_UP_MS);
        return state.nextDue(targets);
      }
      await Promise.all(due.map((waiting) => this.#try(waiting, signal)));
    }
  }

  async #try(waiting: Waiting, signal: AbortSignal): Promise<void> {
    const { state, targets, send, clock, onWarning } = this.ports;
    const target = targets.find((one) => one.key === waiting.target);
    if (!target) return;
    try {
      await send(target, waiting.notice, signal);
      this.ports.onAttempt?.(waiting.notice.kind, 'sent');
    } catch (error) {
      if (signal.aborted) return state.again(waiting.id, clock.now(), false);
      const reason = error instanceof Error ? error.message : String(error);
      const words = `A notice to ${placeOf(target)} was not taken (${reason})`;
      const isOver = clock.now() - waiting.at >= GIVE_UP_MS;
      this.ports.onAttempt?.(waiting.notice.kind, isOver ? 'given_up' : 'not_taken');
      if (isOver) {
        onWarning(`${words}; it is given up after a day.`);
        return state.sent(waiting.id);
      }
      const pause = Math.min(
        LONGEST_PAUSE_MS,
        FIRST_PAUSE_MS * 2 ** Math.min(waiting.attempts, 20),
      );
      if (waiting.attempts === 0) onWarning(`${words}; it is tried again for a day.`);
      return state.again(waiting.id, clock.now() + pause, true);
    }
    await state.sent(waiting.id);
  }
}

/** A target for people and logs: the paths of webhooks are secrets. */
const placeOf = (target: LoadedTarget): string =>
  target.to === 'email' ? target.recipients.join(', ') : new URL(target.url).host;
