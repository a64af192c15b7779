import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, csv, lead, openBench, twice } from '../runs/harness.js';
import { machinesOf } from '../runs/fleet/harness.js';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../kit/postgres.js';
import { isFull } from './harness.js';

/** FLEET_ROWS: how many rows. */
const ROWS = Number(process.env['FLEET_ROWS'] ?? (isFull ? 200_000 : 4000));
const PIECE = ROWS / 20;
/** One row in so many repeats an earlier one, most of them in another piece: 3 %. */
const REPEATED = 33;
const REJECTED = 50;

/** A report without what differs from one import of the same rows to the next: the run, and ids of cards. */
function withoutIds(report: string, run: string): string {
  return report
    .replaceAll(run, 'RUN')
    .replaceAll(/,(enqueued|created|failed|rejected|skipped|enqueue_failed),,\d*,/g, ',$1,,ID,');
}

/** The first line that differs, for whoever looks for the reason. */
function firstDifference(one: string, other: string): string | undefined {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  const at = lines.findIndex((line, index) => line !== others[index]);
  return at < 0 ? undefined : `${at + 1}: ${lines[at] ?? ''} / ${others[at] ?? ''}`;
}

describe.skipIf(POSTGRES === undefined)(`the report of a shared run${WITHOUT}`, () => {
  let server: SharedPostgres;
  let bench: Bench;
  beforeAll(async () => {
    server = await startPostgres();
    bench = await openBench();
  }, 60_000);
  afterAll(async () => {
    await bench.close();
    server.remove();
  }, 60_000);

  it(
    `of ${ROWS} rows with duplicates over its pieces is that of one machine, byte for byte`,
    async () => {
      const rows = Array.from({ length: ROWS }, (_, at) => {
        if (at % REPEATED === REPEATED - 1)
          return lead(1 + ((at * 7919) % at), { Comment: 'again' });
        return lead(at + 1, at % REJECTED === 0 ? { Mobile: 'none', Other: '' } : {});
      });
      const file = await bench.write('leads.csv', csv(rows));
      const began = performance.now();
      const alone = await bench.import('alone', [file], ['--campaign', '42']);
      const aloneMs = performance.now() - began;
      expect(alone.code, alone.stderr).toBe(2);
      const cards = bench.center.cards.size;
      bench.center.forget();
      const machines = machinesOf(bench, await server.database(), PIECE);
      const workers = [machines.worker(), machines.worker()];
      const sharedFrom = performance.now();
      const left = await machines.submit('shared', file, { detach: true }).ended;
      expect(left.code, left.stderr).toBe(0);
      // Takes part while something is left, and writes the report.
      const ended = await machines.submit('shared', file).ended;
      const sharedMs = performance.now() - sharedFrom;
      for (const { child } of workers) child.kill('SIGTERM');
      const noted = await Promise.all(workers.map(async (worker) => (await worker.ended).stderr));
      expect(ended.code, ended.stderr).toBe(2);
      const shared = machines.imported('shared', ended);
      const textOf = (name: string, run: string): string =>
        withoutIds(readFileSync(bench.at(`${name}/report.csv`), 'utf8'), run);
      const one = textOf('alone', alone.summary().run);
      const other = textOf('shared', shared.summary().run);
      expect(firstDifference(one, other)).toBeUndefined();
      expect(other.length).toBe(one.length);
      expect(readFileSync(bench.at('shared/rejects.csv'))).toEqual(
        readFileSync(bench.at('alone/rejects.csv')),
      );
      const { outcomes } = alone.summary();
      expect(shared.summary().outcomes).toEqual(outcomes);
      expect(bench.center.cards.size).toBe(cards);
      expect(twice(bench.center.creations)).toEqual([]);
      const byWorkers = noted.join('').match(/: ended/g)?.length ?? 0;
      const figures = { rows: ROWS, bytes: one.length, outcomes, byWorkers, aloneMs, sharedMs };
      console.log(JSON.stringify(figures));
      // Others took part.
      expect(byWorkers).toBeGreaterThan(0);
    },
    isFull ? 900_000 : 120_000,
  );
});
