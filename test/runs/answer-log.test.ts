import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type AnswerSum, createAnswerLog } from '../../src/run/connect.js';

const answer = (milliseconds: number, status = 200) => ({
  operation: 'changeClient' as const,
  ...{ status, milliseconds, answerBytes: 10 },
});

let now = 0;
beforeEach(() => {
  now = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

function logOf() {
  const written: AnswerSum[] = [];
  const log = createAnswerLog(
    (sum) => written.push(sum),
    () => now,
  );
  const pass = (ms: number): void => {
    now += ms;
    vi.advanceTimersByTime(ms);
  };
  return { log, written, pass };
}

it('puts answers of a kind that come together into one line', () => {
  const { log, written, pass } = logOf();
  for (const milliseconds of [5, 9, 7]) {
    log.add(answer(milliseconds));
    pass(10);
  }
  expect(written).toEqual([]);
  pass(500);
  expect(written).toEqual([
    {
      ...{ operation: 'changeClient', status: 200, answers: 3, milliseconds: 21 },
      ...{ longest: 9, answerBytes: 30, within: 20 },
    },
  ]);
  pass(5000);
  expect(written).toHaveLength(1);
});

it('writes an error at once, and a flood of them in few lines', () => {
  const { log, written, pass } = logOf();
  log.add(answer(5));
  log.add(answer(5, 503));
  expect(written.map(({ status }) => status)).toEqual([200, 503]);
  for (let index = 0; index < 1000; index++) {
    log.add(answer(1, 400));
    pass(1);
  }
  log.close();
  expect(written.length).toBeLessThan(12);
  expect(written.reduce((sum, { answers }) => sum + answers, 0)).toBe(1002);
});
