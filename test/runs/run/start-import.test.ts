import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { LIBRARY, built } from '../../kit/built.js';
import type * as Library from '../../../src/index.js';
import type { RunState, StartedRun } from '../../../src/index.js';
import { type Sandbox, startSandbox } from '../../kit/sandbox.js';
import { lead, leads, until, useBench } from '../../kit/bench.js';

const { listRuns, startImport } = await built<typeof Library>(LIBRARY);

const ROWS = 3000;
const IDENTIFIERS = ['offerId', 'offerDomain'];

const bench = useBench({ once: true });
let sandbox: Sandbox;
let number = 0;
beforeEach(async () => {
  sandbox = await startSandbox(bench.at('center.yaml'), bench.at(`center-${++number}.db`));
  return () => sandbox.close();
});

async function started(rows = leads(ROWS)): Promise<StartedRun> {
  await bench.list(rows);
  return startImport({
    ...{ files: [bench.at('leads.csv')], mapping: bench.at('mapping.yaml') },
    ...{ installation: bench.at('center.yaml'), baseUrl: sandbox.url, env: bench.environment },
    ...{ ledger: bench.at(`${number}.db`), out: bench.at(`run-${number}`) },
    ...{ batchSize: 20, concurrency: 2, campaign: { id: 1 } },
  });
}

async function reached(
  run: StartedRun,
  condition: (state: RunState) => boolean,
): Promise<RunState> {
  for await (const state of run.watch()) if (condition(state)) return state;
  throw new Error('The run ended before.');
}

const cards = () => sandbox.books(IDENTIFIERS).size;

describe('a run that is watched', () => {
  it('sends nothing while it is paused, and everything once when it goes on', async () => {
    const run = await started();
    await reached(run, ({ rows }) => rows > 200);
    run.pause();
    const paused = await reached(run, ({ phase }) => phase === 'paused');
    expect(paused).toMatchObject({ inFlight: 0, rowsPerSecond: 0, secondsLeft: null });
    expect(paused.rows).toBeLessThan(ROWS);
    const before = cards();
    await sleep(500);
    expect(cards()).toBe(before);
    expect(run.state()).toMatchObject({ phase: 'paused', requests: paused.requests });
    run.continue();
    const states: RunState[] = [];
    for await (const state of run.watch()) states.push(state);
    const { summary, exitCode } = await run.result;
    expect([exitCode, summary.outcomes.enqueued]).toEqual([0, ROWS]);
    expect(states.at(-1)).toMatchObject({
      ...{ phase: 'finished', rows: ROWS, waiting: 0, share: 1, inFlight: 0 },
      ...{ run: summary.run, out: bench.at(`run-${number}`), isContinued: false },
    });
    const books = [...sandbox.books(IDENTIFIERS).values()];
    expect(books.length).toBe(ROWS);
    expect(books.filter(({ campaigns }) => campaigns.join() !== '1')).toEqual([]);
  });

  it('is stopped while it is paused as Ctrl-C stops it, and goes on later', async () => {
    const run = await started();
    await reached(run, ({ rows }) => rows > 100);
    run.pause();
    await reached(run, ({ phase }) => phase === 'paused');
    const before = cards();
    run.stop();
    const { stopped, exitCode, summary } = await run.result;
    expect([exitCode, summary.state]).toEqual([3, 'stopped']);
    expect(stopped).toContain('the same command goes on from here');
    expect(run.state().phase).toBe('stopped');
    expect(cards()).toBe(before);
    const again = await started();
    expect((await reached(again, ({ phase }) => phase !== 'opening')).run).toBe(summary.run);
    expect((await again.result).summary.outcomes.enqueued).toBe(ROWS);
    expect(again.state().isContinued).toBe(true);
    expect((await listRuns({ ledger: bench.at(`${number}.db`) })).length).toBe(1);
  });

  it('says why rows do not end well while it works', async () => {
    const bad = [lead(1), { ...lead(2), Mobile: 'none' }, { ...lead(3), Mobile: 'no' }, lead(1)];
    const run = await started(bad);
    await run.result;
    const { reasons, rows, outcomes } = run.state();
    expect([rows, outcomes.rejected, outcomes.skipped]).toEqual([4, 2, 1]);
    expect(reasons).toMatchObject([
      { outcome: 'rejected', column: 'Mobile', code: 'not_a_phone', rows: 2 },
    ]);
    expect(JSON.stringify(reasons)).not.toContain('none');
  });

  it('is not at its end when nobody answers', async () => {
    bench.center.behave = ({ operation }) =>
      operation === '4.1' ? { untouched: true, drop: true } : undefined;
    const run = startImport({
      ...{ files: [await bench.list(300)], mapping: bench.at('mapping.yaml') },
      ...{ installation: bench.at('center.yaml'), env: bench.environment },
      ...{ ledger: bench.at(`${number}.db`), out: bench.at(`run-${number}`) },
      giveUpAfterMs: 3_600_000,
    });
    await until(() => bench.center.requests.length > 3, 'it is tried again');
    expect(run.state()).toMatchObject({ rows: 0, share: 0 });
    run.stop();
    expect((await run.result).exitCode).toBe(3);
  });

  it('fails as an import does', async () => {
    const run = startImport({
      ...{ files: [bench.at('missing.csv')], mapping: bench.at('mapping.yaml') },
      installation: bench.at('center.yaml'),
    });
    await expect(run.result).rejects.toThrow(/missing\.csv/);
    expect(run.state().phase).toBe('failed');
  });
});
