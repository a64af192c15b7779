import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countOutcomes } from '../../kit/bench.js';
import { differences } from './books.js';
import { within } from './compare.js';
import { type Gate, startGate } from './gate.js';
import { type Center, OPTIONS, type World, openWorld } from './world.js';

const ROWS = 100;

let world: World;
let center: Center;
let gate: Gate;
beforeAll(async () => {
  world = await openWorld(['create', 'upsert', 'delete', 'dequeue'], ROWS);
  center = await world.center('center');
  gate = await startGate(center.port);
});
afterAll(async () => {
  await gate.close();
  await center.close();
  await world.close();
});

/** Starts an import and ends it when so many requests have been carried out. */
async function brokenOff(args: readonly string[], after: number): Promise<void> {
  const running = world.start(args);
  let carriedOut = 0;
  gate.onCarriedOut = () => {
    if (++carriedOut === after) running.child.kill('SIGKILL');
  };
  expect((await running.ended).code).toBe(null);
  gate.onCarriedOut = () => undefined;
}

/** Requests that arrive from now on. */
function counted(): () => number {
  let requests = 0;
  gate.behave = () => {
    requests++;
    return undefined;
  };
  return () => requests;
}

describe('a run that broke off', () => {
  it('is not continued in another mode, and it is told why', async () => {
    const args = await world.importOf('create', 'other', gate.url);
    await brokenOff(args, 6);
    const before = center.books();
    const other = await world.run([...args, '--mode', 'upsert']);
    const words =
      /not at its end, and the mapping \(or --mode, --recovery, --limit or --rows\) has changed since it began/;
    expect([other.code, other.stderr]).toEqual([64, expect.stringMatching(words)]);
    const recovering = await world.run([...args, '--recovery']);
    expect([recovering.code, recovering.stderr]).toEqual([64, expect.stringMatching(words)]);
    const deleting = await world.importOf('create', 'other', gate.url, [
      '--mode',
      'delete',
      '--yes',
    ]);
    const campaign = deleting.indexOf('--campaign');
    const refused = await world.run(deleting.toSpliced(campaign, 2));
    expect(refused.code).toBe(64);
    expect([...differences(before, center.books())]).toEqual([]);
    const same = await world.run(args);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('Continuing run')]);
    expect((await same.summary()).rows).toBe(ROWS);
  });

  for (const mode of ['delete', 'dequeue'] as const)
    it(
      `is continued in its own by "resume", mode ${mode}`,
      { tags: mode === 'delete' ? [] : 'depth' },
      async () => {
        const more = mode === 'delete' ? ['--mode', 'delete'] : [];
        const args = await world.importOf(mode, mode, gate.url, more);
        await brokenOff(args, ROWS / 2);
        const places = ['--ledger', world.at(`${mode}.db`), '--out', world.at(mode)];
        const resumed = await world.run(['resume', ...places, ...OPTIONS]);
        expect(resumed.code, resumed.stderr).toBe(2);
        expect(await resumed.summary()).toMatchObject({ rows: ROWS, mode, state: 'finished' });
        const { deleted = 0, dequeued = 0 } = countOutcomes(await resumed.report());
        expect(deleted + dequeued).toBeGreaterThan(ROWS / 3);
        const changed = differences(world.before, center.books(), within(mode));
        expect(changed.size).toBe(deleted + dequeued);
      },
    );
});

describe('a run that has been done', () => {
  it('is not done again, and another mode is another run', async () => {
    const args = await world.importOf('upsert', 'done', gate.url);
    const once = await world.run(args);
    const { run: first } = await once.summary();
    const requests = counted();
    const second = await world.run(args);
    expect([second.code, second.stderr]).toEqual([
      once.code,
      expect.stringContaining('imported already'),
    ]);
    // The campaign is looked for; nobody is created, changed or enqueued.
    expect(requests()).toBe(1);
    const third = await world.run([...args, '--mode', 'enqueue']);
    const summary = await third.summary();
    expect(summary).toMatchObject({ mode: 'enqueue', rows: ROWS });
    expect(summary.run).not.toBe(first);
  });
});
