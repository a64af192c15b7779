import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODES, type Mode } from '../../../src/core/mode.js';
import { countOutcomes } from '../../runs/harness.js';
import { isFull } from '../harness.js';
import { everyRowCounted, sameButForDoubt } from '../../runs/modes/compare.js';
import { startGate } from '../../runs/modes/gate.js';
import { BATCH, type Center, type Run, type World, openWorld } from '../../runs/modes/world.js';

const ROWS = isFull ? 5000 : 500;
/** Most requests and batches that are under way at once. */
const [REQUESTS, BATCHES] = [4, 6];
/**
 * Of so many rows a kill can leave in doubt what became of them: callbacks are recorded one by one, two of a batch at a
 * time.
 */
const doubtful = (mode: Mode): number => (mode === 'callbacks' ? 2 * BATCHES : BATCHES * BATCH);

let world: World;
let clean: Center;
let killed: Center;
beforeAll(async () => {
  world = await openWorld(MODES, ROWS);
  [clean, killed] = await Promise.all([world.center('clean'), world.center('killed')]);
}, 600_000);
afterAll(async () => {
  await Promise.all([clean.close(), killed.close()]);
  await world.close();
});

/** Kills the import of a mode when half of its requests have been carried out, and runs the same command again. */
async function killedHalfway(mode: Mode, requests: number): Promise<Run> {
  const gate = await startGate(killed.port);
  try {
    const args = await world.importOf(mode, `${mode}-killed`, gate.url);
    const first = world.start(args);
    let carriedOut = 0;
    gate.onCarriedOut = () => {
      if (++carriedOut === Math.ceil(requests / 2)) first.child.kill('SIGKILL');
    };
    expect((await first.ended).code).toBe(null);
    expect(carriedOut).toBeLessThan(Math.ceil(requests / 2) + 2 * REQUESTS);
    const second = await world.run(args);
    expect(second.stderr).toContain('Continuing run');
    return second;
  } finally {
    await gate.close();
  }
}

describe.concurrent('an import is killed halfway and continued', () => {
  it.each(MODES)(`mode %s, ${ROWS} rows`, { timeout: 600_000 }, async (mode) => {
    const began = Date.now();
    const whole = await world.run(await world.importOf(mode, `${mode}-clean`, clean.url));
    expect(whole.code, whole.stderr).toBe(2);
    await everyRowCounted(whole, ROWS);
    const { requests } = await whole.summary();
    const run = await killedHalfway(mode, requests);
    expect(run.code, run.stderr).toBe(2);
    await everyRowCounted(run, ROWS);
    const open = await sameButForDoubt({
      ...{ mode, before: world.before, clean: whole, cleanCenter: clean },
      ...{ disturbed: run, disturbedCenter: killed },
    });
    expect(open.length).toBeLessThanOrEqual(doubtful(mode));
    const seconds = (Date.now() - began) / 1000;
    const outcomes = countOutcomes(await whole.report());
    console.log(JSON.stringify({ mode, requests, seconds, open: open.length, outcomes }));
  });
});
