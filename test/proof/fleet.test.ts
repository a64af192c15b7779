import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csv, leads, openBench } from '../runs/harness.js';
import { type Machines, machinesOf, type Running } from '../runs/fleet/harness.js';
import type { Ended } from '../kit/cardline.js';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../kit/postgres.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { everythingOnce, faultPlan, isFull } from './harness.js';

/** FLEET_ROUNDS: how often, each time with another seed. */
const ROUNDS = Number(process.env['FLEET_ROUNDS'] ?? (isFull ? 20 : 1));
const [ROWS, PIECE] = isFull ? [50_000, 5000] : [3000, 1000];
const WORKERS = 3;
const KILL_EVERY_MS = 2000;
/** Shorter than in use, so that more is tried in a round. */
const LEASE = { leaseMs: 3000, renewMs: 500 };

/** Workers of which one is killed every now and then, and started again. */
class MortalWorkers {
  kills = 0;
  #over = false;
  readonly #running: Running[];
  readonly #killing: Promise<void>;

  constructor(
    private readonly machines: Machines,
    private readonly random: () => number,
  ) {
    this.#running = Array.from({ length: WORKERS }, () => machines.worker());
    this.#killing = this.#killOnAndOn();
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#killing;
    for (const { child } of this.#running) child.kill('SIGTERM');
    for (const { ended } of this.#running) {
      const { code, stderr } = await ended;
      // One that has just been started does not listen yet.
      if (stderr !== '') expect(code, stderr).toBe(0);
    }
  }

  async #killOnAndOn(): Promise<void> {
    for (;;) {
      await sleep(KILL_EVERY_MS);
      if (this.#over) return;
      const at = Math.floor(this.random() * WORKERS);
      this.#running[at]?.child.kill('SIGKILL');
      await this.#running[at]?.ended;
      this.#running[at] = this.machines.worker();
      this.kills++;
    }
  }
}

describe.skipIf(POSTGRES === undefined)(`machines that share a run${WITHOUT}`, () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.remove(), 60_000);

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    `send ${ROWS} rows to a center with faults, one of ${WORKERS} killed every 2 s: each once (round %i)`,
    async (round) => {
      const random = randomFrom(seedOf('fleet') + round);
      const bench = await openBench();
      const began = Date.now();
      try {
        const machines = machinesOf(bench, await server.database(), PIECE, LEASE);
        const file = await bench.write('leads.csv', csv(leads(ROWS)));
        bench.center.behave = faultPlan(randomFrom(Math.floor(random() * 2 ** 31)));
        const workers = new MortalWorkers(machines, random);
        const submit = (detach: boolean): Running => machines.submit('run', file, { detach });
        // The submitter is killed while it hands over, while it waits, and before its report.
        const moments = [() => sleep(1500 + random() * 2500), () => sleep(1500 + random() * 6000)];
        for (const moment of moments) {
          const running = submit(false);
          await Promise.race([moment(), running.ended]);
          running.child.kill('SIGKILL');
          await running.ended;
        }
        const { ended, tries } = await endOf(() => submit(false));
        await workers.end();
        const seconds = (Date.now() - began) / 1000;
        const requests = bench.center.requests.length;
        const { kills } = workers;
        console.log(JSON.stringify({ round, rows: ROWS, kills, seconds, requests, tries }));
        everythingOnce(bench, machines.imported('run', ended), ROWS);
      } finally {
        await bench.close();
      }
    },
    isFull ? 900_000 : 120_000,
  );
});

/**
 * A start may fall into a fault, and says that it can be repeated. Of some rows it may not be known what became of them,
 * which is no false claim: the same command asks for them again.
 */
async function endOf(start: () => Running): Promise<{ ended: Ended; tries: number }> {
  for (let tries = 1; tries <= 20; tries++) {
    const ended = await start().ended;
    if (ended.code !== 3 && unknownIn(ended) === 0) return { ended, tries };
  }
  throw new Error('The import does not come to an end.');
}

function unknownIn({ stdout }: Ended): number {
  if (stdout === '') return 0;
  const { summary } = JSON.parse(stdout) as { summary: { outcomes: Record<string, number> } };
  return summary.outcomes['unknown'] ?? 0;
}
