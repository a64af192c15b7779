import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { listRuns, type OutcomeCounts, showRun } from '../../../src/index.js';
import { OPTIONS, brokenOff, useWorld } from '../modes/world.js';
import { everyFormatCounts, occurring } from './every-format.js';

const ROWS = 100;
/** Requests of a run that is broken off: the smallest run, of creations in batches, has more. */
const CARRIED_OUT = 4;

const stage = useWorld(['create'], ROWS);
const { world, gate } = stage;

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
  const ledger = () => world.at('create.db');
  const count = (run: string, counts: Record<string, number>) =>
    everyFormatCounts(ledger(), run, world.at('create'), counts);
  const latest = async () => (await listRuns({ ledger: ledger() }))[0]?.run ?? '';

  it('an import', { timeout: 300_000 }, async () => {
    const args = await world.importOf('create', 'create', gate.url);
    gate.hold = () => 20;
    await brokenOff(stage, args, CARRIED_OUT);
    const run = await latest();
    const { state, outcomes } = await showRun({ run, ledger: ledger() });
    expect(state).toBe('broken_off');
    await count(run, occurring(outcomes));
    // A run that is asked to stop leaves a summary behind.
    await brokenOff(stage, args, CARRIED_OUT, 'SIGINT');
    gate.hold = () => 0;
    const half = await summaryOf(args);
    expect([half.run, half.state]).toEqual([run, 'stopped']);
    await count(run, half.counts);
    await finished(args, 'create', run);
  });

  it('comparisons and the undoing of an import', { timeout: 300_000 }, async () => {
    const run = await latest();
    const at = ['--ledger', ledger()];
    const args = await world.importOf('create', 'create', gate.url);
    const out = (name: string) => ['--out', world.at(name), ...OPTIONS];
    // The comparisons first: they are to find what the import did.
    const compared = ['reconcile', ...args.slice(1)];
    const place = compared.indexOf('--out') + 1;
    for (const comparison of [
      compared.with(place, world.at('compared')),
      ['reconcile', '--run', run, ...at, ...out('claims')],
    ]) {
      const { counts } = await finished(comparison, 'reconcile');
      expect(counts['match']).toBeGreaterThan(ROWS / 4);
    }
    await finished(['undo', run, '--yes', ...at, ...out('undo')], 'undo');
  });

  /** Brings a run to its end. */
  async function finished(args: readonly string[], mode: string, run?: string) {
    await world.run(args);
    const whole = await summaryOf(args);
    expect(whole).toMatchObject({ mode, state: 'finished', rows: ROWS, ...(run && { run }) });
    await count(whole.run, whole.counts);
    return whole;
  }
});
