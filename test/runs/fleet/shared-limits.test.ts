import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { countOutcomes, useBench, twice, until } from '../../kit/bench.js';
import type { Ended } from '../../kit/cardline.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { type Machines, machinesOf, type Running } from './harness.js';

/** Two pieces: none but the last has fewer rows than a chunk. */
const ROWS = 1500;
const PIECE = 1000;
const [BATCH, CONCURRENCY] = [50, 2];
const OPTIONS = { batchSize: BATCH, concurrency: CONCURRENCY };

interface Printed {
  readonly summary: { readonly run: string; readonly state: string; readonly waiting?: number };
  readonly stopped?: string;
}
const printedBy = ({ stdout }: Ended): Printed => JSON.parse(stdout) as Printed;

withPostgres('the limits of a shared run', (server) => {
  const bench = useBench({ after: ({ center }) => expect(twice(center.creations)).toEqual([]) });
  let machines: Machines;
  let file: string;
  let worker: Running;
  beforeEach(async () => {
    machines = machinesOf(bench, await server.ledger(), PIECE);
    file = await bench.list(ROWS);
    worker = machines.worker();
  }, 30_000);
  afterEach(async () => {
    worker.child.kill('SIGTERM');
    await worker.ended;
  });

  /** The contact center refuses clients of these rows, and takes a while for each request, or waits for something. */
  const refusing = (
    isRefused: (row: number) => boolean,
    delay = 20,
    hold?: Promise<void>,
  ): void => {
    bench.center.behave = ({ operation }) =>
      operation === '4.1'
        ? {
            ...{ delay, ...(hold && { hold }) },
            refuse: ({ fields }) =>
              isRefused(Number((fields as { offerId: unknown }).offerId) - 100_000)
                ? 'Refused.'
                : undefined,
          }
        : undefined;
  };
  const created = (): number => bench.center.creations.size;
  const stateOf = async (run: string): Promise<string> => {
    const { stdout } = await bench.run('runs', '--ledger', machines.ledger, '--json');
    const runs = JSON.parse(stdout) as { run: string; state: string }[];
    return runs.find((one) => one.run === run)?.state ?? 'none';
  };

  /** Looks for a while whether a run comes to a state. */
  const comesTo = async (run: string, wanted: string): Promise<void> => {
    for (let left = 60; left > 0 && (await stateOf(run)) !== wanted; left--) await sleep(500);
    expect(await stateOf(run)).toBe(wanted);
  };

  it('too many failures over all pieces stop all who send, and a higher limit goes on', async () => {
    // One in ten, so that no piece has too many of them by itself.
    refusing((row) => row % 10 === 0);
    const options = { ...OPTIONS, maxFailures: { count: 100 } };
    const stopped = await machines.submitHere('run', file, options);
    expect(stopped.code, stopped.stderr).toBe(3);
    const { summary, stopped: why } = printedBy(stopped);
    expect(why).toMatch(/^1[0-4]\d of 1,500 rows did not end well, more than the 100 that are/);
    expect(summary).toMatchObject({ state: 'stopped' });
    const sent = bench.center.requests.length;
    const { failed = 0 } = countOutcomes(machines.imported('run', stopped).report());
    // Both pieces may be worked on, with two requests of five refusals each: what was in flight ends, and as much
    // may have been answered and not be on record yet.
    expect(failed).toBeGreaterThan(100);
    expect(failed).toBeLessThanOrEqual(100 + 2 * 2 * CONCURRENCY * (BATCH / 10));
    expect(await stateOf(summary.run)).toBe('stopped');
    const again = await machines.submitHere('run', file, options);
    expect(again.code).toBe(3);
    expect(await stateOf(summary.run)).toBe('stopped');
    expect(bench.center.requests.filter(({ operation }) => operation === '4.1').length).toBe(
      bench.center.requests.slice(0, sent).filter(({ operation }) => operation === '4.1').length,
    );
    const ended = await machines.submitHere('run', file, {
      ...OPTIONS,
      maxFailures: { percent: 10 },
    });
    expect(ended.code, ended.stderr).toBe(2);
    const run = machines.imported('run', ended);
    expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS * 0.9, failed: ROWS * 0.1 });
    expect(run.summary()).toMatchObject({ run: summary.run, state: 'finished' });
  }, 120_000);

  it(
    'a limit that is passed already when it is given stops those who send',
    { tags: 'depth', timeout: 120_000 },
    async () => {
      refusing((row) => row % 10 === 0, 1500);
      const left = await machines.submitHere('run', file, { ...OPTIONS, detach: true });
      const { run } = printedBy(left).summary;
      await until(() => created() > 100, 'some are sent, and some have failed');
      const stopped = await machines.submitHere('run', file, {
        ...OPTIONS,
        maxFailures: { count: 1 },
      });
      expect(stopped.code, stopped.stderr).toBe(3);
      expect(printedBy(stopped).stopped).toMatch(/more than the 1 that/);
      await comesTo(run, 'stopped');
      expect(created()).toBeLessThan(ROWS * 0.9);
    },
  );

  it('nobody but the canary is sent where that does not pass, and the same command goes on', async () => {
    refusing((row) => row === 7);
    const options = { ...OPTIONS, canary: 20 };
    // Whoever submits may be gone by then: workers find out.
    const left = await machines.submitHere('run', file, { ...options, detach: true });
    const { run } = printedBy(left).summary;
    const stops = (): boolean =>
      worker.child.exitCode === null && noted.includes('first rows failed');
    let noted = '';
    worker.child.stderr.on('data', (text: string) => (noted += text));
    if (left.code === 0) await until(stops, 'the worker says so');
    expect(created()).toBe(19);
    expect(await stateOf(run)).toBe('stopped');
    if (left.code === 0) {
      // Nobody has seen it yet.
      const told = await machines.submitHere('run', file, options);
      expect(told.code, told.stderr).toBe(3);
      expect(printedBy(told).stopped).toMatch(/Too many of the first rows failed/);
      expect(machines.imported('run', told).report()).toHaveLength(20);
      expect(created()).toBe(19);
    }
    const ended = await machines.submitHere('run', file, options);
    expect(ended.code, ended.stderr).toBe(2);
    expect(countOutcomes(machines.imported('run', ended).report())).toEqual({
      ...{ enqueued: ROWS - 1, failed: 1 },
    });
    expect(printedBy(ended).summary.run).toBe(run);
  }, 120_000);
});
