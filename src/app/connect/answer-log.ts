import type { ExchangeEvent } from '../../client/contact-center.js';
import { isErrorStatus } from '../../core/errors.js';

/** Answers of one operation with one status that came within a short time. Without personal data. */
export interface AnswerSum {
  readonly operation: string;
  /** HTTP status. */
  readonly status: number;
  readonly answers: number;
  /** Of all together, from each request to the end of its answer. */
  readonly milliseconds: number;
  readonly longest: number;
  readonly answerBytes: number;
  /** Milliseconds from the first of them to the last. */
  readonly within: number;
}

/** Puts answers on record. */
export interface AnswerLog {
  add(answer: ExchangeEvent): void;
  /** Writes what waits. */
  close(): void;
}

/** So long answers wait for others of their kind, in milliseconds: a line for each would cost more than its request. */
const WINDOW_MS = 200;

type Waiting = { -readonly [K in keyof AnswerSum]: AnswerSum[K] } & { first: number; last: number };

/** `write` gets the sums of what came; an error that comes alone is written at once, with all before it. */
export function createAnswerLog(
  write: (sum: AnswerSum) => void,
  now: () => number = performance.now.bind(performance),
): AnswerLog {
  const waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let flushed = -Infinity;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    flushed = now();
    for (const { first, last, ...sum } of waiting.values()) write({ ...sum, within: last - first });
    waiting.clear();
  };

  return {
    add: ({ operation, status, milliseconds, answerBytes }) => {
      const at = now();
      const key = `${operation} ${status}`;
      const sum = waiting.get(key) ?? newSum(operation, status, at);
      sum.answers++;
      sum.milliseconds += milliseconds;
      sum.longest = Math.max(sum.longest, milliseconds);
      sum.answerBytes += answerBytes;
      sum.last = at;
      waiting.set(key, sum);
      if (isErrorStatus(status) && at - flushed > WINDOW_MS) flush();
      else timer ??= setTimeout(flush, WINDOW_MS);
    },
    close: flush,
  };
}

function newSum(operation: string, status: number, at: number): Waiting {
  const none = { answers: 0, milliseconds: 0, longest: 0, answerBytes: 0, within: 0 };
  return { operation, status, ...none, first: at, last: at };
}
