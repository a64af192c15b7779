import { afterAll, beforeAll, expect, it } from 'vitest';
import { countOutcomes } from '../../kit/bench.js';
import { startGate } from './gate.js';
import { type Center, type World, openWorld } from './world.js';

const ROWS = 40;

let world: World;
let center: Center;
beforeAll(async () => {
  world = await openWorld(['upsert'], ROWS);
  center = await world.center('center');
});
afterAll(async () => {
  await center.close();
  await world.close();
});

it('an upsert asks again for a client whose lookup was answered by half', async () => {
  const clean = await world.center('clean');
  const whole = await world.run(await world.importOf('upsert', 'clean', clean.url));
  await clean.close();
  const gate = await startGate(center.port);
  const seen = new Set<string>();
  gate.behave = ({ line, body }) => {
    if (!line.endsWith('/clients/by/syncIds.json') || seen.has(body)) return undefined;
    seen.add(body);
    // Others are answered, or the contact center would be taken for dead.
    return seen.size % 2 === 0 ? 'cut answer' : undefined;
  };
  try {
    const run = await world.run(await world.importOf('upsert', 'cut', gate.url));
    expect(seen.size).toBeGreaterThan(ROWS / 4);
    expect(run.code, run.stderr).toBe(whole.code);
    expect(countOutcomes(await run.report())).toEqual(countOutcomes(await whole.report()));
  } finally {
    await gate.close();
  }
});
