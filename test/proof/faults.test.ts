import { expect, it } from 'vitest';
import { csv, leads, openBench } from '../runs/harness.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { everythingOnce, faultPlan, isFull, killAtRandom, untilDone } from './harness.js';

const [ROWS, KILLS, BATCH] = isFull ? [20_000, 20, '200'] : [3_000, 5, '50'];

it(
  `${ROWS} rows into a contact center that loses requests and answers, under ${KILLS} kills: each once`,
  async () => {
    const random = randomFrom(seedOf('faults'));
    const bench = await openBench();
    const began = Date.now();
    try {
      const file = await bench.write('leads.csv', csv(leads(ROWS)));
      bench.center.behave = faultPlan(randomFrom(Math.floor(random() * 2 ** 31)));
      const { run, kills, starts } = await untilDone(
        bench,
        () => bench.start('run', [file], ['--campaign', '42', '--batch-size', BATCH]),
        KILLS,
        (running) => killAtRandom(running, () => bench.center.requests.length, random, 2_500),
      );
      const byOperation: Record<string, number> = {};
      for (const { operation } of bench.center.requests)
        byOperation[operation] = (byOperation[operation] ?? 0) + 1;
      const seconds = (Date.now() - began) / 1000;
      console.log(JSON.stringify({ rows: ROWS, kills, starts, seconds, requests: byOperation }));
      everythingOnce(bench, run, ROWS);
      expect(kills).toBe(KILLS);
    } finally {
      await bench.close();
    }
  },
  isFull ? 1_200_000 : 60_000,
);
