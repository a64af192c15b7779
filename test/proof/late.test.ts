import { afterEach, expect, it } from 'vitest';
import {
  type Bench,
  countOutcomes,
  csv,
  installation,
  leads,
  openBench,
  twice,
} from '../runs/harness.js';

let bench: Bench;
afterEach(() => bench.close());

const TIMEOUT_MS = 500;
const CONFIRMED = 'Success (confirmed by lookup)';

/**
 * What befalls the first requests of 4.1, by their number: carried out so long after the importer has given up waiting,
 * in milliseconds, or never.
 */
const LATE = new Map<number, number | null>([
  [2, 2_500],
  [3, 6_000],
  [5, 30_000],
  [6, null],
]);

// It takes 65 seconds: with no deadline given, what was never carried out is sent again after 60.
it(
  'creations that are carried out long after a time-out are not sent twice, with no setting given',
  { timeout: 200_000 },
  async () => {
    bench = await openBench();
    const transport = `{ timeoutMs: ${TIMEOUT_MS} }`;
    await bench.write('center.yaml', installation(bench.center.url, '{}', transport));
    const identitiesOf = new Map<number, readonly string[]>();
    bench.center.behave = ({ operation, number, identities }) => {
      if (operation !== '4.1') return undefined;
      identitiesOf.set(number, identities);
      const late = LATE.get(number);
      if (late === undefined) return undefined;
      return late === null
        ? { untouched: true, silent: true }
        : { delay: TIMEOUT_MS + late, silent: true };
    };
    const file = await bench.write('leads.csv', csv(leads(40)));
    const options = ['--campaign', '42', '--batch-size', '5', '--concurrency', '2'];
    const run = await bench.import('run', [file], options);

    expect(run.code, run.stderr).toBe(0);
    expect(bench.center.violations).toEqual([]);
    expect(twice(bench.center.creations)).toEqual([]);
    expect(bench.center.creations.size).toBe(40);
    const report = run.report();
    expect(countOutcomes(report)).toEqual({ enqueued: 40 });
    expect(report.filter(({ createResult }) => createResult === CONFIRMED)).toHaveLength(15);
    // One batch alone was sent again, when all other rows had long been in the campaign.
    const sent = bench.center.requests.filter(({ operation }) => operation === '4.1');
    expect(sent).toHaveLength(9);
    expect(sent.at(-1)?.identities).toEqual(identitiesOf.get(6));
    const before = bench.center.requests.slice(0, bench.center.requests.indexOf(sent.at(-1)!));
    const added = before.filter(({ operation }) => operation === '4.9');
    expect(added.reduce((sum, { clients }) => sum + clients, 0)).toBe(35);
    expect(run.stderr.match(/Waiting up to \d+ s: .*serverDeadlineMs/g)).toHaveLength(1);
  },
);
