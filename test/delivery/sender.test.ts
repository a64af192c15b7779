import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type ContactCenterError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  StopRun,
  TryLaterError,
} from '../../src/core/errors.js';
import { type PermittedHours, nextPermitted } from '../../src/core/time.js';
import { createLimiter } from '../../src/delivery/limiter.js';
import { createPermits, type Attempt, Sender } from '../../src/delivery/sender.js';
import { DEFAULT_PATIENCE } from '../../src/core/time.js';
import { createTimeline } from '../simulation/timeline.js';

const HOURS: PermittedHours = { from: 20 * 60, to: 6 * 60, zone: 'Europe/Moscow' };
const HOUR = 3_600_000;
/** 05:30 in Moscow. */
const HALF_PAST_FIVE = Date.UTC(2026, 10, 21, 2, 30);

type Ports = ConstructorParameters<typeof Sender>[0];

/** A sender in time that passes by sleeping alone, and what it tells. */
function senderAt(
  start: number,
  onSleep: (now: number) => void = () => undefined,
  ports: Partial<Ports> = {},
) {
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
    ...ports,
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
  for (const kind of ['change', 'read', 'read', 'change', 'change'] as const)
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

const LOST = new OutcomeUnknownError('Lost', 'addClients');
const BUSY = new TryLaterError('Busy', 'addClients', 429);
const AWAY = new NotSentError('Nobody is there', 'addClients');
const NO = new RefusedError('No', 'addClients', 400);
const SEEN = { status: 404, words: '"Not Found"', location: null };

const PATIENT = { atStart: Infinity, later: Infinity };

/** A sender of one request at a time without limits, whose requests end as they are told; when each left. */
function senderOf(ports: Partial<Ports> = {}) {
  const free = { hours: undefined, permits: createPermits({}), patience: PATIENT, ...ports };
  const { sender, now } = senderAt(HALF_PAST_FIVE, undefined, free);
  const left: number[] = [];
  const send = (ends: readonly (Error | undefined)[], attempt: Partial<Attempt<void>> = {}) => {
    const rest = [...ends];
    const request = (): Promise<void> => {
      left.push(now());
      const end = rest.shift();
      return end ? Promise.reject(end) : Promise.resolve();
    };
    return sender.send({ kind: 'create', clients: 1, request, ...attempt });
  };
  const gaps = () => left.slice(1).map((at, index) => at - (left[index] ?? 0));
  const sum = (): number => (left.at(-1) ?? 0) - (left[0] ?? 0);
  return { sender, send, gaps, sum };
}
const change = { before: () => Promise.resolve() };

test('after ten failures in a row one request tries for all, at intervals that double', async () => {
  const { sender, send, gaps } = senderOf();
  for (let nth = 1; nth <= 17; nth++) {
    await expect(send([LOST], change)).rejects.toBe(LOST);
    expect(sender.isHeld).toBe(nth >= 10);
  }
  const pauses = [1, 2, 4, 8, 16, 20, 20].map((seconds) => seconds * 1000);
  expect(gaps()).toEqual([...Array<number>(9).fill(0), ...pauses]);
  // Whoever is busy is there, and says when to come again.
  await send([BUSY, new TryLaterError('Busy', 'addClients', 503, 30_000)], change);
  expect(gaps().slice(-3)).toEqual([20_000, 100, 30_100]);
  for (let nth = 0; nth < 10; nth++) await expect(send([NO], change)).rejects.toBe(NO);
  expect([sender.isHeld, sender.inFlight]).toEqual([false, 0]);
  for (let nth = 1; nth <= 11; nth++) await expect(send([LOST], change)).rejects.toBe(LOST);
  expect(gaps().slice(-11)).toEqual([...Array<number>(10).fill(0), 1000]);
});

test('others go on while one request is refused, and not while nobody answers', async () => {
  let waits = 0;
  const during = <T>(wait: Promise<T>): Promise<T> => (waits++, wait);
  const { send } = senderOf({ idleWaits: { during } });
  for (const so of [1, 2]) {
    await send([BUSY, BUSY, BUSY], change);
    expect(waits).toBe(so);
  }
});

test.each<[string, ContactCenterError | undefined]>([
  ['answered', undefined],
  ['answered', NO],
  ['refused', BUSY],
  ['refused', LOST],
  ['other', AWAY],
])('to the limiter, a request is %s by %s', async (end, error) => {
  const ends: string[] = [];
  const limiter: Ports['limiter'] = {
    ...createLimiter({ concurrency: 1, batchSize: 1, longestMs: 1000 }),
    begin: (request) => (how) => ends.push(`${how} ${JSON.stringify(request)}`),
  };
  const { send } = senderOf({ limiter });
  const one = send([error], { ...change, clients: 3, batched: true }).catch(() => undefined);
  await Promise.all([one, send([], { kind: 'look_up' })]);
  // One that another waits behind is told from one that nobody does.
  expect(ends).toContain(`${end} {"kind":"create","clients":3,"batched":true,"full":true}`);
  expect(ends.at(-1)).toMatch(/^answered .*"full":false/);
});

test('an answer of somebody else ends the run, unless others were answered', async () => {
  const foreign = new OutcomeUnknownError('?', 'addClients', 404, { seen: SEEN });
  for (const isKnown of [undefined, () => false])
    await expect(senderOf({ isKnown }).send([foreign], change)).rejects.toThrow(StopRun);
  await expect(senderOf({ isKnown: () => true }).send([foreign], change)).rejects.toBe(foreign);
});

test.each<[ContactCenterError, string]>([
  [AWAY, 'could not be reached: Nobody'],
  [BUSY, 'stayed busy: Busy'],
  [new OutcomeUnknownError('HTTP 502', 'findClient', 502), 'did not answer as it should: HTTP 502'],
])('patience ends, and says why: %s', async (error, why) => {
  const { send, sum } = senderOf({ patience: DEFAULT_PATIENCE });
  await expect(send(Array<Error>(99).fill(error))).rejects.toThrow(why);
  expect(sum()).toBe(6300);
});

test('a lookup without an answer is given up after eight tries, where others are answered', async () => {
  const { send, sum, gaps } = senderOf();
  let isDone = false;
  const lookup = send(Array<Error>(99).fill(LOST)).finally(() => (isDone = true));
  const others = async (): Promise<void> => {
    for (; !isDone; await setImmediate(0)) await send([]);
  };
  await expect(Promise.all([lookup, others()])).rejects.toBe(LOST);
  // 100 ms, doubled six times.
  expect([sum(), gaps().filter((gap) => gap > 0).length]).toEqual([12_700, 7]);
});

test('a shared permit that the hours end under is given back, and another one taken', async () => {
  const noted: string[] = [];
  const permit = {
    waited: false,
    ended: ({ refused }: { refused: boolean }) => noted.push(refused ? 'refused' : 'ended'),
    unused: () => noted.push('unused'),
  };
  const take = () => {
    if (noted.push('taken') === 1) pass(HOUR);
    return Promise.resolve(permit);
  };
  const shared = { take, concurrency: () => 1, close: () => Promise.resolve() };
  const ports = { permits: { ...createPermits({}), shared }, patience: PATIENT };
  const { sender, now, pass } = senderAt(HALF_PAST_FIVE, undefined, ports);
  const request = (): Promise<number> =>
    noted.push('sent') === 4 ? Promise.reject(BUSY) : Promise.resolve(now());
  const evening = Date.UTC(2026, 10, 21, 17);
  expect(await sender.send({ kind: 'create', clients: 1, request })).toBeGreaterThan(evening);
  expect(noted.join(' ')).toBe('taken unused taken sent refused taken sent ended');
});

test('fifty retries are free, others one in ten requests, or ten a second', async () => {
  const timeline = createTimeline();
  const now = (): number => timeline.now();
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      timeline.after(ms, resolve);
    });
  const limiter = createLimiter({ concurrency: 100, batchSize: 1, longestMs: 1000 });
  const { sender } = senderAt(0, undefined, {
    ...{ hours: undefined, permits: createPermits({}), clock: { now, sleep }, limiter },
  });
  const again: number[] = [];
  const sendAll = async (count: number, fails: boolean): Promise<void> => {
    const began = now();
    const all = Array.from({ length: count }, () => {
      let tries = 0;
      const request = (): Promise<void> => {
        if (++tries === 2) again.push(now() - began);
        return tries === 1 && fails ? Promise.reject(BUSY) : Promise.resolve();
      };
      return sender.send({ kind: 'create', clients: 1, request });
    });
    let isDone = false;
    void Promise.all(all).then(() => (isDone = true));
    for (await setImmediate(0); !isDone; await setImmediate(0)) timeline.next();
  };
  await sendAll(55, true);
  expect(again.splice(0)).toEqual([...Array<number>(52).fill(100), 200, 300, 400]);
  await sendAll(25, false);
  await sendAll(5, true);
  expect(again).toEqual([100, 100, 100, 100, 200]);
});
