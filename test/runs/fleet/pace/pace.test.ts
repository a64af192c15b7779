import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LedgerError } from '../../../../src/core/errors.js';
import { fairShares } from '../../../../src/fleet/permits.js';
import { randomFrom } from '../../../kit/random.js';
import { type WorldOptions, World, fullestSecond, perSecond } from './world.js';

const world = (seed = 1, options: Partial<WorldOptions> = {}): World => {
  const random = randomFrom(seed);
  return new World({
    toCenter: () => 1 + 8 * random(),
    toDatabase: () => 1 + 2 * random(),
    ...options,
  });
};

it('shares are whole, by weight, and no more than is wanted', () => {
  const claim = fc.record({ want: fc.nat(50), weight: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(fc.nat(200), fc.array(claim, { maxLength: 12 }), (units, claims) => {
      const shares = fairShares(units, claims);
      const wanted = claims.reduce((sum, { want }) => sum + want, 0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(Math.min(units, wanted));
      shares.forEach((share, at) => {
        const { want = 0, weight = 0 } = claims[at] ?? {};
        expect(Number.isInteger(share) && share >= 0 && share <= want).toBe(true);
        // Whoever got less than it wanted got no less for its weight than others, but for a whole one.
        if (share < want)
          shares.forEach((other, index) =>
            expect((other - 1) / (claims[index]?.weight ?? 1)).toBeLessThanOrEqual(
              (share + 1) / weight + 1e-9,
            ),
          );
      });
    }),
  );
});

describe('over all machines', () => {
  it('four that send 1,000 requests a second use nearly all of it, and no second has more', async () => {
    const all = world();
    for (let member = 0; member < 4; member++)
      all.add({ limits: { requestsPerSecond: 1000 }, concurrency: 8 });
    await all.run(8000);
    expect(fullestSecond(all.seen, 'left')).toBeLessThanOrEqual(1000);
    expect(fullestSecond(all.seen, 'booked')).toBeLessThanOrEqual(1000);
    expect(perSecond(all.seen, 3000, 8000)).toBeGreaterThan(950);
    for (const member of [0, 1, 2, 3]) {
      const own = all.seen.filter((request) => request.member === member);
      expect(perSecond(own, 3000, 8000)).toBeGreaterThan(210);
    }
  });

  it('no second has more while members come, go, are killed and lose the database', async () => {
    const member = fc.record({
      from: fc.nat(6000),
      until: fc.option(fc.integer({ min: 500, max: 12_000 }), { nil: undefined }),
      killed: fc.boolean(),
      weight: fc.integer({ min: 1, max: 5 }),
      concurrency: fc.integer({ min: 1, max: 12 }),
      largest: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 30, max: 200 }),
        fc.nat(1_000_000),
        async (members, requestsPerSecond, clientsPerSecond, seed) => {
          const all = world(seed);
          const random = randomFrom(seed + 1);
          for (const { largest, until, from, ...one } of members)
            all.add({
              ...one,
              from,
              ...(until === undefined ? {} : { until: from + until }),
              limits: { requestsPerSecond, clientsPerSecond },
              clients: () => Math.ceil(largest * random()),
            });
          all.at(4000 + 1000 * random(), () => (all.isLost = true));
          all.at(6000 + 5000 * random(), () => (all.isLost = false));
          await all.run(14_000);
          expect(fullestSecond(all.seen, 'left')).toBeLessThanOrEqual(requestsPerSecond);
          expect(fullestSecond(all.seen, 'left', ({ clients }) => clients)).toBeLessThanOrEqual(
            clientsPerSecond,
          );
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  it('members share by weight, and what one has no use for goes to the others', async () => {
    const limits = { requestsPerSecond: 400 };
    const all = world();
    all.add({ limits, weight: 30, concurrency: 8 });
    all.add({ limits, weight: 10, concurrency: 8 });
    all.add({ limits, weight: 10, concurrency: 8, until: 8000 });
    await all.run(14_000);
    const of = (member: number, from: number, to: number): number =>
      perSecond(
        all.seen.filter((request) => request.member === member),
        from,
        to,
      );
    expect(of(0, 3000, 8000) / of(1, 3000, 8000)).toBeCloseTo(3, 0);
    expect(of(0, 10_000, 14_000) / of(1, 10_000, 14_000)).toBeCloseTo(3, 0);
    expect(perSecond(all.seen, 10_000, 14_000)).toBeGreaterThan(380);
  });

  it('a run on many machines has its weight once', async () => {
    const limits = { requestsPerSecond: 400 };
    const all = world();
    for (let member = 0; member < 4; member++)
      all.add({ limits, group: 'migration', concurrency: 8 });
    all.add({ limits, group: 'nightly', concurrency: 8 });
    await all.run(8000);
    const nightly = all.seen.filter(({ member }) => member === 4);
    expect(perSecond(nightly, 3000, 8000)).toBeGreaterThan(180);
  });

  it('where there is less than one permit for each, they take turns', async () => {
    const all = world();
    for (let member = 0; member < 4; member++)
      all.add({ limits: { requestsPerSecond: 1 }, concurrency: 2 });
    await all.run(60_000);
    expect(fullestSecond(all.seen, 'left')).toBe(1);
    expect(perSecond(all.seen, 0, 60_000)).toBeGreaterThan(0.8);
    for (const member of [0, 1, 2, 3])
      expect(all.seen.filter((request) => request.member === member).length).toBeGreaterThan(6);
  });

  it('requests that take all clients of a second are sent in turns', async () => {
    const all = world();
    for (let member = 0; member < 3; member++)
      all.add({ limits: { clientsPerSecond: 500 }, concurrency: 2, clients: () => 500 });
    await all.run(40_000);
    expect(fullestSecond(all.seen, 'left', ({ clients }) => clients)).toBe(500);
    expect(perSecond(all.seen, 0, 40_000)).toBeGreaterThan(0.8);
  });

  it('no more requests are in flight together than is permitted', async () => {
    const limits = { concurrency: 6 };
    const all = world();
    for (let member = 0; member < 4; member++) all.add({ limits, concurrency: 8 });
    await all.run(6000);
    const moves = all.seen.flatMap(({ left, booked }) => [
      { at: left, by: 1 },
      { at: booked, by: -1 },
    ]);
    moves.sort((one, other) => one.at - other.at || one.by - other.by);
    let [inFlight, most] = [0, 0];
    for (const { by } of moves) most = Math.max(most, (inFlight += by));
    expect(most).toBeLessThanOrEqual(6);
    expect(new Set(all.seen.map(({ member }) => member)).size).toBe(4);
  });

  it('after Retry-After, nobody sends before; where much is refused, all send less', async () => {
    const limits = { requestsPerSecond: 200 };
    const paused = world(1, {
      refuses: (at) => (at > 3000 && at < 3050 ? { retryAfterMs: 2000 } : undefined),
    });
    for (let member = 0; member < 3; member++) paused.add({ limits, concurrency: 4 });
    await paused.run(8000);
    expect(perSecond(paused.seen, 3200, 4900)).toBe(0);
    expect(perSecond(paused.seen, 6500, 8000)).toBeGreaterThan(150);
    const random = randomFrom(7);
    const slowed = world(1, {
      refuses: (at) => (at > 3000 && at < 9000 && random() < 0.5 ? {} : undefined),
    });
    for (let member = 0; member < 3; member++) slowed.add({ limits, concurrency: 4 });
    await slowed.run(30_000);
    expect(perSecond(slowed.seen, 1500, 3000)).toBeGreaterThan(180);
    expect(perSecond(slowed.seen, 7000, 9000)).toBeLessThan(80);
    expect(perSecond(slowed.seen, 26_000, 30_000)).toBeGreaterThan(180);
  });
});

describe('without the database', () => {
  it('members send until their leases end, wait, and go on; it is told once', async () => {
    const all = world();
    all.add({ limits: { requestsPerSecond: 100 }, concurrency: 4 });
    all.at(3000, () => (all.isLost = true));
    all.at(20_000, () => (all.isLost = false));
    await all.run(50_000);
    expect(perSecond(all.seen, 8000, 20_000)).toBe(0);
    expect(perSecond(all.seen, 40_000, 50_000)).toBeGreaterThan(90);
    expect(all.told).toHaveLength(1);
    expect(all.told[0]).toMatch(/nothing new is sent; trying on/);
    expect(all.failed).toEqual([]);
  });

  it('they give up after so long', async () => {
    const all = world();
    all.add({ limits: { requestsPerSecond: 100 }, concurrency: 1, giveUpAfterMs: 30_000 });
    all.at(3000, () => (all.isLost = true));
    await all.run(100_000);
    expect(all.failed).toHaveLength(1);
    expect(all.failed[0]).toBeInstanceOf(LedgerError);
  });
});
