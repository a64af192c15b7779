import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NotSentError, StopRun, TryLaterError } from '../../src/core/errors.js';
import { type PermittedHours, nextPermitted } from '../../src/core/time.js';
import { createLimiter } from '../../src/delivery/limiter.js';
import { createPermits, type Attempt, Sender } from '../../src/delivery/sender.js';
import { DEFAULT_PATIENCE } from '../../src/core/time.js';

const HOURS: PermittedHours = { from: 20 * 60, to: 6 * 60, zone: 'Europe/Moscow' };
const HOUR = 3_600_000;
/** 05:30 in Moscow. */
const HALF_PAST_FIVE = Date.UTC(2026, 10, 21, 2, 30);

/** A sender in time that passes by sleeping alone, and what it tells. */
function senderAt(start: number, onSleep: (now: number) => void = () => undefined) {
  let now = start;
  const stop = new AbortController();
  const told: string[] = [];
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    now += ms;
    onSleep(now);
    await setImmediate();
    signal?.throwIfAborted();
  };
  const sender = new Sender({
    clock: { now: () => now, sleep },
    hours: HOURS,
    random: () => 0.5,
    permits: createPermits({ requestsPerSecond: 1 }),
    patience: DEFAULT_PATIENCE,
    limiter: createLimiter({ concurrency: 1, batchSize: 1, longestMs: 1000 }),
    idleWaits: { during: (wait) => wait },
    signal: stop.signal,
    onPause: (message) => told.push(message),
  });
  return { sender, told, stop, now: () => now, pass: (ms: number) => (now += ms) };
}

test('no request of any kind leaves outside of the permitted hours, and the person is told once', async () => {
  const { sender, told, now, pass } = senderAt(HALF_PAST_FIVE);
  const left: number[] = [];
  const intended: number[] = [];
  const attempt = (kind: 'change' | 'read'): Attempt<number> => ({
    kind,
    clients: 1,
    ...(kind === 'change' && {
      before: () => {
        intended.push(now());
        return Promise.resolve();
      },
    }),
    request: () => {
      left.push(now());
      pass(10 * 60_000);
      return Promise.resolve(left.length);
    },
  });
  for (const kind of ['change', 'read', 'change', 'read', 'change'] as const)
    await sender.send(attempt(kind));
  expect(left).toHaveLength(5);
  for (const moment of [...left, ...intended]) expect(nextPermitted(HOURS, moment)).toBe(moment);
  // 05:30, 05:40, 05:50; in the evening 20:00 and 20:10.
  expect(left[3]).toBe(Date.UTC(2026, 10, 21, 17));
  expect(told).toEqual([expect.stringContaining('until 2026-11-21 20:00')]);
  expect(told[0]).toContain('20:00-06:00 Europe/Moscow');
});

test('a request that is spread beyond the hours waits for them too, and takes its intent with it', async () => {
  const { sender, now } = senderAt(HALF_PAST_FIVE + HOUR / 2 - 500);
  const left: number[] = [];
  const request = (): Promise<void> => {
    left.push(now());
    return Promise.resolve();
  };
  await Promise.all([1, 2, 3].map((clients) => sender.send({ kind: 'create', clients, request })));
  expect(left.slice(1).map((moment) => nextPermitted(HOURS, moment))).toEqual(left.slice(1));
  const [, second = 0, third = 0] = left;
  expect(second).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 21, 17));
  // All that waited do not leave at once.
  expect(third - second).toBeGreaterThanOrEqual(1000);
});

test('patience is for the permitted time alone', async () => {
  const { sender, now, pass } = senderAt(HALF_PAST_FIVE + HOUR / 2 - 60_000);
  const failures: number[] = [];
  await sender.send({ kind: 'create', clients: 1, request: () => Promise.resolve() });
  const request = (): Promise<never> => {
    failures.push(now());
    pass(30_000);
    return Promise.reject(new NotSentError('Nobody is there', 'addClients'));
  };
  await expect(sender.send({ kind: 'create', clients: 1, request })).rejects.toThrow(StopRun);
  const evening = failures.filter((moment) => moment >= Date.UTC(2026, 10, 21, 17));
  expect(failures.length).toBeGreaterThan(evening.length);
  // A minute of the quarter of an hour was before the pause, which does not count.
  const last = evening.at(-1) ?? 0;
  expect(last - Date.UTC(2026, 10, 21, 17)).toBeGreaterThan(12 * 60_000);
  expect(last - Date.UTC(2026, 10, 21, 17)).toBeLessThan(15 * 60_000);
});

test('a pause ends at once when the person stops the run', async () => {
  const start = HALF_PAST_FIVE + 2 * HOUR;
  let sleeps = 0;
  const { sender, stop, now } = senderAt(start, () => {
    if (++sleeps === 3) stop.abort();
  });
  const request = (): Promise<never> => Promise.reject(new Error('must not be sent'));
  await expect(sender.send({ kind: 'create', clients: 1, request })).rejects.toThrow(/Interrupted/);
  // It looks at the clock now and then, as a machine may have slept.
  expect(now() - start).toBeLessThan(HOUR);
  expect(sender.counts.requests).toBe(0);
});

test('a request that was turned away is sent again when the contact center says so', async () => {
  const { sender, now } = senderAt(HALF_PAST_FIVE);
  const left: number[] = [];
  const request = (): Promise<void> => {
    const isSecond = left.push(now()) === 2;
    if (isSecond) return Promise.reject(new TryLaterError('Busy', 'addClients', 429, 30_000));
    return Promise.resolve();
  };
  for (const clients of [1, 2]) await sender.send({ kind: 'create', clients, request });
  const [, second = 0, third = 0] = left;
  expect(third - second).toBeGreaterThanOrEqual(30_000);
});
