import { randomUUID } from 'node:crypto';
import type { LoadedTarget } from '../pickup/load.js';
import { type NoticeKind, noticeOf } from './notice.js';
import { placeOf, type Send } from './outbox.js';
import { sampleEvent } from './samples.js';

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
