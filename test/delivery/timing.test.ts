import fc from 'fast-check';
import { RefusedError } from '../../src/core/errors.js';
import { expect, test } from 'vitest';
import { clientsAtOnce, createPace } from '../../src/delivery/sender.js';
import { lostRequest, nextLookup, latestOf, orRefusal } from '../../src/delivery/sending.js';
import { retryDelay } from '../../src/core/time.js';

test.each([
  [1, undefined, 100],
  [3, undefined, 400],
  [60, undefined, 10_000],
  [60, 50_000, 50_100],
])('before try %s, asked to wait for %s ms, it waits for %s ms', (attempt, after, wait) => {
  expect(retryDelay(attempt, after, 0.5)).toBe(wait);
});

test('no second holds more requests or clients than is permitted', () => {
  const request = fc.record({ gap: fc.nat(400), clients: fc.integer({ min: 0, max: 30 }) });
  fc.assert(
    fc.property(
      fc.array(request, { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 30, max: 90 }),
      (requests, requestsPerSecond, clientsPerSecond) => {
        const pace = createPace({ requestsPerSecond, clientsPerSecond });
        let now = 0;
        const leaves = requests.map(({ gap, clients }) => {
          now += gap;
          return { at: now + pace.reserve(now, clients), clients };
        });
        for (const { at: from } of leaves) {
          const within = leaves.filter(({ at }) => at >= from && at < from + 1000 - 1e-6);
          expect(within.length).toBeLessThanOrEqual(requestsPerSecond);
          const clients = within.reduce((sum, one) => sum + one.clients, 0);
          expect(clients).toBeLessThanOrEqual(clientsPerSecond);
        }
      },
    ),
  );
  const pace = createPace({ clientsPerSecond: 100 });
  expect(pace.reserve(0, 200)).toBe(0);
  expect(pace.reserve(0, 1)).toBe(2000);
  for (const limits of [{ clientsPerSecond: 1e5 }, { requestsPerSecond: 1e5 }]) {
    const fast = createPace(limits);
    expect([fast.reserve(0, 1), fast.reserve(0, 1)]).toEqual([0, 0.01]);
  }
});

test('requests are cut so that whole ones fill a second, where clients are what is limited', () => {
  expect(clientsAtOnce({}, 200)).toBe(200);
  expect(clientsAtOnce({ clientsPerSecond: 100 }, 200)).toBe(100);
  for (const clientsPerSecond of [0.5, 1.5])
    expect(clientsAtOnce({ clientsPerSecond }, 200)).toBe(1);
  expect(clientsAtOnce({ clientsPerSecond: 100 }, 60)).toBe(50);
  expect(clientsAtOnce({ clientsPerSecond: 100, requestsPerSecond: 1 }, 60)).toBe(60);
  expect(clientsAtOnce({ clientsPerSecond: 1000 }, 200)).toBe(200);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.integer({ min: 1, max: 500 }),
      (clientsPerSecond, clients) => {
        const size = clientsAtOnce({ clientsPerSecond }, clients);
        expect(size).toBeLessThanOrEqual(Math.min(clients, clientsPerSecond));
        // What a second permits is used to more than half, however the sizes fall.
        expect(Math.floor(clientsPerSecond / size) * size * 2).toBeGreaterThan(clientsPerSecond);
      },
    ),
  );
});

function lookups(firstMs: number, deadlineMs: number): number[] {
  const lost = lostRequest(1000, deadlineMs);
  const at: number[] = [];
  for (let lookedAt = -Infinity; lookedAt < lost.until;) {
    lookedAt = nextLookup(lost, firstMs, lookedAt);
    at.push(lookedAt - lost.at);
  }
  return at;
}

test('what was lost is looked up soon, at growing intervals, and at the deadline', () => {
  expect(lookups(2000, 60_000)).toEqual([2000, 6000, 14_000, 30_000, 60_000]);
  expect(lookups(2000, 2000)).toEqual([2000]);
  expect(lookups(2000, 500)).toEqual([500]);
  expect(lookups(2000, 0)).toEqual([0]);
});

test('lookups come to an end, and never after the deadline', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(600_000), (firstMs, deadlineMs) => {
      const at = lookups(firstMs, deadlineMs);
      expect(at.at(-1)).toBe(deadlineMs);
      expect(at).toEqual([...new Set(at)].toSorted((a, b) => a - b));
      expect(at.length).toBeLessThan(25);
    }),
  );
});

test('a lookup that took long is not followed by those that it has passed', () => {
  const lost = lostRequest(0, 60_000);
  expect(nextLookup(lost, 2000, 20_000)).toBe(30_000);
  expect(nextLookup(lost, 2000, 45_000)).toBe(60_000);
});

test('one request stands for several as long as any of them may be worked on', () => {
  const long = { at: 1000, until: 9000 };
  expect(latestOf([long, lostRequest(5000, 1000)])).toEqual({ at: 5000, until: 9000 });
});

test('a lookup that is refused for one client is a result, and an error of the server is none', async () => {
  const lookup = (status: number) =>
    orRefusal(Promise.reject(new RefusedError('No.', 'findClient', status)));
  expect(await lookup(400)).toEqual({ refusal: 'No.' });
  await expect(lookup(500)).rejects.toThrow('No.');
});
