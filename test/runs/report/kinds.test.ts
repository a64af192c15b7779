import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRuns, type OutcomeCounts, showRun } from '../../../src/index.js';
import { type Gate, startGate } from '../modes/gate.js';
import { type Center, type World, OPTIONS, openWorld } from '../modes/world.js';
import { everyFormatCounts, occurring } from './every-format.js';

const ROWS = 100;
/** One mode of each way to a client, and what takes an import back or compares it. `states.test.ts` has the others. */
const KILLED = ['create', 'enqueue', 'delete'] as const;
/** Requests of a run that is broken off: the smallest run, of creations in batches, has more. */
const CARRIED_OUT = 4;

let world: World;
let center: Center;
let gate: Gate;

beforeAll(async () => {
  world = await openWorld(KILLED, ROWS);
  center = await world.center('center');
  gate = await startGate(center.port);
}, 600_000);
afterAll(async () => {
  await gate.close();
  await center.close();
  await world.close();
});

/** Breaks a run off by a signal when some of its requests have been carried out. Resolves with its id. */
async function brokenOff(name: string, args: readonly string[], signal: 'SIGKILL' | 'SIGINT') {
  const begun = world.start(args);
  let carriedOut = 0;
  gate.hold = () => 20;
  gate.onCarriedOut = () => {
    if (++carriedOut === CARRIED_OUT) begun.child.kill(signal);
  };
  const { code } = await begun.ended;
  gate.onCarriedOut = () => undefined;
  gate.hold = () => 0;
  expect(code).toBe(signal === 'SIGKILL' ? null : 3);
  const [latest] = await listRuns({ ledger: world.at(`${name}.db`) });
  return latest?.run ?? '';
}

/** What `summary.json` in the folder of a command counts. */
async function summaryOf(args: readonly string[]) {
  const out = args[args.indexOf('--out') + 1] ?? '';
  const summary = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8')) as {
    run: string;
    mode: string;
    rows: number;
    state: string;
    outcomes: OutcomeCounts;
  };
  const counts = occurring(summary.outcomes);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(summary.rows);
  return { ...summary, counts };
}

describe('reports of a run that is killed, stopped and finished count as summary.json does', () => {
  const count = (name: string, run: string, counts: Record<string, number>) =>
    everyFormatCounts(world.at(`${name}.db`), run, world.at(name), counts);

  for (const mode of KILLED)
    it(
      `an import of mode ${mode}`,
      { timeout: 300_000, tags: mode === 'create' ? [] : 'depth' },
      async () => {
        const args = await world.importOf(mode, mode, gate.url);
        const run = await brokenOff(mode, args, 'SIGKILL');
        const { state, outcomes } = await showRun({ run, ledger: world.at(`${mode}.db`) });
        expect(state).toBe('broken_off');
        await count(mode, run, occurring(outcomes));

        // A run that is asked to stop leaves a summary behind; one of each kind is enough.
        if (mode === 'create') {
          expect(await brokenOff(mode, args, 'SIGINT')).toBe(run);
          const half = await summaryOf(args);
          expect([half.run, half.state]).toEqual([run, 'stopped']);
          await count(mode, run, half.counts);
        }
        await finished(mode, args, mode, run);
      },
    );

  it('comparisons and the undoing of an import', { timeout: 300_000 }, async () => {
    const [{ run } = { run: '' }] = await listRuns({ ledger: world.at('create.db') });
    const ledger = ['--ledger', world.at('create.db')];
    const args = await world.importOf('create', 'create', gate.url);
    const out = (name: string) => ['--out', world.at(name), ...OPTIONS];
    // The comparisons first: they are to find what the import did.
    const compared = ['reconcile', ...args.slice(1)];
    const at = compared.indexOf('--out') + 1;
    for (const comparison of [
      compared.with(at, world.at('compared')),
      ['reconcile', '--run', run, ...ledger, ...out('claims')],
    ]) {
      const { counts } = await finished('create', comparison, 'reconcile');
      expect(counts['match']).toBeGreaterThan(ROWS / 4);
    }
    await finished('create', ['undo', run, '--yes', ...ledger, ...out('undo')], 'undo');
  });

  /** Brings a run to its end. */
  async function finished(name: string, args: readonly string[], mode: string, run?: string) {
    await world.run(args);
    const whole = await summaryOf(args);
    expect(whole).toMatchObject({ mode, state: 'finished', rows: ROWS, ...(run && { run }) });
    await count(name, whole.run, whole.counts);
    return whole;
  }
});
