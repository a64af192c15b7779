import { randomUUID } from 'node:crypto';
import type { LoadedTarget } from '../pickup/load.js';
import { type NoticeKind, noticeOf, type Event } from './notice.js';
import { placeOf, type Send } from './outbox.js';

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
