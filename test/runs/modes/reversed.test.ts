import { afterAll, beforeAll, expect, it } from 'vitest';
import { identityIn, type Line } from '../../kit/bench.js';
import { type Center, type World, openWorld } from './world.js';

const ROWS = 60;

let world: World;
let center: Center;
beforeAll(async () => {
  world = await openWorld(['create'], ROWS);
  center = await world.center('center');
});
afterAll(async () => {
  await center.close();
  await world.close();
});

const ended = (lines: readonly Line[], outcome: string): string[] =>
  lines
    .filter((line) => line['outcome'] === outcome)
    .map((line) => JSON.stringify(identityIn(line)));

it('an import whose clients a later run removed from the campaign adds them again', async () => {
  const args = await world.importOf('create', 'list', center.url);
  const first = ended(await (await world.run(args)).report(), 'enqueued');
  expect(first.length).toBeGreaterThan(0);
  const cards = center.books().size;
  const removed = await world.run([...args, '--mode', 'dequeue', '--yes']);
  expect(ended(await removed.report(), 'dequeued')).toEqual(expect.arrayContaining(first));

  const again = await world.run(args);
  expect(again.stderr).not.toContain('imported already');
  const report = await again.report();
  // Those alone whose cards the first run made; the last one does not claim to have created them.
  expect(ended(report, 'enqueued')).toEqual(first);
  expect(center.books().size).toBe(cards);
  for (const line of report.filter(({ outcome }) => outcome === 'enqueued'))
    expect(line['createResult']).toMatch(/^Created by run /);
});
