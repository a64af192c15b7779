/**
 * Creations that the contact center carries out after the importer has given the request up: after a time-out, behind a
 * gateway that answers 502 or 504, and after the importer itself was killed. The importer looks up soon and again, and
 * sends a client a second time only when the deadline has passed, which is at least a minute where no setting says
 * otherwise. Nobody is created twice, the other rows go on meanwhile, and the run ends with every row confirmed.
 *
 * Short: creations that are carried out 2.5 s after a time-out, with no setting given, 1 and 2 s after it with a
 * deadline of 3 s, and 4 s after a kill; about 20 s. Full (PROOF=full): 4,000 clients, of whom batches are carried out
 * 2.5, 6 and 30 s after a time-out of 1.5 s, and requests that never arrive, which are sent again after the deadline
 * of a minute; about 3 minutes.
 */
import { afterEach, expect, it } from 'vitest';
import type { Misbehaviour, SeenRequest } from '../../kit/contact-center.js';
import { type Bench, countOutcomes, twice, until } from '../../runs/harness.js';
import { isFull } from '../harness.js';
import { BATCH, STEADY, creationsOf, eachOnce, openNaiveBench, writeLeads } from './harness.js';

let bench: Bench;
afterEach(async () => {
  await bench.center.quiet();
  await bench.close();
});

/** What befalls creations, by their number in the order of arrival; the second try of a client is carried out at once. */
type Plan = Readonly<Record<number, Misbehaviour>>;

interface Late {
  /** Identities whose first creation is late, or never happens. */
  readonly identities: Set<string>;
  /** Creations that had arrived when the first late one was carried out. */
  arrivedBefore: number;
}

function follow(plan: Plan): Late {
  const { center } = bench;
  const late: Late = { identities: new Set(), arrivedBefore: 0 };
  const isLate = ({ operation, number }: SeenRequest): boolean =>
    operation === '4.1' && plan[number] !== undefined;
  center.behave = (request) => {
    if (!isLate(request)) return undefined;
    for (const identity of request.identities) late.identities.add(identity);
    return plan[request.number];
  };
  center.onCarriedOut = (request) => {
    if (!isLate(request) || late.arrivedBefore > 0) return;
    late.arrivedBefore = creationsOf(center);
  };
  return late;
}

async function imports(rows: number, options: readonly string[] = STEADY) {
  const file = await writeLeads(bench, rows);
  return bench.import('run', [file], options);
}

/** Every row is `created`, once, and the run has ended. */
async function confirmed(run: Awaited<ReturnType<typeof imports>>, rows: number): Promise<void> {
  await eachOnce(bench.center, rows);
  expect(run.code, run.stderr).toBe(0);
  expect(countOutcomes(run.report())).toEqual({ created: rows });
  expect(run.summary()).toMatchObject({ rows, state: 'finished' });
}

const ROWS = 8 * BATCH;

it('2.5 s after a time-out of 1 s, with no setting given', { timeout: 240_000 }, async () => {
  bench = await openNaiveBench({ transport: '{ timeoutMs: 1000 }' });
  const late = follow({ 2: { delay: 3500 }, 5: { delay: 3500 } });
  const run = await imports(ROWS);
  await confirmed(run, ROWS);
  // The others did not wait for those that are late.
  expect(late.arrivedBefore).toBeGreaterThanOrEqual(ROWS / BATCH);
});

it(
  '1 and 2 s after a time-out of 0.5 s, where the deadline is 3 s',
  { timeout: 120_000 },
  async () => {
    bench = await openNaiveBench({ transport: '{ timeoutMs: 500, serverDeadlineMs: 3000 }' });
    const late = follow({
      2: { delay: 1500 },
      5: { delay: 2500 },
      6: { silent: true, untouched: true },
    });
    const run = await imports(ROWS);
    // The sixth request never had an effect: its clients are sent again, once the deadline has passed.
    await confirmed(run, ROWS);
    expect(late.arrivedBefore).toBeGreaterThanOrEqual(ROWS / BATCH);
    expect(creationsOf(bench.center)).toBeGreaterThan(ROWS / BATCH);
  },
);

it(
  '3 s after a gateway gave up with 502 and 504, with no setting given',
  { timeout: 240_000 },
  async () => {
    bench = await openNaiveBench({ transport: '{}' });
    const body = '<html>Bad gateway</html>';
    const late = follow({
      2: { later: 3000, answer: { status: 502, body } },
      5: { later: 3000, answer: { status: 504, body } },
    });
    const run = await imports(ROWS);
    await confirmed(run, ROWS);
    expect(late.arrivedBefore).toBeGreaterThanOrEqual(ROWS / BATCH);
  },
);

it(
  '4 s after the request, whose sender was killed and continued at once',
  { timeout: 240_000 },
  async () => {
    bench = await openNaiveBench({ transport: '{}' });
    const { center } = bench;
    center.behave = ({ operation, number }) =>
      operation === '4.1' && (number === 3 || number === 4) ? { delay: 4000 } : undefined;
    const file = await writeLeads(bench, ROWS);
    const { child, ended } = bench.start('run', [file], STEADY);
    // Both permitted requests are under way, so that no other one waits to be sent.
    await until(() => creationsOf(center) === 4, 'the late creations arrive');
    child.kill('SIGKILL');
    await ended;
    const run = await bench.import('run', [file], STEADY);
    await confirmed(run, ROWS);
  },
);

it.runIf(isFull)(
  '2.5, 6 and 30 s after a time-out of 1.5 s, and never, with no setting given: 4,000 clients',
  { timeout: 900_000 },
  async () => {
    bench = await openNaiveBench({ transport: '{ timeoutMs: 1500 }' });
    const timeoutMs = 1500;
    const after = (ms: number): Misbehaviour => ({ delay: timeoutMs + ms });
    const plan: Record<number, Misbehaviour> = {
      ...{ 3: after(2500), 9: after(2500), 20: after(2500), 21: after(2500), 40: after(2500) },
      ...{ 5: after(6000), 12: after(6000), 33: after(6000) },
      ...{ 7: after(30_000), 15: after(30_000), 50: after(30_000) },
      ...{ 11: { silent: true, untouched: true }, 44: { drop: true, untouched: true } },
    };
    const late = follow(plan);
    const run = await imports(4000, ['--batch-size', String(BATCH), '--concurrency', '4']);
    await confirmed(run, 4000);
    expect(late.identities.size).toBe(Object.keys(plan).length * BATCH);
    expect(twice(bench.center.creations)).toEqual([]);
  },
);
